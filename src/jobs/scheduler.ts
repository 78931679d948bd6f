import { EventEmitter } from 'node:events';
import { run } from 'graphile-worker';
import type { Runner, WorkerEvents } from 'graphile-worker';
import type { Deps } from '../kit/deps.ts';
import { graphileLogger } from './logger.ts';
import { retrying } from './outages.ts';
import { correctSchedule, schedule } from './schedule.ts';

/** How far the clock may go back without a restart, in milliseconds. */
const TOLERATED_MS = 60_000;

/** Queues the recurring jobs, apart from the workers, so that a restart interrupts no job. graphile-worker waits for the next minute
 *  of a clock that was ahead, even after its correction; it is restarted then. */
export async function startScheduler(deps: Deps): Promise<Pick<Runner, 'stop' | 'kill' | 'promise'>> {
  const events: WorkerEvents = new EventEmitter();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let isRestarting = false;
  const start = async () => {
    const runner = await startCron(deps, events);
    runner.promise.then(() => isRestarting || resolve(), reject);
    return runner;
  };
  const restart = async (runner: Runner) => {
    deps.log.warn('The clock of the server went back; its recurring jobs continue');
    await runner.stop();
    await correctSchedule(deps).catch((err: unknown) =>
      deps.log.warn({ err }, 'The recurring jobs could not be checked'),
    );
    const next = await start();
    isRestarting = false;
    return next;
  };
  let current = start();
  events.on('cron:prematureTimer', ({ expectedTimestamp, currentTimestamp }) => {
    if (isRestarting || expectedTimestamp - currentTimestamp <= TOLERATED_MS) return;
    isRestarting = true;
    current = current.then(restart);
    current.catch(reject);
  });
  await current;
  return {
    promise,
    stop: async () => (await current).stop(),
    kill: async () => (await current).kill(),
  };
}

/** A runner without workers. */
function startCron({ pool, log, config }: Deps, events: WorkerEvents): Promise<Runner> {
  return run({
    pgPool: retrying(pool),
    concurrency: 0,
    noHandleSignals: true,
    logger: graphileLogger(log),
    parsedCronItems: schedule(config),
    taskList: {},
    events,
  });
}
