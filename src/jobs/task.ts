import type { Deps } from '../kit/deps.ts';
import { jobKinds, type JobName, type Lane, type PayloadOf } from './kinds.ts';

/** One run of a job. */
export interface Job {
  readonly id: string;
  /** Starts at 1. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** When the job was due. Use it as `now`, so that a late run has the same result. */
  readonly runAt: Date;
  /** Aborted when the process stops. A job that throws after that has not failed: it runs again elsewhere. */
  readonly signal: AbortSignal;
}

/** Runs the jobs of one kind. */
export interface Task {
  readonly name: string;
  readonly lane: Lane;
  /** @throws {Error} when the payload is invalid, or the work fails */
  handle(deps: Deps, payload: unknown, job: Job): Promise<void>;
}

/** The task of each kind of job. */
export type Handlers = {
  readonly [Name in JobName]: (deps: Deps, payload: PayloadOf<Name>, job: Job) => Promise<void>;
};

/** Defines the task of a job kind. It validates the payload before it runs. */
export function defineTask<Name extends JobName>(name: Name, run: Handlers[Name]): Task {
  const { lane, payload: schema } = jobKinds[name];
  return { name, lane, handle: async (deps, payload, job) => run(deps, schema.parse(payload), job) };
}

/** Defines the tasks of all job kinds. */
export function tasksOf(handlers: Handlers): Task[] {
  return (Object.keys(handlers) as JobName[]).map((name) => defineTask(name, handlers[name]));
}
