import { Limiter, type Entry } from '../kit/process/limiter.ts';
import type { Lane } from './engine.ts';
import { tooBusy } from './failures.ts';

/** Concurrent queries: each uses every thread of the engine if it can. */
const places = 2;

/** Limits of waiting queries, above which new ones are rejected: in total, and per organization. */
const maxWaiting = 100;
const maxWaitingOfOne = 50;

/** Milliseconds. A job that waited this long goes before requests, so that they cannot starve it; one slot stays theirs. */
const jobPatienceMs = 10_000;

/** Fair queue: round-robin between organizations, FIFO within one. Jobs run one at a time, and leave the last free slot to
 *  requests. */
export class FairQueue {
  readonly #limiter = new Limiter({ limit: places, eligible });

  /** Number of waiting queries. */
  get waiting(): number {
    return this.#limiter.waiting.length;
  }

  /** Number of running queries. */
  get running(): number {
    return this.#limiter.running;
  }

  /** Waits for a slot.
   *  @returns a function that releases the slot
   *  @throws {AppError} SERVICE_UNAVAILABLE when too many queries wait; the signal's reason when aborted */
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
