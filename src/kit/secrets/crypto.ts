import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createPrivateKey,
  hkdfSync,
  randomBytes,
} from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { AppError, fix, message } from '../errors/errors.ts';

/** Encryption of secrets at rest: AES-256-GCM with a fresh 96-bit IV, bound to the owning row. */
export interface Secrets {
  /** Encrypts a secret for one row; a copy in another row cannot be decrypted.
   *  @param rowId id of the owning row, used as additional data */
  encrypt(plain: string, rowId: string): Uint8Array<ArrayBuffer>;
  /** @throws {AppError} SERVICE_UNAVAILABLE if the key is not configured here, as on a server that a key rotation has not reached;
   *    {Error} if the bytes were modified or belong to another row */
  decrypt(bytes: Uint8Array, rowId: string): string;
  /** False if it was encrypted with an old key: decrypt and re-encrypt it. */
  isCurrent(bytes: Uint8Array): boolean;
  /** HMAC-SHA-256 with a key derived for that purpose from the first key. */
  hmac(purpose: string, data: string): Uint8Array<ArrayBuffer>;
  /** The HMAC by each configured key, the current one first, so that values hashed with an old key are still found. */
  hmacs(purpose: string, data: string): Uint8Array<ArrayBuffer>[];
}

// Layout: format (1 byte) | key id (4) | IV (12) | authentication tag (16) | ciphertext
const FORMAT = 1;
const KEY_ID_END = 5;
const IV_END = 17;
const TAG_END = 33;

/** A four-byte key id that does not reveal the key. */
export function keyId(key: Uint8Array): string {
  return createHash('sha256').update('costkeep key id\0').update(key).digest('hex').slice(0, 8);
}

/** An Ed25519 private key from its 32-byte seed (RFC 8032), wrapped as PKCS #8 (RFC 8410). */
export function ed25519Key(seed: Uint8Array): KeyObject {
  const header = Buffer.from('302e020100300506032b657004220420', 'hex');
  return createPrivateKey({ key: Buffer.concat([header, seed]), format: 'der', type: 'pkcs8' });
}

/** Derives a key per purpose, so that no key serves two (HKDF, RFC 5869). */
function derive(key: Uint8Array, purpose: string): Buffer<ArrayBuffer> {
  return Buffer.from(hkdfSync('sha256', key, '', `costkeep ${purpose}`, 32));
}

/** Authenticates the header along with the row id, so that any modified byte of a stored secret is detected. */
function additionalData(header: Uint8Array, rowId: string): Buffer {
  return Buffer.concat([header, Buffer.from(rowId)]);
}

function seal(key: Uint8Array, id: string, plain: string, rowId: string): Buffer<ArrayBuffer> {
  const header = Buffer.from([FORMAT, ...Buffer.from(id, 'hex')]);
  const iv = randomBytes(IV_END - KEY_ID_END);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(additionalData(header, rowId));
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([header, iv, cipher.getAuthTag(), text]);
}

function unseal(key: Uint8Array, bytes: Uint8Array, rowId: string): string {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(KEY_ID_END, IV_END), { authTagLength: 16 });
  decipher.setAAD(additionalData(bytes.subarray(0, KEY_ID_END), rowId)).setAuthTag(bytes.subarray(IV_END, TAG_END));
  const plain = Buffer.concat([decipher.update(bytes.subarray(TAG_END)), decipher.final()]);
  return plain.toString('utf8');
}

function hmac(key: Uint8Array, purpose: string, data: string): Buffer<ArrayBuffer> {
  const mac = createHmac('sha256', derive(key, `hmac ${purpose}`)).update(data);
  return Buffer.from(mac.digest());
}

/** Creates the encryption service.
 *  @param keys 32 bytes each; the first one encrypts, all of them decrypt */
export function openSecrets(keys: readonly Uint8Array[]): Secrets {
  const current = keys[0];
  if (!current) throw new Error('No encryption key is configured');
  const currentId = keyId(current);
  const ring = new Map(keys.map((key) => [keyId(key), derive(key, 'secrets')]));
  const sealing = derive(current, 'secrets');
  const idOf = (bytes: Uint8Array) => Buffer.from(bytes.subarray(1, KEY_ID_END)).toString('hex');
  return {
    encrypt: (plain, rowId) => seal(sealing, currentId, plain, rowId),
    decrypt(bytes, rowId) {
      if (bytes[0] !== FORMAT || bytes.length < TAG_END) throw new Error('A stored secret has an unknown format');
      const key = ring.get(idOf(bytes));
      if (!key)
        throw new AppError(
          'SERVICE_UNAVAILABLE',
          message`A stored secret was encrypted with key ${idOf(bytes)}, which is not in ENCRYPTION_KEY of this server${fix}append that key`,
        );
      try {
        return unseal(key, bytes, rowId);
      } catch (cause) {
        throw new Error(`The stored secret of ${rowId} was changed or belongs to another row`, { cause });
      }
    },
    isCurrent: (bytes) => idOf(bytes) === currentId,
    hmac: (purpose, data) => hmac(current, purpose, data),
    hmacs: (purpose, data) => keys.map((key) => hmac(key, purpose, data)),
  };
}
