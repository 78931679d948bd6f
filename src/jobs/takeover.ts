import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Deps } from '../kit/deps.ts';

// graphile-worker keeps the jobs of a killed worker locked for four hours. Here each process holds an advisory lock as long
// as it lives and writes down which workers are its own; PostgreSQL frees the lock the moment the process dies, and whoever
// finds it free gives the jobs back.

type TakeoverDeps = Pick<Deps, 'pool' | 'connection' | 'log'>;

/** The sign of life of one process. */
export interface Presence {
  /** Writes a worker down as this process's. Call it before the worker takes its first job. */
  register(workerId: string): Promise<void>;
  /** Gives back what this process's workers still hold, as if they had not begun it, and ends the sign of life. */
  leave(): Promise<void>;
}

const RECONNECT_MS = 500;

// A machine that vanishes leaves its connection open; the server notices after about half a minute instead of two hours.
const NOTICE_LOSS = 'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 4';

/** Takes this process's lock on a connection of its own, and takes it again when the connection is lost. */
export async function announce(deps: TakeoverDeps): Promise<Presence> {
  const key = randomBytes(8).readBigInt64BE().toString();
  const workers = new Set<string>();
  const state = { leaving: false, client: await holdLock(deps, key) };
  const watch = () => state.client.once('end', () => void renew());
  const renew = async (): Promise<void> => {
    if (state.leaving) return;
    try {
      state.client = await holdLock(deps, key);
      watch();
      await remember(deps.pool, key, [...workers]); // others may have taken us for dead
    } catch (err) {
      deps.log.warn({ err }, 'The lock that says this process lives is not held; trying again');
      setTimeout(() => void renew(), RECONNECT_MS).unref();
    }
  };
  watch();
  return {
    async register(workerId) {
      workers.add(workerId);
      await remember(deps.pool, key, [workerId]);
    },
    async leave() {
      state.leaving = true;
      await giveBack(deps.pool, [...workers]);
      await state.client.end();
    },
  };
}

async function holdLock(deps: TakeoverDeps, key: string): Promise<pg.Client> {
  const client = new pg.Client({ ...deps.connection, keepAlive: true });
  client.on('error', () => {}); // its end is what counts
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

/** Work that was interrupted on purpose does not count as an attempt. */
async function giveBack(pool: pg.Pool, workerIds: readonly string[]): Promise<void> {
  await pool.query('update graphile_worker._private_jobs set attempts = attempts - 1 where locked_by = any($1)', [
    workerIds,
  ]);
  await pool.query('select graphile_worker.force_unlock_workers($1)', [workerIds]);
  await pool.query('delete from worker_processes where worker_id = any($1)', [workerIds]);
}

/** Gives back the jobs of every process that is gone. A job whose last attempt was killed gets one more, half a minute
 *  later: being killed is no failure, but one that kills its process must not do so without a pause.
 *  @returns the workers whose process is gone */
export async function takeOver(deps: Pick<Deps, 'pool' | 'log'>): Promise<string[]> {
  const client = await deps.pool.connect();
  try {
    await client.query('begin');
    const dead = await lockDead(client);
    if (dead.length > 0) await unlock(client, dead);
    await client.query('commit');
    if (dead.length > 0) deps.log.info({ workers: dead }, 'Took over the jobs of a process that is gone');
    return dead;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

/** A lock that we can take belongs to nobody alive; ours until the commit, so that no other sweep does the same. */
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
