import type { z } from 'zod';
import type { Deps } from '../kit/deps.ts';

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

/** Which jobs a job may hold up: those of its own lane. What waits for servers of others has a lane of its own, so that one
 *  which does not answer keeps neither figures nor other messages waiting. */
export type Lane = 'main' | 'sync' | 'mail' | 'chat';

/** A kind of job, as the worker sees it. */
export interface Task {
  readonly name: string;
  readonly lane: Lane;
  /** @throws {Error} when the payload is not what the task takes, or the work fails */
  handle(deps: Deps, payload: unknown, job: Job): Promise<void>;
}

interface Definition<Input> {
  readonly name: string;
  /** `main` by default. */
  readonly lane?: Lane;
  /** What its payload holds: ids, not rows. */
  readonly input: z.ZodType<Input>;
  run(deps: Deps, input: Input, job: Job): Promise<void>;
}

/** Makes a task whose payload is checked before it runs. */
export function defineTask<Input>({ name, lane = 'main', input, run }: Definition<Input>): Task {
  return { name, lane, handle: (deps, payload, job) => run(deps, input.parse(payload), job) };
}
