import { EventEmitter } from 'node:events';
import type { RunnerOptions, WorkerEvents } from 'graphile-worker';
import { Limiter } from '../kit/process/limiter.ts';

/** Reserves the last free slot of a lane for a job whose flag differs from those of the running jobs: a job may take hours, and the
 *  next one of another organization must not wait behind all jobs of the first. Workers take their jobs one after another, because
 *  the flags of all running jobs must be known. */
export function fairPlaces(places: number): Pick<RunnerOptions, 'forbiddenFlags' | 'events'> {
  const events: WorkerEvents = new EventEmitter();
  const running = new Map<string, readonly string[]>();
  const turn = new Limiter({ limit: 1 });
  let release = () => {};
  events.on('job:start', ({ job }) => {
    running.set(job.id, Object.keys(job.flags ?? {}));
    release();
  });
  events.on('worker:getJob:empty', () => release());
  events.on('worker:getJob:error', () => release());
  events.on('job:complete', ({ job }) => running.delete(job.id));
  const forbiddenFlags = async () => {
    release = await turn.acquire();
    return running.size < places - 1 ? null : [...new Set([...running.values()].flat())];
  };
  return { events, forbiddenFlags };
}
