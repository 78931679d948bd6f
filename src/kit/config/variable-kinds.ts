import { z } from 'zod';

// What environment variables hold, of the server and of the MCP server alike.

/** Whether a value is the address of an API: no user, query or fragment. */
export function isEndpoint(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password, search, hash } = new URL(value);
  return /^https?:$/.test(protocol) && username + password + search + hash === '';
}

/** Values after commas. */
export function list(value: string): string[] {
  return value.split(',').map((part) => part.trim());
}

/** A variable that holds values after commas; none by default.
 *  @param remedy what to do about one that cannot be used */
export function listOf(isUsable: (value: string) => boolean, remedy: string) {
  return z
    .string()
    .refine((value) => list(value).every(isUsable), remedy)
    .transform(list)
    .default([]);
}

/** A variable that holds origins of pages. */
export function origins() {
  return listOf(
    (value) => URL.canParse(value) && new URL(value).origin === value,
    'set it to comma-separated origins, such as https://a.example,https://b.example',
  );
}
