import { createPublicKey, sign, verify } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ed25519Key, openSecrets } from '../../../src/kit/secrets/crypto.ts';

const key = new Uint8Array(32).fill(1);
const newKey = new Uint8Array(32).fill(2);
const secrets = openSecrets([key]);

describe('openSecrets', () => {
  it('decrypts any text for its row', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.uuid(), (plain, row) => {
        expect(secrets.decrypt(secrets.encrypt(plain, row), row)).toBe(plain);
      }),
    );
  });

  it('never encrypts a text the same way twice', () => {
    expect(secrets.encrypt('a', 'row')).not.toEqual(secrets.encrypt('a', 'row'));
  });

  it('rejects a secret with any one byte changed', () => {
    const bytes = secrets.encrypt('secret', 'row');
    for (let at = 0; at < bytes.length; at += 1) {
      const forged = Uint8Array.from(bytes, (byte, index) => (index === at ? byte ^ 1 : byte));
      expect(() => secrets.decrypt(forged, 'row'), `byte ${at}`).toThrow(/^(A|The) stored secret/);
    }
  });

  it('rejects a secret copied to another row', () => {
    const bytes = secrets.encrypt('secret', 'row');
    expect(() => secrets.decrypt(bytes, 'other')).toThrow(
      'The stored secret of other was changed or belongs to another row',
    );
  });

  it.each([0, 1, 32])('rejects %i bytes', (length) => {
    expect(() => secrets.decrypt(new Uint8Array(length).fill(1), 'row')).toThrow(
      'A stored secret has an unknown format',
    );
  });

  it('decrypts with an older key, and reports that it is not current', () => {
    const bytes = secrets.encrypt('secret', 'row');
    const rotated = openSecrets([newKey, key]);
    expect(rotated.decrypt(bytes, 'row')).toBe('secret');
    expect([secrets.isCurrent(bytes), rotated.isCurrent(bytes)]).toEqual([true, false]);
  });

  it('names the missing key', () => {
    const bytes = openSecrets([newKey]).encrypt('secret', 'row');
    expect(() => secrets.decrypt(bytes, 'row')).toThrow(
      expect.objectContaining({
        code: 'SERVICE_UNAVAILABLE',
        message: expect.stringMatching(
          /^A stored secret was encrypted with key [0-9a-f]{8}, which is not in ENCRYPTION_KEY of this server; append that key$/,
        ),
      }),
    );
  });

  it('derives a different HMAC for each purpose', () => {
    expect(secrets.hmac('a', 'data')).toEqual(secrets.hmac('a', 'data'));
    expect(secrets.hmac('a', 'data')).not.toEqual(secrets.hmac('b', 'data'));
    expect(secrets.hmac('a', 'data')).toHaveLength(32);
  });
});

describe('ed25519Key', () => {
  // RFC 8032, section 7.1, TEST 1.
  it('generates the key pair of RFC 8032', () => {
    const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
    const privateKey = ed25519Key(seed);
    const publicKey = createPublicKey(privateKey);
    const { x } = publicKey.export({ format: 'jwk' });
    expect(Buffer.from(x ?? '', 'base64url').toString('hex')).toBe(
      'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    );
    expect(verify(null, Buffer.alloc(0), publicKey, sign(null, Buffer.alloc(0), privateKey))).toBe(true);
  });
});
