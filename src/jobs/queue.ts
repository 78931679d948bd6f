import type pg from 'pg';
import { makeWorkerUtils, type TaskSpec } from 'graphile-worker';
import type { Db } from '../kit/db.ts';
import type { Log } from '../kit/log.ts';
import { jobKinds, type JobName, type PayloadOf } from './kinds.ts';
import { graphileLogger } from './logger.ts';

/** Options for queuing a job. */
export interface JobOptions {
  /** Earliest start; now by default. */
  readonly runAt?: Date;
  /** The transaction to use: a job that it adds exists if and only if it commits. */
  readonly within?: Db;
}

/** Queues jobs as rows of the same database, so they survive any crash. */
export interface Queue {
  /** Queues a job as defined by its kind. Replaces a waiting job with the same key. */
  add<Name extends JobName>(name: Name, payload: PayloadOf<Name>, options?: JobOptions): Promise<void>;
  /** Removes the waiting job with the same key; a running one continues. */
  remove<Name extends JobName>(name: Name, payload: PayloadOf<Name>): Promise<void>;
  /** Returns the payloads whose job is waiting, running or due for a retry. */
  pending<Name extends JobName>(
    name: Name,
    payloads: readonly PayloadOf<Name>[],
    options?: Pick<JobOptions, 'within'>,
  ): Promise<PayloadOf<Name>[]>;
}

/** A queue on this database, with a method to release its connections. */
export interface OpenQueue extends Queue {
  release(): Promise<void>;
}

/** Returns the queue settings of a job.
 *  @throws {z.ZodError} when the payload is invalid for the kind */
export function specOf<Name extends JobName>(
  name: Name,
  payload: PayloadOf<Name>,
): Pick<TaskSpec, 'jobKey' | 'queueName' | 'flags' | 'maxAttempts'> {
  const { payload: schema, key, queueName, flag, maxAttempts } = jobKinds[name];
  const checked = schema.parse(payload);
  return {
    ...(key && { jobKey: key(checked) }),
    ...(queueName && { queueName: queueName(checked) }),
    ...(flag && { flags: [flag(checked)] }),
    ...(maxAttempts !== undefined && { maxAttempts }),
  };
}

/** Opens the queue and first migrates graphile-worker's own schema (safe when several processes start at once). */
export async function openQueue(pool: pg.Pool, log: Log): Promise<OpenQueue> {
  // A connection pooler in transaction mode may not support prepared statements.
  const utils = await makeWorkerUtils({ pgPool: pool, logger: graphileLogger(log), noPreparedStatements: true });
  return {
    async add(name, payload, { within, runAt } = {}) {
      const { queueName, maxAttempts, jobKey, flags } = specOf(name, payload);
      const values = [name, JSON.stringify(payload), queueName, runAt?.toISOString(), maxAttempts, jobKey, flags].map(
        (value) => value ?? null,
      );
      const query = within
        ? () => within.$queryRawUnsafe<AddedJob[]>(addJob, ...values)
        : async () => (await pool.query<AddedJob>(addJob, values)).rows;
      await untilAdded(query);
    },
    async remove(name, payload) {
      const { jobKey } = specOf(name, payload);
      await pool.query('/* remove */ select graphile_worker.remove_job($1)', [jobKey]);
    },
    async pending(name, payloads, { within } = {}) {
      const keys = payloads.map((payload) => specOf(name, payload).jobKey);
      const rows = within
        ? await within.$queryRawUnsafe<PendingJob[]>(pendingJobs, keys)
        : (await pool.query<PendingJob>(pendingJobs, [keys])).rows;
      const found = new Set(rows.map(({ key }) => key));
      return payloads.filter((_payload, index) => found.has(keys[index] ?? ''));
    },
    release: async () => utils.release(),
  };
}

const addJob = `/* addJob */ SELECT id FROM graphile_worker.add_job($1, payload := $2::json, queue_name := $3,
  run_at := $4::timestamptz, max_attempts := $5::int, job_key := $6, flags := $7::text[])`;

interface AddedJob {
  readonly id: unknown;
}

const pendingJobs = `/* pending */ SELECT key FROM graphile_worker.jobs
  WHERE key = ANY($1::text[]) AND (attempts < max_attempts OR locked_at IS NOT NULL)`;

interface PendingJob {
  readonly key: string;
}

/** Adds a job. graphile-worker adds none, and returns null, if a worker starts the job with the same key at this moment: its second
 *  attempt sees that the other job is running. */
async function untilAdded(query: () => Promise<readonly AddedJob[]>): Promise<void> {
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    const [added] = await query();
    if (typeof added?.id === 'string' || typeof added?.id === 'bigint') return;
  }
  throw new Error('The queue did not accept the job: workers kept starting jobs with its key');
}
