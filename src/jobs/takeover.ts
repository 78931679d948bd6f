import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { PatientClient } from '../kit/database/silence.ts';
import { inTransaction } from '../kit/database/transaction.ts';
import type { Deps } from '../kit/deps.ts';

// graphile-worker keeps the jobs of a killed worker locked for four hours. Here each process holds an advisory lock for its
// lifetime and records its workers. PostgreSQL frees the lock as soon as the process dies; any process that finds it free
// releases the jobs.

type TakeoverDeps = Pick<Deps, 'pool' | 'connection' | 'log'>;

/** Liveness of one process. */
export interface Presence {
  /** Records a worker as belonging to this process. Call it before the worker takes its first job. */
  register(workerId: string): Promise<void>;
  /** Releases the jobs that this process's workers hold without having started them, at the second call in a row that finds them so:
   *  the connection was lost after PostgreSQL had assigned the job and before the worker learned of it. Call it at intervals.
   *  @param started the assignments that this process has started, as `assignmentOf` names them; those that it no longer holds are
   *    removed. One whose outcome is still being recorded stays. */
  releaseLost(started: Set<string>): Promise<void>;
  /** Releases the jobs that this process's workers still hold, as if never started, and gives up the lock. */
  leave(): Promise<void>;
}

const RECONNECT_MS = 500;

// A machine that disappears leaves its connection open; this makes the server notice after about 30 seconds instead of two
// hours.
const NOTICE_LOSS = 'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 4';

/** Takes this process's lock on a dedicated connection, and again whenever that connection is lost. */
export async function announce(deps: TakeoverDeps): Promise<Presence> {
  const key = randomBytes(8).readBigInt64BE().toString();
  const workers = new Set<string>();
  let suspects: ReadonlySet<string> = new Set();
  let isChecking = false;
  const state = { leaving: false, client: await holdLock(deps, key) };
  const watch = () => state.client.once('end', () => void renew());
  const renew = async (): Promise<void> => {
    if (state.leaving) return;
    try {
      state.client = await holdLock(deps, key);
      watch();
      await remember(deps.pool, key, [...workers]); // another process may have considered this one dead
    } catch (err) {
      deps.log.warn({ err }, 'The liveness lock of this process is not held; trying again');
      setTimeout(() => void renew(), RECONNECT_MS).unref();
    }
  };
  watch();
  return {
    async register(workerId) {
      workers.add(workerId);
      await remember(deps.pool, key, [workerId]);
    },
    async releaseLost(started) {
      if (isChecking) return;
      isChecking = true;
      try {
        const before = [...started];
        const held = new Map((await heldJobs(deps.pool, [...workers])).map((job) => [assignmentOf(job), job]));
        for (const one of before) if (!held.has(one)) started.delete(one);
        const unknown = [...held].filter(([one, { isSettled }]) => isSettled && !started.has(one));
        const lost = unknown.filter(([one]) => suspects.has(one)).map(([, { id }]) => id);
        suspects = new Set(unknown.map(([one]) => one));
        if (lost.length === 0) return;
        await releaseJobs(deps.pool, lost, [...workers]);
        deps.log.warn({ jobs: lost }, 'Released jobs that a lost connection had left assigned');
      } finally {
        isChecking = false;
      }
    },
    async leave() {
      state.leaving = true;
      await giveBack(deps.pool, [...workers]);
      await state.client.end();
    },
  };
}

async function holdLock(deps: TakeoverDeps, key: string): Promise<pg.Client> {
  const client = new PatientClient({ ...deps.connection, keepAlive: true });
  client.on('error', () => {}); // only its end matters
  try {
    await client.connect();
    await client.query(NOTICE_LOSS);
    await client.query('select pg_advisory_lock($1)', [key]);
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

async function remember(pool: pg.Pool, key: string, workerIds: readonly string[]): Promise<void> {
  const sql = `/* remember */ insert into worker_processes (worker_id, lock_key)
    select id, $1 from unnest($2::text[]) as id on conflict do nothing`;
  await pool.query(sql, [key, workerIds]);
}

/** A job with the number of its current attempt. */
interface Assignment {
  readonly id: string;
  readonly attempts: number;
}

/** Names an assignment of a job to a worker. */
export function assignmentOf({ id, attempts }: Assignment): string {
  return `${id} ${attempts}`;
}

interface Held extends Assignment {
  /** Whether it has been held for more than a moment. */
  readonly isSettled: boolean;
}

/** Lists the jobs that workers hold. */
async function heldJobs(pool: pg.Pool, workerIds: readonly string[]): Promise<Held[]> {
  const sql = `/* heldJobs */ select id::text, attempts::int, locked_at < now() - interval '5 seconds' as "isSettled"
    from graphile_worker._private_jobs where locked_by = any($1)`;
  return (await pool.query<Held>(sql, [workerIds])).rows;
}

/** Releases jobs that workers hold, and their queues, without counting an attempt: they have not been started. */
async function releaseJobs(pool: pg.Pool, ids: readonly string[], workerIds: readonly string[]): Promise<void> {
  const sql = `/* releaseJobs */ with released as (
    update graphile_worker._private_jobs set attempts = attempts - 1, locked_at = null, locked_by = null
    where id = any($1::bigint[]) and locked_by = any($2) returning job_queue_id
  ), queues as (
    update graphile_worker._private_job_queues set locked_at = null, locked_by = null
    where id in (select job_queue_id from released) and locked_by = any($2)
  ) select pg_notify('jobs:insert', '{"count":1}')`;
  await pool.query(sql, [ids, workerIds]);
}

/** Releases jobs without counting an attempt: the interruption was intentional. */
async function giveBack(pool: pg.Pool, workerIds: readonly string[]): Promise<void> {
  await pool.query('update graphile_worker._private_jobs set attempts = attempts - 1 where locked_by = any($1)', [
    workerIds,
  ]);
  await pool.query('select graphile_worker.force_unlock_workers($1)', [workerIds]);
  await pool.query('delete from worker_processes where worker_id = any($1)', [workerIds]);
}

/** Releases the jobs of every dead process. A job whose last attempt was killed gets one more, 30 seconds later: being killed
 *  is not a failure, but a job that kills its process must not do so in a tight loop.
 *  @returns the workers of dead processes */
export async function takeOver(deps: Pick<Deps, 'pool' | 'log'>): Promise<string[]> {
  const workers = await inTransaction(deps.pool, async (client) => {
    const dead = await lockDead(client);
    if (dead.length > 0) await unlock(client, dead);
    return dead;
  });
  if (workers.length > 0) deps.log.info({ workers }, 'Took over the jobs of a dead process');
  return workers;
}

/** Deletes and returns workers of dead processes: a lock that we can take has no live owner. Held until the commit, so that
 *  concurrent sweeps do not overlap. */
async function lockDead(client: pg.PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ key: string }>('select distinct lock_key::text as key from worker_processes');
  const free: string[] = [];
  for (const { key } of rows) {
    const { rows: tried } = await client.query<{ taken: boolean }>('select pg_try_advisory_xact_lock($1) as taken', [
      key,
    ]);
    if (tried[0]?.taken) free.push(key);
  }
  const sql = 'delete from worker_processes where lock_key = any($1::bigint[]) returning worker_id as id';
  return (await client.query<{ id: string }>(sql, [free])).rows.map((row) => row.id);
}

async function unlock(client: pg.PoolClient, workerIds: readonly string[]): Promise<void> {
  const sql = `/* unlock */ update graphile_worker._private_jobs
    set attempts = max_attempts - 1, run_at = now() + interval '30 seconds'
    where locked_by = any($1) and attempts >= max_attempts`;
  await client.query(sql, [workerIds]);
  await client.query('select graphile_worker.force_unlock_workers($1)', [workerIds]);
  await client.query(`select pg_notify('jobs:insert', '{"count":1}')`);
}
