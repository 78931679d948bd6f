import { randomUUID } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../../kit/clock.ts';
import type { Config } from '../../kit/config.ts';
import { openJwtKeys, type JwtKeys } from './keys.ts';

/** How long an access token lives, in seconds. */
export const accessTokenSeconds = 900;

const issuer = 'costkeep';
const audience = 'costkeep';
/** RFC 9068: tells an access token from any other JWT signed with the same key. */
const tokenType = 'at+jwt';

/** What an access token says: who, in which session. Role and scope are never in it. */
export interface AccessClaims {
  readonly userId: string;
  readonly sessionId: string;
}

interface TokenDeps {
  readonly clock: Clock;
  readonly config: Pick<Config, 'jwtKeys'>;
}

const parsedKeys = new WeakMap<object, JwtKeys>();

/** Signs an access token (JWT, EdDSA), good for 15 minutes. */
export function signAccessToken(deps: TokenDeps, claims: AccessClaims): Promise<string> {
  const { kid, privateKey } = keysOf(deps.config);
  const issuedAt = Math.floor(deps.clock.now().getTime() / 1000);
  return new SignJWT({ sid: claims.sessionId })
    .setProtectedHeader({ alg: 'EdDSA', kid, typ: tokenType })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(claims.userId)
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + accessTokenSeconds)
    .sign(privateKey);
}

/** Reads an access token; null where it is not one of ours, was tampered with, or has expired. */
export async function verifyAccessToken(deps: TokenDeps, token: string): Promise<AccessClaims | null> {
  try {
    const { payload } = await jwtVerify(token, (header) => keyNamed(deps.config, header.kid), {
      algorithms: ['EdDSA'],
      issuer,
      audience,
      typ: tokenType,
      currentDate: deps.clock.now(),
      requiredClaims: ['sub', 'sid', 'exp'],
    });
    const { sub, sid } = payload;
    return typeof sub === 'string' && typeof sid === 'string' ? { userId: sub, sessionId: sid } : null;
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

function keyNamed(config: TokenDeps['config'], kid: string | undefined) {
  const key = kid === undefined ? undefined : keysOf(config).publicKeys.get(kid);
  if (!key) throw new errors.JWKSNoMatchingKey();
  return key;
}

function keysOf(config: TokenDeps['config']): JwtKeys {
  const known = parsedKeys.get(config);
  if (known) return known;
  const keys = openJwtKeys(config.jwtKeys);
  parsedKeys.set(config, keys);
  return keys;
}
