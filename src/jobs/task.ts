import type { Deps } from '../kit/deps.ts';
import { jobKinds, type JobName, type Lane, type PayloadOf } from './kinds.ts';

/** The run of a job. */
export interface Job {
  readonly id: string;
  /** 1 for the first. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** When it was due: the `now` of what it decides, so that a late run decides the same. */
  readonly runAt: Date;
  /** Aborted when the process stops. A job that throws then is no failure: it runs again elsewhere. */
  readonly signal: AbortSignal;
}

/** Performs the jobs of one kind. */
export interface Task {
  readonly name: string;
  readonly lane: Lane;
  /** @throws {Error} when the payload is not what the task takes, or the work fails */
  handle(deps: Deps, payload: unknown, job: Job): Promise<void>;
}

/** Makes the task of a kind of job. The payload is checked before it runs. */
export function defineTask<Name extends JobName>(
  name: Name,
  run: (deps: Deps, payload: PayloadOf<Name>, job: Job) => Promise<void>,
): Task {
  const { lane, payload: schema } = jobKinds[name];
  return { name, lane, handle: (deps, payload, job) => run(deps, schema.parse(payload), job) };
}
