import type pg from 'pg';
import { makeWorkerUtils } from 'graphile-worker';
import type { Db } from '../kit/db.ts';
import type { Log } from '../kit/log.ts';
import { graphileLogger } from './logger.ts';

/** How a job is queued. */
export interface JobOptions {
  /** A waiting job of the same key is replaced instead of doubled. */
  jobKey?: string;
  /** Jobs of one queue run one after the other. */
  queueName?: string;
  /** Not before this instant; now by default. */
  runAt?: Date;
  /** 25 by default; the n-th retry waits about e^n seconds, at most 6 hours. */
  maxAttempts?: number;
  /** The transaction of the act that the job follows from: there is a job if, and only when, it commits. */
  within?: Db;
}

/** Hands work to the workers. Jobs are rows of the same database: they survive every crash. */
export interface Queue {
  /** @param task a name of `jobs/tasks.ts`
   *  @param payload ids, not rows: the job reads what is true when it runs */
  add(task: string, payload: Record<string, unknown>, options?: JobOptions): Promise<void>;
  /** Removes a waiting job; a running one is not stopped. */
  remove(jobKey: string): Promise<void>;
  /** Returns those of the keys whose job is waiting, running or to be retried. */
  pending(jobKeys: readonly string[]): Promise<ReadonlySet<string>>;
}

/** A queue on this database, and the way to let its connections go. */
export interface OpenQueue extends Queue {
  release(): Promise<void>;
}

/** Opens the queue, bringing graphile-worker's own schema up to date first (safe when several processes start at once). */
export async function openQueue(pool: pg.Pool, log: Log): Promise<OpenQueue> {
  const utils = await makeWorkerUtils({ pgPool: pool, logger: graphileLogger(log) });
  return {
    async add(task, payload, options = {}) {
      const { within, ...spec } = options;
      if (within) await addWithin(within, task, payload, spec);
      else await utils.addJob(task, payload, spec);
    },
    async remove(jobKey) {
      await utils.withPgClient((client) => client.query('select graphile_worker.remove_job($1)', [jobKey]));
    },
    async pending(jobKeys) {
      const { rows } = await pool.query<{ key: string }>(
        `/* pending */ select key from graphile_worker.jobs
         where key = any($1) and (attempts < max_attempts or locked_at is not null)`,
        [jobKeys],
      );
      return new Set(rows.map(({ key }) => key));
    },
    release: async () => utils.release(),
  };
}

async function addWithin(
  db: Db,
  task: string,
  payload: Record<string, unknown>,
  { jobKey, queueName, runAt, maxAttempts }: Omit<JobOptions, 'within'>,
): Promise<void> {
  await db.$executeRaw`/* addWithin */ SELECT 1 FROM graphile_worker.add_job(
    ${task}, payload := ${JSON.stringify(payload)}::json, queue_name := ${queueName ?? null},
    run_at := ${runAt ?? null}::timestamptz, max_attempts := ${maxAttempts ?? null}::int, job_key := ${jobKey ?? null})`;
}
