import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { hashRaw } from '@node-rs/argon2';
import { z } from 'zod';
import type { Config } from '../../../kit/config/config.ts';
import { fix, invalid } from '../../../kit/errors/errors.ts';
import type { Sealed } from './format.ts';

/** The keys of a server in base64, the current one first. */
const keysSchema = z.object({ jwt: z.array(z.base64()).min(1), encryption: z.array(z.base64()).min(1) });

/** The keys of a server in base64, the current one first. */
export type Keys = z.output<typeof keysSchema>;

/** RFC 9106, second recommended option. */
const cost = { memoryKiB: 65_536, passes: 3, lanes: 4 } as const;

const additionalData = Buffer.from('costkeep backup keys 1');

/** The keys of a configuration. */
export function keysOf({ jwtKeys, encryptionKeys }: Pick<Config, 'jwtKeys' | 'encryptionKeys'>): Keys {
  const text = (keys: readonly Uint8Array[]) => keys.map((key) => Buffer.from(key).toString('base64'));
  return { jwt: text(jwtKeys), encryption: text(encryptionKeys) };
}

/** Identifies keys without revealing them. */
export function keyIds(keys: readonly string[]): string[] {
  return keys.map((key) =>
    createHash('sha256').update('costkeep backup key id\0').update(key).digest('hex').slice(0, 16),
  );
}

/** Encrypts the keys with a passphrase (Argon2id, AES-256-GCM). */
export async function sealKeys(keys: Keys, passphrase: string): Promise<Sealed> {
  const kdf = { name: 'argon2id', ...cost, salt: randomBytes(16).toString('base64') } as const;
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', await derive(passphrase, kdf), iv).setAAD(additionalData);
  const text = Buffer.concat([cipher.update(JSON.stringify(keys)), cipher.final()]);
  const base64 = (bytes: Buffer) => bytes.toString('base64');
  return { kdf, cipher: 'aes-256-gcm', iv: base64(iv), tag: base64(cipher.getAuthTag()), text: base64(text) };
}

/** Decrypts the keys.
 *  @throws {AppError} VALIDATION_ERROR if the passphrase is wrong */
export async function unsealKeys(sealed: Sealed, passphrase: string): Promise<Keys> {
  const bytes = (text: string) => Buffer.from(text, 'base64');
  const key = await derive(passphrase, sealed.kdf);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes(sealed.iv), { authTagLength: 16 });
    decipher.setAAD(additionalData).setAuthTag(bytes(sealed.tag));
    const plain = Buffer.concat([decipher.update(bytes(sealed.text)), decipher.final()]);
    return keysSchema.parse(JSON.parse(plain.toString('utf8')));
  } catch (cause) {
    const error = invalid`The passphrase does not decrypt the keys in this backup${fix}give the passphrase that the backup was made with`;
    error.cause = cause;
    throw error;
  }
}

function derive(passphrase: string, { memoryKiB, passes, lanes, salt }: Sealed['kdf']): Promise<Buffer> {
  return hashRaw(passphrase.normalize('NFKC'), {
    salt: Buffer.from(salt, 'base64'),
    memoryCost: memoryKiB,
    timeCost: passes,
    parallelism: lanes,
    outputLen: 32,
  });
}
