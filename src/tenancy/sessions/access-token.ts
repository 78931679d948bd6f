import { createHash, createPublicKey, type KeyObject, randomUUID } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { ed25519Key } from '../../kit/secrets/crypto.ts';
import type { Clock } from '../../kit/time/clock.ts';
import type { Config } from '../../kit/config/config.ts';

/** The Ed25519 keys (RFC 8037) for access tokens. */
interface JwtKeys {
  /** Id of the signing key, in each token's header. */
  readonly kid: string;
  readonly privateKey: KeyObject;
  /** All verifying keys by id: after a rotation, old tokens stay valid for their 15 minutes. */
  readonly publicKeys: ReadonlyMap<string, KeyObject>;
}

/** Creates the keys from their seeds (`JWT_KEY`).
 *  @param seeds 32 bytes each; the first one signs, all of them verify
 *  @throws {Error} if there is none */
export function openJwtKeys(seeds: readonly Uint8Array[]): JwtKeys {
  const keys = seeds.map((seed) => {
    const privateKey = ed25519Key(seed);
    const publicKey = createPublicKey(privateKey);
    return { kid: thumbprint(publicKey), privateKey, publicKey };
  });
  const [first] = keys;
  if (!first) throw new Error('No JWT key is configured');
  return {
    kid: first.kid,
    privateKey: first.privateKey,
    publicKeys: new Map(keys.map((key) => [key.kid, key.publicKey])),
  };
}

/** RFC 7638: the hash of the public key's required members in alphabetical order, identical on every server. */
function thumbprint(publicKey: KeyObject): string {
  const { crv, kty, x } = publicKey.export({ format: 'jwk' });
  return createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url');
}

/** Lifetime of an access token in seconds. */
export const accessTokenSeconds = 900;

const issuer = 'costkeep';
const audience = 'costkeep';
/** RFC 9068: distinguishes an access token from other JWTs signed with the same key. */
const tokenType = 'at+jwt';

/** Claims of an access token: user and session, never role or scope. */
interface AccessClaims {
  readonly userId: string;
  readonly sessionId: string;
}

interface TokenDeps {
  readonly clock: Clock;
  readonly config: Pick<Config, 'jwtKeys'>;
}

const parsedKeys = new WeakMap<object, JwtKeys>();

/** Signs an access token (JWT, EdDSA), valid for 15 minutes. */
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

/** Verifies an access token; null if it is foreign, modified or expired. */
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
