import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { isDatabaseAway } from '../kit/database/away.ts';
import { exhaustedBy } from '../kit/errors/exhausted.ts';
import type { Deps } from '../kit/deps.ts';
import type { Job } from './task.ts';

// Only after some errors does graphile-worker retry a statement that records the outcome of a job; any other error is uncaught and
// would end the process. So the handler of a job waits for the end of an outage, and errors of one that begins later get a
// retried code.

/** Retry interval while the database is unreachable, in milliseconds. */
const RETRY_MS = 250;
/** Maximum attempts counted for a job after an outage, so that it runs again at most e² ≈ 7 s after the outage. */
const OUTAGE_ATTEMPTS = 2;
/** PostgreSQL's code for "cannot connect now", which graphile-worker retries for about three hours. */
const RETRIED_CODE = '57P03';

/** Returns a pool for graphile-worker, which retries its statements if they fail because of an outage. */
export function retrying(pool: pg.Pool): pg.Pool {
  const connect = async () => {
    const client = await pool.connect().catch(asRetried);
    const query = (statement: pg.QueryConfig, values?: unknown[]) => client.query(statement, values).catch(asRetried);
    return withMethod(client, 'query', query);
  };
  // With a callback, it waits for notifications, and retries by itself.
  return withMethod(pool, 'connect', (callback?: Parameters<pg.Pool['connect']>[0]) =>
    callback ? pool.connect(callback) : connect(),
  );
}

function asRetried(error: unknown): never {
  if (!isOutage(error)) throw error;
  throw Object.assign(new Error((error as Error).message, { cause: error }), { code: RETRIED_CODE });
}

/** Returns a proxy of an object that replaces one of its methods. */
function withMethod<Target extends object>(target: Target, name: keyof Target, method: unknown): Target {
  return new Proxy(target, {
    get(_target, key) {
      const value: unknown = key === name ? method : Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Waits while the database is unreachable. */
export async function untilReachable({ pool }: Pick<Deps, 'pool'>, signal: AbortSignal): Promise<void> {
  await untilDone(() => pool.query('/* isReachable */ SELECT 1'), signal);
}

/** Whether a job failed because the database was unreachable, or a disk full: not because of the job. */
export function isOutage(error: unknown): boolean {
  return error instanceof Error && (isDatabaseAway(error) || exhaustedBy(error) === 'disk');
}

/** Waits while the database cannot be written to. The outage uses up no attempts: each attempt lengthens the wait before the next
 *  one, so the job could wait for hours after the end of a long outage. */
export async function untilWritable({ pool }: Pick<Deps, 'pool'>, { id, signal }: Job): Promise<void> {
  const sql = `/* untilWritable */ update graphile_worker._private_jobs
    set attempts = least(attempts, ${OUTAGE_ATTEMPTS}, max_attempts - 1) where id = $1`;
  await untilDone(() => pool.query(sql, [id]), signal);
}

async function untilDone(query: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const isDone = await query().then(
      () => true,
      () => false,
    );
    if (isDone) return;
    await sleep(RETRY_MS);
  }
}
