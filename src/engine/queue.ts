import { Limiter, type Entry } from '../kit/limiter.ts';
import type { Lane } from './engine.ts';
import { tooBusy } from './failures.ts';

/** Queries that run at the same time: each uses every thread of the engine where it can. */
const places = 2;

/** Waiting queries, beyond which new ones are refused: of all organizations, and of one. */
const maxWaiting = 100;
const maxWaitingOfOne = 50;

/** After so long a job goes before requests, so that these cannot starve it; one place stays theirs. */
const jobPatienceMs = 10_000;

/** A fair queue: round-robin between organizations, first in first out within one. Jobs run one at a time, and leave the last
 *  free place to requests. */
export class FairQueue {
  readonly #limiter = new Limiter({ limit: places, eligible });

  /** How many queries wait. */
  get waiting(): number {
    return this.#limiter.waiting.length;
  }

  /** How many queries run. */
  get running(): number {
    return this.#limiter.running;
  }

  /** Waits for a place.
   *  @returns gives the place back
   *  @throws {AppError} SERVICE_UNAVAILABLE when too many queries wait; the signal's reason when it is aborted */
  async enter(organizationId: string, lane: Lane, signal: AbortSignal | undefined): Promise<() => void> {
    signal?.throwIfAborted();
    const own = this.#limiter.waiting.filter((one) => one.owner === organizationId && one.lane === lane);
    if (this.waiting >= maxWaiting || own.length >= maxWaitingOfOne) throw tooBusy();
    return this.#limiter.acquire({ owner: organizationId, lane, ...(signal && { signal }) });
  }
}

function eligible(waiting: readonly Entry[], running: readonly Entry[]): readonly Entry[] {
  const jobs = waiting.filter(isJob);
  const requests = waiting.filter((one) => !isJob(one));
  const [oldest] = running.some(isJob) ? [] : jobs;
  if (oldest && performance.now() - oldest.since > jobPatienceMs) return jobs;
  if (requests.length > 0) return requests;
  return oldest && running.length === 0 ? jobs : [];
}

function isJob({ lane }: Entry): boolean {
  return lane === ('job' satisfies Lane);
}
