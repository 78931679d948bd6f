import type pg from 'pg';
import { makeWorkerUtils, type TaskSpec } from 'graphile-worker';
import type { Db } from '../kit/db.ts';
import type { Log } from '../kit/log.ts';
import { jobKinds, type JobName, type PayloadOf } from './kinds.ts';
import { graphileLogger } from './logger.ts';

/** When a job is queued. */
export interface JobOptions {
  /** Earliest time; now by default. */
  readonly runAt?: Date;
  /** The transaction of the act that the job follows from: the job exists if, and only if, it commits. */
  readonly within?: Db;
}

/** Hands work to the workers. Jobs are rows of the same database: they survive every crash. */
export interface Queue {
  /** Queues a job, as its kind says. Replaces a waiting one of the same key. */
  add<Name extends JobName>(name: Name, payload: PayloadOf<Name>, options?: JobOptions): Promise<void>;
  /** Removes the waiting job of the same key; a running one is not stopped. */
  remove<Name extends JobName>(name: Name, payload: PayloadOf<Name>): Promise<void>;
  /** Returns those of the payloads whose job is waiting, running or to be retried. */
  pending<Name extends JobName>(name: Name, payloads: readonly PayloadOf<Name>[]): Promise<PayloadOf<Name>[]>;
}

/** A queue on this database, and the way to release its connections. */
export interface OpenQueue extends Queue {
  release(): Promise<void>;
}

/** Returns how a job is queued.
 *  @throws {z.ZodError} when the payload is not what the kind takes */
export function specOf<Name extends JobName>(
  name: Name,
  payload: PayloadOf<Name>,
): Pick<TaskSpec, 'jobKey' | 'queueName' | 'maxAttempts'> {
  const { payload: schema, key, queueName, maxAttempts } = jobKinds[name];
  const checked = schema.parse(payload);
  return {
    ...(key && { jobKey: key(checked) }),
    ...(queueName && { queueName: queueName(checked) }),
    ...(maxAttempts !== undefined && { maxAttempts }),
  };
}

/** Opens the queue, bringing graphile-worker's own schema up to date first (safe when several processes start at once). */
export async function openQueue(pool: pg.Pool, log: Log): Promise<OpenQueue> {
  const utils = await makeWorkerUtils({ pgPool: pool, logger: graphileLogger(log) });
  return {
    async add(name, payload, { within, ...when } = {}) {
      const spec = { ...specOf(name, payload), ...when };
      if (within) await addWithin(within, name, payload, spec);
      else await utils.addJob<string>(name, payload, spec);
    },
    async remove(name, payload) {
      const { jobKey } = specOf(name, payload);
      await pool.query('/* remove */ select graphile_worker.remove_job($1)', [jobKey]);
    },
    async pending(name, payloads) {
      const keys = payloads.map((payload) => specOf(name, payload).jobKey);
      const { rows } = await pool.query<{ key: string }>(
        `/* pending */ select key from graphile_worker.jobs
         where key = any($1) and (attempts < max_attempts or locked_at is not null)`,
        [keys],
      );
      const found = new Set(rows.map(({ key }) => key));
      return payloads.filter((_payload, index) => found.has(keys[index] ?? ''));
    },
    release: async () => utils.release(),
  };
}

async function addWithin(
  db: Db,
  name: JobName,
  payload: PayloadOf<JobName>,
  { jobKey, queueName, runAt, maxAttempts }: TaskSpec,
): Promise<void> {
  await db.$executeRaw`/* addWithin */ SELECT 1 FROM graphile_worker.add_job(
    ${name}, payload := ${JSON.stringify(payload)}::json, queue_name := ${queueName ?? null},
    run_at := ${runAt ?? null}::timestamptz, max_attempts := ${maxAttempts ?? null}::int, job_key := ${jobKey ?? null})`;
}
