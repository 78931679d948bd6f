import { z } from 'zod';

// Kinds of environment variables, shared by the server and the MCP server.

/** Whether a value is an API URL: no user, query or fragment. */
export function isEndpoint(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password, search, hash } = new URL(value);
  return /^https?:$/.test(protocol) && username + password + search + hash === '';
}

/** Splits a comma-separated list. */
export function list(value: string): string[] {
  return value.split(',').map((part) => part.trim());
}

/** A variable with comma-separated values; empty by default.
 *  @param remedy how to fix an invalid value */
export function listOf(isUsable: (value: string) => boolean, remedy: string) {
  return z
    .string()
    .refine((value) => list(value).every(isUsable), remedy)
    .transform(list)
    .default([]);
}

/** A variable with web origins. */
export function origins() {
  return listOf(
    (value) => URL.canParse(value) && new URL(value).origin === value,
    'set it to comma-separated origins, such as https://a.example,https://b.example',
  );
}
