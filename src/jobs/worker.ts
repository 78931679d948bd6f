import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from 'graphile-worker';
import pg from 'pg';
import type { JobHelpers, Runner, TaskList, WorkerEvents } from 'graphile-worker';
import { PatientClient } from '../kit/database/silence.ts';
import { AppError } from '../kit/errors/errors.ts';
import type { Deps } from '../kit/deps.ts';
import { inSpan } from '../kit/tracing/spans.ts';
import type { Lane } from './kinds.ts';
import { graphileLogger } from './logger.ts';
import { isOutage, retrying, untilReachable, untilWritable } from './outages.ts';
import { fairPlaces } from './places.ts';
import { correctSchedule } from './schedule.ts';
import { startScheduler } from './scheduler.ts';
import { announce, assignmentOf, takeOver } from './takeover.ts';
import type { Presence } from './takeover.ts';
import type { Job, Task } from './task.ts';

/** A worker that polls for jobs. */
export interface Worker {
  /** Resolves when the worker has been stopped; rejects when it stopped on its own. */
  readonly done: Promise<void>;
  /** Takes no more jobs, gives running ones a few seconds, and releases the rest to run elsewhere. */
  stop(): Promise<void>;
}

const SWEEP_MS = 15_000;
/** Milliseconds after a stop until running jobs are aborted, and until they are abandoned. Container runtimes kill after 10
 *  seconds. */
const ABORT_MS = 2_000;
const LEAVE_MS = 7_000;

/** Starts processing the queue and the schedule of `schedule.ts`. First releases the jobs of killed processes.
 *  @param tasks the job kinds that the worker handles */
export async function startWorker(deps: Deps, tasks: readonly Task[]): Promise<Worker> {
  const presence = await announce(deps);
  await takeOver(deps);
  await correctSchedule(deps);
  const sessions = openSessions(deps);
  const interruptions = countInterruptions();
  const started = new Set<string>();
  const list = tasks.map((task) => ({ task, handle: handler(deps, task, interruptions) }));
  const runners: Pick<Runner, 'stop' | 'kill' | 'promise'>[] = [];
  const stopAll = () => Promise.all(runners.map((runner) => runner.stop()));
  try {
    for (const lane of ['main', 'sync', 'mail', 'chat'] as const) {
      const taskList = Object.fromEntries(
        list.flatMap(({ task, handle }) => (task.lane === lane ? [[task.name, handle]] : [])),
      );
      if (Object.keys(taskList).length === 0) continue;
      runners.push(await startLane({ ...deps, pool: sessions.pool }, lane, taskList, { presence, started }));
    }
    runners.push(await startScheduler({ ...deps, pool: sessions.pool }));
  } catch (error) {
    await stopAll();
    await sessions.close();
    throw error;
  }
  const sweep = setInterval(() => {
    takeOver(deps).catch((err: unknown) => deps.log.warn({ err }, 'The jobs of dead processes could not be checked'));
    presence.releaseLost(started).catch((err: unknown) => deps.log.warn({ err }, 'Lost jobs could not be checked'));
    correctSchedule(deps).catch((err: unknown) => deps.log.warn({ err }, 'The recurring jobs could not be checked'));
  }, SWEEP_MS);
  const stop = async () => {
    clearInterval(sweep);
    const stopped = stopAll().catch((err: unknown) => deps.log.warn({ err }, 'The worker did not stop cleanly'));
    await Promise.race([stopped, interruptions.all, sleep(LEAVE_MS, undefined, { ref: false })]);
    interruptions.leave();
    await presence.leave();
    // Released jobs no longer belong to this worker, so killing it fails none of them.
    await Promise.all(runners.map((runner) => runner.kill().catch(() => {})));
    await sessions.close();
  };
  const done = allOf(runners.map(({ promise }) => promise));
  return { done, stop };
}

/** Returns the pool that workers listen and take jobs with: one without a connection pooler in between. */
function openSessions({ pool, connection, config, log }: Deps): { pool: pg.Pool; close(): Promise<void> } {
  if (config.databaseDirectUrl === null) return { pool, close: async () => {} };
  const own = new pg.Pool({ Client: PatientClient, ...connection, max: workerSessions });
  const lost = (err: Error) => log.debug({ err }, 'A database connection of the worker was lost');
  own.on('error', lost);
  own.on('connect', (client) => void client.on('error', lost));
  return { pool: own, close: () => own.end() };
}

async function allOf(ends: readonly Promise<void>[]): Promise<void> {
  await Promise.all(ends);
}

/** Maximum database connections of a worker: each lane and the schedule listen on one; taking a job and recording its outcome needs
 *  another one for a moment. */
const workerSessions = 10;

/** Concurrent jobs per process outside the main lane. They mostly wait, at next to no cost. */
const laneConcurrency = { mail: 2, chat: 8 } as const;
/** Sync jobs per slot (`loaderSlots`): those without a slot wait for their cloud APIs. One more is for another organization. */
const syncsPerSlot = 4;
/** Polling intervals for due jobs, in milliseconds; new jobs trigger a notification. */
const pollMs = { main: 2_000, sync: 2_000, mail: 5_000, chat: 5_000 } as const;

interface Watch {
  readonly presence: Presence;
  /** The assignments of jobs that this process has started. */
  readonly started: Set<string>;
}

function startLane(deps: Deps, lane: Lane, taskList: TaskList, { presence, started }: Watch): Promise<Runner> {
  const concurrency = concurrencyOf(lane, deps.config);
  const own: WorkerEvents = new EventEmitter();
  const { events = own, ...places } = lane === 'sync' ? fairPlaces(concurrency) : {};
  events.on('job:start', ({ job }) => void started.add(assignmentOf(job)));
  return run({
    pgPool: retrying(deps.pool),
    concurrency,
    pollInterval: pollMs[lane],
    noHandleSignals: true,
    gracefulShutdownAbortTimeout: ABORT_MS,
    logger: graphileLogger(deps.log),
    parsedCronItems: [],
    taskList,
    events,
    ...places,
    preset: { plugins: [registration(presence)] },
  });
}

function concurrencyOf(lane: Lane, { workerConcurrency }: Deps['config']): number {
  if (lane === 'main') return workerConcurrency;
  return lane === 'sync' ? workerConcurrency * syncsPerSlot + 1 : laneConcurrency[lane];
}

/** Records each worker before it takes its first job. */
function registration(presence: Presence): GraphileConfig.Plugin {
  return {
    name: 'CostkeepRegistration',
    version: '1.0.0',
    worker: { hooks: { startWorker: (_context, event) => presence.register(event.worker.workerPool.id) } },
  };
}

interface Interruptions {
  began(): void;
  ended(): void;
  interrupted(): void;
  /** Stops waiting for jobs: from now on the outcome of a job may no longer be recorded, and the library does not await it. */
  leave(): void;
  readonly hasLeft: boolean;
  /** Resolves when every running job has been interrupted. */
  readonly all: Promise<void>;
}

function countInterruptions(): Interruptions {
  let running = 0;
  let interrupted = 0;
  let hasLeft = false;
  const { promise, resolve } = Promise.withResolvers<void>();
  const settle = () => {
    if (interrupted > 0 && interrupted >= running) resolve();
  };
  return {
    began: () => void (running += 1),
    ended() {
      running -= 1;
      settle();
    },
    interrupted() {
      interrupted += 1;
      settle();
    },
    leave: () => void (hasLeft = true),
    get hasLeft() {
      return hasLeft;
    },
    all: promise,
  };
}

function handler(deps: Deps, task: Task, interruptions: Interruptions): NonNullable<TaskList[string]> {
  return async (payload: unknown, helpers: JobHelpers) => {
    const job = describe(helpers);
    const log = deps.log.child({ task: task.name, job: job.id });
    interruptions.began();
    try {
      const fields = { 'costkeep.job': job.id, 'costkeep.attempt': job.attempt };
      const work = () => task.handle({ ...deps, log }, payload, job);
      await inSpan(`job ${task.name}`, fields, work, { entry: 'consumer' });
      await untilReachable(deps, job.signal);
      if (interruptions.hasLeft) return await park(interruptions);
    } catch (error) {
      if (job.signal.aborted) return await park(interruptions);
      logFailure(log, job, error);
      if (isOutage(error)) await untilWritable(deps, job);
      else await untilReachable(deps, job.signal);
      throw error;
    } finally {
      interruptions.ended();
    }
  };
}

/** Keeps an interrupted job locked, neither done nor failed; it is released when the worker leaves. */
async function park(interruptions: Interruptions): Promise<void> {
  interruptions.interrupted();
  await new Promise<void>(() => {});
}

function describe({ job, abortSignal }: JobHelpers): Job {
  const { id, attempts: attempt, max_attempts: maxAttempts, run_at: runAt } = job;
  return { id, attempt, maxAttempts, runAt, signal: abortSignal };
}

/** Logs a failed job; nothing else does. An error meant for the user needs no stack. */
function logFailure(log: Deps['log'], job: Job, error: unknown): void {
  const { attempt, maxAttempts } = job;
  if (error instanceof AppError) log.warn({ attempt, maxAttempts, code: error.code }, `Job failed: ${error.message}`);
  else log.error({ attempt, maxAttempts, err: error }, 'Job failed');
}
