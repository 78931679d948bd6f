import type pg from 'pg';
import { ConfigError } from '../config/config.ts';
import { findRecorded, recordAgain, recordOnce } from '../database/installation.ts';
import { inTransaction } from '../database/transaction.ts';
import { keyId } from './crypto.ts';

/** Checks that the keys include the one of all servers and workers on the database, which the first one recorded by its id.
 *  @throws {ConfigError} if they do not: secrets of the others could not be decrypted */
export async function refuseOtherKey(pool: pg.Pool, keys: readonly Uint8Array[]): Promise<void> {
  const own = keys.map(keyId);
  const recorded = await inTransaction(pool, (client) => recordOnce(client, 'encryption_key', own[0] ?? ''));
  if (own.includes(recorded)) return;
  throw new ConfigError([
    `ENCRYPTION_KEY: the secrets in this database are encrypted with another key; set it to that key, to NEW_KEY,OLD_KEY to replace it, or run "npm run admin -- forget-key" if it is lost`,
  ]);
}

/** Returns whether the keys include the recorded one, or none is recorded. Unlike `refuseOtherKey`, it records nothing. */
export async function hasRecordedKey(client: pg.ClientBase, keys: readonly Uint8Array[]): Promise<boolean> {
  const recorded = await findRecorded(client, 'encryption_key');
  return recorded === null || keys.some((key) => keyId(key) === recorded);
}

/** Deletes the record of the key, which is lost: the next start writes its own. */
export async function forgetKey(client: pg.ClientBase): Promise<void> {
  await recordAgain(client, 'encryption_key', null);
}

/** Records the first key after all secrets were re-encrypted with it. */
export async function recordKey(pool: pg.Pool, [current]: readonly Uint8Array[]): Promise<void> {
  if (current) await recordAgain(pool, 'encryption_key', keyId(current));
}
