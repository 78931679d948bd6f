import { expect } from 'vitest';

/** Verifies a signature with Web Crypto, as a receiver does. */
export async function isSigned(
  secret: string,
  headers: Readonly<Record<string, unknown>>,
  body: string,
): Promise<boolean> {
  const [, signature = ''] = /^v1,(.+)$/.exec(String(headers['webhook-signature'])) ?? [];
  expect(signature).not.toBe('');
  const bytes = (base64: string) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes(secret.replace('whsec_', '')), algorithm, false, ['verify']);
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  return crypto.subtle.verify('HMAC', key, bytes(signature), new TextEncoder().encode(signed));
}
