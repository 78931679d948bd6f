import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../../kit/crypto.ts';
import { idFromBytes, idToBytes } from '../../kit/ids.ts';

/** How long a session lives after its login; rotation does not prolong it. */
export const refreshTokenDays = 7;

/** How long an exchanged token still gives the same successor: two tabs that refresh at once are no theft. */
export const graceMs = 10_000;

const idBytes = 16;
const secretBytes = 32;
const macBytes = 16;
const tokenBytes = idBytes + secretBytes + macBytes;

/** A refresh token taken apart. As text it is base64url of session id (16 bytes), secret (32) and a MAC (16) by which a
 *  token of the session's past is told from an invented one, so that no stranger can end a session. */
export interface RefreshToken {
  readonly text: string;
  readonly sessionId: string;
  readonly secret: Buffer;
  readonly mac: Buffer;
}

type Keys = Pick<Secrets, 'hmac'>;

/** Makes the first refresh token of a session. */
export function firstRefreshToken(keys: Keys, sessionId: string): RefreshToken {
  return assemble(keys, sessionId, randomBytes(secretBytes));
}

/** The one token that follows: the same however often, and on whichever server, it is asked for; nothing has to be stored
 *  in the clear to repeat it. */
export function successorOf(keys: Keys, token: RefreshToken): RefreshToken {
  return assemble(keys, token.sessionId, Buffer.from(keys.hmac('refresh token successor', payloadOf(token))));
}

/** Takes a token apart; null where it has not the form of one. Says nothing about whether it is good. */
export function parseRefreshToken(text: string): RefreshToken | null {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== tokenBytes || bytes.toString('base64url') !== text) return null;
  return {
    text,
    sessionId: idFromBytes(bytes.subarray(0, idBytes)),
    secret: bytes.subarray(idBytes, idBytes + secretBytes),
    mac: bytes.subarray(idBytes + secretBytes),
  };
}

/** Whether this server, or one that shares its keys, made the token. */
export function isGenuine(keys: Keys, token: RefreshToken): boolean {
  return timingSafeEqual(token.mac, macOf(keys, token.sessionId, token.secret));
}

/** What the database keeps of a token: SHA-256. The secret is random, so it needs no slow hash. */
export function hashOf(token: RefreshToken): Buffer<ArrayBuffer> {
  return createHash('sha256').update(token.text).digest();
}

/** Whether this is the token that the database keeps the hash of. */
export function matches(token: RefreshToken, hash: Uint8Array): boolean {
  return hash.length === 32 && timingSafeEqual(hashOf(token), hash);
}

function assemble(keys: Keys, sessionId: string, secret: Buffer): RefreshToken {
  const mac = macOf(keys, sessionId, secret);
  return { text: Buffer.concat([idToBytes(sessionId), secret, mac]).toString('base64url'), sessionId, secret, mac };
}

function macOf(keys: Keys, sessionId: string, secret: Buffer): Buffer {
  return Buffer.from(keys.hmac('refresh token', payloadOf({ sessionId, secret }))).subarray(0, macBytes);
}

function payloadOf({ sessionId, secret }: Pick<RefreshToken, 'sessionId' | 'secret'>): string {
  return `${sessionId} ${secret.toString('hex')}`;
}
