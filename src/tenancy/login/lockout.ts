import type pg from 'pg';
import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { inTransaction } from '../../kit/database/transaction.ts';
import { AppError, fix, message } from '../../kit/errors/errors.ts';
import { Limiter } from '../../kit/process/limiter.ts';

type LockoutDeps = Pick<Deps, 'pool' | 'db' | 'clock' | 'secrets'>;

const msPerMinute = 60_000;

/** An attempt holds one connection while it uses others: were all of them held so, none could go on. */
const shareOfPool = 4;

const limiters = new WeakMap<pg.Pool, Limiter>();

/** How long the n-th failed login since the last success locks an address, in minutes; 0: it does not. The lock's end
 *  leaves the count as it is (specification, "Login lockout"). */
export function lockMinutes(failures: number): number {
  if (failures >= 20) return 60;
  return { 5: 1, 10: 5, 15: 15 }[failures] ?? 0;
}

/** Tries to prove who somebody is. Attempts on one address come one after another, on all servers together; an address that
 *  nobody has is treated as one that somebody has.
 *  @param email as `parseEmail` gives it
 *  @param attempt null: the proof was wrong, which counts. A result resets the count. What it throws does neither
 *  @param isLogin false for a result that proves only half (a second factor is awaited): it neither counts nor resets
 *  @throws {AppError} ACCOUNT_LOCKED while the address is locked, which does not count; SERVICE_UNAVAILABLE when other
 *  attempts on the address take too long */
export async function attemptLogin<T>(
  deps: LockoutDeps,
  email: string,
  attempt: () => Promise<T | null>,
  isLogin: (result: T) => boolean = () => true,
): Promise<T | null> {
  const hash = hashOf(deps, email);
  // Of many who wait for their turn those that are refused anyway need none.
  refuseLocked(await readLock(deps.pool, hash), deps.clock.now());
  const attemptInTurn = () =>
    inTransaction(deps.pool, async (client) => {
      await waitForTurn(client, hash).catch(refuseBusy);
      refuseLocked(await readLock(client, hash), deps.clock.now());
      const result = await attempt();
      if (result === null) await recordFailure(client, hash, deps.clock.now());
      else if (isLogin(result)) await forgetFailures(client, hash);
      return result;
    });
  return limiterOf(deps.pool).run(attemptInTurn, { owner: hex(hash) });
}

/** Refuses what is no attempt at a password or a code, and has to wait for the lock's end all the same.
 *  @throws {AppError} ACCOUNT_LOCKED */
export async function refuseWhileLocked(deps: Pick<Deps, 'pool' | 'clock' | 'secrets'>, email: string): Promise<void> {
  refuseLocked(await readLock(deps.pool, hashOf(deps, email)), deps.clock.now());
}

/** Forgets the failures of an address and ends its lock: an Admin says so, or the user has proven who they are by mail. */
export async function unlockLogin(db: Db, deps: Pick<Deps, 'secrets'>, email: string): Promise<void> {
  await deleteLock(db, hashOf(deps, email));
}

/** Until when each of the addresses is locked; those that are not locked now are absent. */
export async function lockedUntil(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  emails: readonly string[],
): Promise<Map<string, Date>> {
  const hashes = emails.map((email) => ({ email, hash: hashOf(deps, email) }));
  const locks = await listLocks(
    deps.db,
    hashes.map(({ hash }) => hash),
    deps.clock.now(),
  );
  return new Map(
    hashes.flatMap(({ email, hash }) => {
      const until = locks.get(hex(hash));
      return until ? [[email, until] as const] : [];
    }),
  );
}

function hashOf(deps: Pick<Deps, 'secrets'>, email: string): Uint8Array<ArrayBuffer> {
  return deps.secrets.hmac('login lock', email);
}

function hex(hash: Uint8Array): string {
  return Buffer.from(hash).toString('hex');
}

async function recordFailure(client: pg.PoolClient, hash: Uint8Array<ArrayBuffer>, now: Date): Promise<void> {
  const minutes = lockMinutes(await countFailure(client, hash, now));
  if (minutes > 0) await lockUntil(client, hash, new Date(now.getTime() + minutes * msPerMinute));
}

function refuseLocked(until: Date | null, now: Date): void {
  if (!until || until <= now) return;
  const seconds = Math.ceil((until.getTime() - now.getTime()) / 1000);
  // Rounded up: who comes at the second that we name comes late enough.
  const when = new Date(Math.ceil(until.getTime() / 1000) * 1000).toISOString().replace('.000Z', 'Z');
  throw new AppError(
    'ACCOUNT_LOCKED',
    message`Too many failed logins${fix}try again at ${when}, or ask an Admin to unlock you`,
    {
      headers: { 'Retry-After': String(seconds) },
    },
  );
}

/** One attempt at a time on an address. */
function limiterOf(pool: pg.Pool): Limiter {
  const limit = Math.max(1, Math.floor(pool.options.max / shareOfPool));
  const limiter = limiters.get(pool) ?? new Limiter({ limit, limitPerOwner: 1 });
  limiters.set(pool, limiter);
  return limiter;
}

/** PostgreSQL's lock_not_available: our bounded wait is over. */
function refuseBusy(error: unknown): never {
  const isBusy = error instanceof Error && 'code' in error && error.code === '55P03';
  if (!isBusy) throw error;
  throw new AppError('SERVICE_UNAVAILABLE', message`Too many logins with this address at once${fix}try again`, {
    headers: { 'Retry-After': '5' },
    cause: error,
  });
}

type Client = Pick<pg.ClientBase, 'query'>;
type Hash = Uint8Array<ArrayBuffer>;

/** How long one server waits for another that tries the same address. */
const lockTimeoutMs = 20_000;

/** Waits until no other server tries this address; it is ours until the transaction ends. It holds no row, so that an
 *  Admin who unlocks the address waits for nobody.
 *  @throws {Error} of PostgreSQL, 55P03, after 20 seconds */
async function waitForTurn(client: Client, hash: Hash): Promise<void> {
  await client.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
  const key = Buffer.from(hash).readBigInt64BE().toString();
  await client.query('/* waitForTurn */ SELECT pg_advisory_xact_lock($1)', [key]);
}

/** Until when an address is locked; null where it is not, or was never tried. The instant may be past. */
async function readLock(client: Client, hash: Hash): Promise<Date | null> {
  const sql = '/* readLock */ SELECT locked_until AS until FROM login_locks WHERE email_hash = $1';
  const { rows } = await client.query<{ until: Date | null }>(sql, [hash]);
  return rows[0]?.until ?? null;
}

/** Counts one more failure.
 *  @returns how many there are since the last success */
async function countFailure(client: Client, hash: Hash, now: Date): Promise<number> {
  const sql = `/* countFailure */
    INSERT INTO login_locks AS l (email_hash, failed_logins, updated_at) VALUES ($1, 1, $2)
    ON CONFLICT (email_hash) DO UPDATE SET failed_logins = l.failed_logins + 1, updated_at = $2
    RETURNING failed_logins AS failures`;
  const { rows } = await client.query<{ failures: number }>(sql, [hash, now]);
  return rows[0]?.failures ?? 1;
}

/** Locks an address that has failed. */
async function lockUntil(client: Client, hash: Hash, until: Date): Promise<void> {
  await client.query('/* lockUntil */ UPDATE login_locks SET locked_until = $2 WHERE email_hash = $1', [hash, until]);
}

/** Forgets the failures of an address. */
async function forgetFailures(client: Client, hash: Hash): Promise<void> {
  await client.query('/* forgetFailures */ DELETE FROM login_locks WHERE email_hash = $1', [hash]);
}

/** The same inside a transaction of the data layer. */
async function deleteLock(db: Db, hash: Hash): Promise<void> {
  await db.loginLock.deleteMany({ where: { emailHash: hash } });
}

/** Those of the addresses that are locked at this moment, by the hash in hexadecimal. */
async function listLocks(db: Db, hashes: readonly Hash[], now: Date): Promise<Map<string, Date>> {
  const rows = await db.loginLock.findMany({
    where: { emailHash: { in: [...hashes] }, lockedUntil: { gt: now } },
    select: { emailHash: true, lockedUntil: true },
  });
  const locked = rows.flatMap(({ emailHash, lockedUntil: until }) =>
    until ? [[Buffer.from(emailHash).toString('hex'), until] as const] : [],
  );
  return new Map(locked);
}
