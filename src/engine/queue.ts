import { Limiter, type Entry } from '../kit/process/limiter.ts';
import type { Lane } from './engine.ts';
import type { FactSet } from './fact-set.ts';
import { tooBusy } from './failures.ts';

/** Concurrent queries, in total and per caller: each uses every thread of the engine if it can. */
const places = 2;
const placesOfOne = 1;

/** Limits of waiting queries, above which new ones are rejected: in total, per organization and per caller. */
const maxWaiting = 200;
const maxWaitingOfOrganization = 100;
const maxWaitingOfOne = 50;

/** Milliseconds. A job that waited this long goes before requests, so that they cannot starve it; one slot stays reserved for requests. */
const jobPatienceMs = 10_000;

/** The organization and member that request a query; the member is null for a job or for several members. */
type Caller = Pick<FactSet, 'organizationId' | 'userId'>;

/** Fair queue: round-robin between organizations, round-robin between the members of each, and FIFO for each member. A member
 *  uses one slot at a time, so that others never wait for two expensive queries of one. Jobs run one at a time, and leave the
 *  last free slot to requests. */
export class FairQueue {
  readonly #limiter = new Limiter({ limit: places, limitPerOwner: placesOfOne, eligible });

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
  async enter({ organizationId, userId }: Caller, lane: Lane, signal: AbortSignal | undefined): Promise<() => void> {
    signal?.throwIfAborted();
    const entry = { group: organizationId, owner: userId ?? lane, lane };
    const ofAll = this.#limiter.waiting.filter((one) => one.group === entry.group && one.lane === lane);
    const own = ofAll.filter(({ owner }) => owner === entry.owner);
    if (this.waiting >= maxWaiting || ofAll.length >= maxWaitingOfOrganization || own.length >= maxWaitingOfOne)
      throw tooBusy();
    return this.#limiter.acquire({ ...entry, ...(signal && { signal }) });
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
