import { createHash, randomBytes } from 'node:crypto';

const secretBytes = 32;

/** A new secret for the link in a mail: 256 random bits, spelled so that no address needs escaping. */
export function newLinkToken(): string {
  return randomBytes(secretBytes).toString('base64url');
}

/** What the database keeps of it: SHA-256. The secret is random, so it needs no slow hash. */
export function linkTokenHash(token: string): Buffer<ArrayBuffer> {
  return createHash('sha256').update(token).digest();
}
