import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../../kit/secrets/crypto.ts';
import { idFromBytes, idToBytes } from '../../kit/ids.ts';

/** Lifetime of a session after its login, in milliseconds: 7 days. Rotation does not extend it. */
export const refreshTokenMs = 7 * 86_400_000;

/** Grace period in milliseconds in which an exchanged token still yields the same successor: two tabs refreshing at
 *  once are not a theft. */
export const graceMs = 10_000;

/** Maximum number of exchanges within the grace period. */
const maxSteps = 200;

const idBytes = 16;
const secretBytes = 32;
const tokenBytes = idBytes + secretBytes;

/** A parsed refresh token. As text it is base64url of session id (16 bytes) and secret (32). */
export interface RefreshToken {
  readonly text: string;
  readonly sessionId: string;
  readonly secret: Buffer;
}

type Keys = Pick<Secrets, 'hmac'>;

/** Generates the first refresh token of a session. */
export function firstRefreshToken(sessionId: string): RefreshToken {
  return assemble(sessionId, randomBytes(secretBytes));
}

/** Derives the next token: deterministic on every server, so that it can be repeated without storing it in plain
 *  text. */
export function successorOf(keys: Keys, token: RefreshToken): RefreshToken {
  const { sessionId, secret } = token;
  const successor = keys.hmac('refresh token successor', `${sessionId} ${secret.toString('hex')}`);
  return assemble(sessionId, Buffer.from(successor));
}

/** The current token of the session, given an older one; null if it is not derived from it, such as after a change
 *  of the server's key.
 *  @param hash hash of the current token */
export function latestOf(keys: Keys, token: RefreshToken, hash: Uint8Array): RefreshToken | null {
  let latest = token;
  for (let step = 0; step < maxSteps; step += 1) {
    latest = successorOf(keys, latest);
    if (matches(latest, hash)) return latest;
  }
  return null;
}

/** Parses a token; null if it is malformed. Does not check whether it is valid. */
export function parseRefreshToken(text: string): RefreshToken | null {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== tokenBytes || bytes.toString('base64url') !== text) return null;
  return {
    text,
    sessionId: idFromBytes(bytes.subarray(0, idBytes)),
    secret: bytes.subarray(idBytes),
  };
}

/** Stored form of a token: SHA-256. The secret is random, so it does not need a slow hash. */
export function hashOf(token: RefreshToken): Buffer<ArrayBuffer> {
  return createHash('sha256').update(token.text).digest();
}

/** Whether a token matches a stored hash. */
export function matches(token: RefreshToken, hash: Uint8Array): boolean {
  return hash.length === 32 && timingSafeEqual(hashOf(token), hash);
}

function assemble(sessionId: string, secret: Buffer): RefreshToken {
  return { text: Buffer.concat([idToBytes(sessionId), secret]).toString('base64url'), sessionId, secret };
}
