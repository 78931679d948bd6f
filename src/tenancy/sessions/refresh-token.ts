import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../../kit/secrets/crypto.ts';
import { idFromBytes, idToBytes } from '../../kit/ids.ts';

/** How long a session lives after its login; rotation does not prolong it. */
export const refreshTokenDays = 7;

/** How long an exchanged token still gives the same successor: two tabs that refresh at once are no theft. */
export const graceMs = 10_000;

/** More exchanges than this do not happen within the grace. */
const maxSteps = 200;

const idBytes = 16;
const secretBytes = 32;
const tokenBytes = idBytes + secretBytes;

/** A refresh token taken apart. As text it is base64url of session id (16 bytes) and secret (32). */
export interface RefreshToken {
  readonly text: string;
  readonly sessionId: string;
  readonly secret: Buffer;
}

type Keys = Pick<Secrets, 'hmac'>;

/** Makes the first refresh token of a session. */
export function firstRefreshToken(sessionId: string): RefreshToken {
  return assemble(sessionId, randomBytes(secretBytes));
}

/** The one token that follows: the same however often, and on whichever server, it is asked for; nothing has to be stored
 *  in the clear to repeat it. */
export function successorOf(keys: Keys, token: RefreshToken): RefreshToken {
  const { sessionId, secret } = token;
  const successor = keys.hmac('refresh token successor', `${sessionId} ${secret.toString('hex')}`);
  return assemble(sessionId, Buffer.from(successor));
}

/** The token that is good now, where an older one is; null where it does not follow from it, such as after a change of the
 *  server's own key.
 *  @param hash of the one that is good now */
export function latestOf(keys: Keys, token: RefreshToken, hash: Uint8Array): RefreshToken | null {
  let latest = token;
  for (let step = 0; step < maxSteps; step += 1) {
    latest = successorOf(keys, latest);
    if (matches(latest, hash)) return latest;
  }
  return null;
}

/** Takes a token apart; null where it has not the form of one. Says nothing about whether it is good. */
export function parseRefreshToken(text: string): RefreshToken | null {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== tokenBytes || bytes.toString('base64url') !== text) return null;
  return {
    text,
    sessionId: idFromBytes(bytes.subarray(0, idBytes)),
    secret: bytes.subarray(idBytes),
  };
}

/** What the database keeps of a token: SHA-256. The secret is random, so it needs no slow hash. */
export function hashOf(token: RefreshToken): Buffer<ArrayBuffer> {
  return createHash('sha256').update(token.text).digest();
}

/** Whether this is the token that the database keeps the hash of. */
export function matches(token: RefreshToken, hash: Uint8Array): boolean {
  return hash.length === 32 && timingSafeEqual(hashOf(token), hash);
}

function assemble(sessionId: string, secret: Buffer): RefreshToken {
  return { text: Buffer.concat([idToBytes(sessionId), secret]).toString('base64url'), sessionId, secret };
}
