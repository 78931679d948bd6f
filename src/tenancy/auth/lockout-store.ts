import type pg from 'pg';
import type { Db } from '../../kit/db.ts';

type Client = Pick<pg.ClientBase, 'query'>;
type Hash = Uint8Array<ArrayBuffer>;

/** How long one server waits for another that tries the same address. */
const lockTimeoutMs = 20_000;

/** Waits until no other server tries this address; it is ours until the transaction ends. It holds no row, so that an
 *  Admin who unlocks the address waits for nobody.
 *  @throws {Error} of PostgreSQL, 55P03, after 20 seconds */
export async function waitForTurn(client: Client, hash: Hash): Promise<void> {
  await client.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
  const key = Buffer.from(hash).readBigInt64BE().toString();
  await client.query('/* waitForTurn */ SELECT pg_advisory_xact_lock($1)', [key]);
}

/** Until when an address is locked; null where it is not, or was never tried. The instant may be past. */
export async function readLock(client: Client, hash: Hash): Promise<Date | null> {
  const sql = '/* readLock */ SELECT locked_until AS until FROM login_locks WHERE email_hash = $1';
  const { rows } = await client.query<{ until: Date | null }>(sql, [hash]);
  return rows[0]?.until ?? null;
}

/** Counts one more failure.
 *  @returns how many there are since the last success */
export async function countFailure(client: Client, hash: Hash, now: Date): Promise<number> {
  const sql = `/* countFailure */
    INSERT INTO login_locks AS l (email_hash, failed_logins, updated_at) VALUES ($1, 1, $2)
    ON CONFLICT (email_hash) DO UPDATE SET failed_logins = l.failed_logins + 1, updated_at = $2
    RETURNING failed_logins AS failures`;
  const { rows } = await client.query<{ failures: number }>(sql, [hash, now]);
  return rows[0]?.failures ?? 1;
}

/** Locks an address that has failed. */
export async function lockUntil(client: Client, hash: Hash, until: Date): Promise<void> {
  await client.query('/* lockUntil */ UPDATE login_locks SET locked_until = $2 WHERE email_hash = $1', [hash, until]);
}

/** Forgets the failures of an address. */
export async function forgetFailures(client: Client, hash: Hash): Promise<void> {
  await client.query('/* forgetFailures */ DELETE FROM login_locks WHERE email_hash = $1', [hash]);
}

/** The same inside a transaction of the data layer. */
export async function deleteLock(db: Db, hash: Hash): Promise<void> {
  await db.loginLock.deleteMany({ where: { emailHash: hash } });
}

/** Those of the addresses that are locked at this moment, by the hash in hexadecimal. */
export async function listLocks(db: Db, hashes: readonly Hash[], now: Date): Promise<Map<string, Date>> {
  const rows = await db.loginLock.findMany({
    where: { emailHash: { in: [...hashes] }, lockedUntil: { gt: now } },
    select: { emailHash: true, lockedUntil: true },
  });
  const locked = rows.flatMap(({ emailHash, lockedUntil }) => (lockedUntil ? [{ emailHash, lockedUntil }] : []));
  return new Map(locked.map(({ emailHash, lockedUntil }) => [Buffer.from(emailHash).toString('hex'), lockedUntil]));
}
