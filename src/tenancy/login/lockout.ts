import type pg from 'pg';
import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { inTransaction } from '../../kit/database/transaction.ts';
import { AppError, fix, message } from '../../kit/errors/errors.ts';
import { Limiter } from '../../kit/process/limiter.ts';

type LockoutDeps = Pick<Deps, 'pool' | 'db' | 'clock' | 'secrets'>;

const msPerMinute = 60_000;

/** Limits attempts to a quarter of the pool. An attempt holds one connection while it uses others: if all were held
 *  by attempts, they would deadlock. */
const shareOfPool = 4;

const limiters = new WeakMap<pg.Pool, Limiter>();

/** Lock of an address by the n-th failed login since the last reset, in minutes; 0: no lock. The end of the
 *  lock does not reset the count (specification, "Login lockout"). */
export function lockMinutes(failures: number): number {
  if (failures >= 20) return 60;
  return { 5: 1, 10: 5, 15: 15 }[failures] ?? 0;
}

/** Runs a login attempt. Attempts on one address are serialized across all servers; an unknown address is treated
 *  like a known one.
 *  @param email from `parseEmail`
 *  @param attempt null: wrong credentials, which count as a failure. A result resets the count. An exception does
 *  neither
 *  @param isLogin false for a partial result (a second factor is pending): it neither counts nor resets
 *  @throws {AppError} ACCOUNT_LOCKED while the address is locked, which does not count; SERVICE_UNAVAILABLE if other
 *  attempts on the address take too long */
export async function attemptLogin<T>(
  deps: LockoutDeps,
  email: string,
  attempt: () => Promise<T | null>,
  isLogin: (result: T) => boolean = () => true,
): Promise<T | null> {
  const hash = hashOf(deps, email);
  // Rejects attempts on a locked address before they queue.
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

/** Rejects an action that is not an attempt at a password or code but must also wait for the end of a lock.
 *  @throws {AppError} ACCOUNT_LOCKED */
export async function refuseWhileLocked(deps: Pick<Deps, 'pool' | 'clock' | 'secrets'>, email: string): Promise<void> {
  refuseLocked(await readLock(deps.pool, hashOf(deps, email)), deps.clock.now());
}

/** Resets the failures of an address and ends its lock: for an Admin, for the operator, or after the user has proven their
 *  identity by email. */
export async function unlockLogin(db: Db, deps: Pick<Deps, 'secrets'>, email: string): Promise<void> {
  await deleteLock(db, hashOf(deps, email));
}

/** The end of the lock for each locked address; others are absent. */
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
  // Rounded up, so that a retry at the stated second succeeds.
  const when = new Date(Math.ceil(until.getTime() / 1000) * 1000).toISOString().replace('.000Z', 'Z');
  throw new AppError(
    'ACCOUNT_LOCKED',
    message`Too many failed logins${fix}try again at ${when}, or ask an Admin to unlock you`,
    {
      headers: { 'Retry-After': String(seconds) },
    },
  );
}

/** Allows one attempt at a time per address. */
function limiterOf(pool: pg.Pool): Limiter {
  const limit = Math.max(1, Math.floor(pool.options.max / shareOfPool));
  const limiter = limiters.get(pool) ?? new Limiter({ limit, limitPerOwner: 1 });
  limiters.set(pool, limiter);
  return limiter;
}

/** PostgreSQL's lock_not_available: the lock timeout has expired. */
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

/** Maximum wait of a server for another one that handles the same address, in milliseconds. */
const lockTimeoutMs = 20_000;

/** Waits for other servers' attempts on this address and holds the lock until the transaction ends. Locks no row, so
 *  that an Admin who unlocks the address does not wait.
 *  @throws {Error} from PostgreSQL, 55P03, after 20 seconds */
async function waitForTurn(client: Client, hash: Hash): Promise<void> {
  await client.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
  const key = Buffer.from(hash).readBigInt64BE().toString();
  await client.query('/* waitForTurn */ SELECT pg_advisory_xact_lock($1)', [key]);
}

/** The end of an address's lock, possibly in the past; null if it was never locked. */
async function readLock(client: Client, hash: Hash): Promise<Date | null> {
  const sql = '/* readLock */ SELECT locked_until AS until FROM login_locks WHERE email_hash = $1';
  const { rows } = await client.query<{ until: Date | null }>(sql, [hash]);
  return rows[0]?.until ?? null;
}

/** Increments the failures.
 *  @returns their number since the last reset */
async function countFailure(client: Client, hash: Hash, now: Date): Promise<number> {
  const sql = `/* countFailure */
    INSERT INTO login_locks AS l (email_hash, failed_logins, updated_at) VALUES ($1, 1, $2)
    ON CONFLICT (email_hash) DO UPDATE SET failed_logins = l.failed_logins + 1, updated_at = $2
    RETURNING failed_logins AS failures`;
  const { rows } = await client.query<{ failures: number }>(sql, [hash, now]);
  return rows[0]?.failures ?? 1;
}

/** Locks an address with failed attempts. */
async function lockUntil(client: Client, hash: Hash, until: Date): Promise<void> {
  await client.query('/* lockUntil */ UPDATE login_locks SET locked_until = $2 WHERE email_hash = $1', [hash, until]);
}

/** Resets the failures of an address. */
async function forgetFailures(client: Client, hash: Hash): Promise<void> {
  await client.query('/* forgetFailures */ DELETE FROM login_locks WHERE email_hash = $1', [hash]);
}

/** Resets the failures of an address in a Prisma transaction. */
async function deleteLock(db: Db, hash: Hash): Promise<void> {
  await db.loginLock.deleteMany({ where: { emailHash: hash } });
}

/** The end of the lock of each address that is currently locked, by the hash in hexadecimal. */
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
