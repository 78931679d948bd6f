import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { ed25519Key } from '../../kit/crypto.ts';

/** The Ed25519 keys (RFC 8037) that access tokens are signed with. */
export interface JwtKeys {
  /** Names the key that signs, in each token's header. */
  readonly kid: string;
  readonly privateKey: KeyObject;
  /** Every key that still verifies, by its id: after a rotation the old tokens live out their 15 minutes. */
  readonly publicKeys: ReadonlyMap<string, KeyObject>;
}

/** Makes the keys from their seeds (`JWT_KEY`).
 *  @param seeds 32 bytes each; the first one signs, all of them verify
 *  @throws {Error} when there is none */
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

/** RFC 7638: the hash of the public key's required members in alphabetical order, the same on every server. */
function thumbprint(publicKey: KeyObject): string {
  const { crv, kty, x } = publicKey.export({ format: 'jwk' });
  return createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url');
}
