import type { Lane } from './engine.ts';
import { tooBusy } from './failures.ts';

/** Queries that run at the same time: each uses every thread of the engine where it can. */
const places = 2;

/** Waiting queries, beyond which new ones are refused: of all organizations, and of one. */
const maxWaiting = 100;
const maxWaitingOfOne = 50;

/** After so long a job goes before requests, so that these cannot starve it; one place stays theirs. */
const jobPatienceMs = 10_000;

interface Waiting {
  readonly organizationId: string;
  readonly since: number;
  start(): void;
}

/** A fair queue: round-robin between organizations, first in first out within one. Jobs run one at a time, and leave the last
 *  free place to requests. */
export class FairQueue {
  readonly #waiting: Record<Lane, Waiting[]> = { request: [], job: [] };
  readonly #running: Record<Lane, number> = { request: 0, job: 0 };
  /** Number of the last start of each organization that waits. */
  readonly #lastStart = new Map<string, number>();
  #starts = 0;

  /** How many queries wait. */
  get waiting(): number {
    return this.#waiting.request.length + this.#waiting.job.length;
  }

  /** How many queries run. */
  get running(): number {
    return this.#running.request + this.#running.job;
  }

  /** Waits for a place.
   *  @returns gives the place back
   *  @throws {AppError} SERVICE_UNAVAILABLE when too many queries wait; the signal's reason when it is aborted */
  async enter(organizationId: string, lane: Lane, signal: AbortSignal | undefined): Promise<() => void> {
    signal?.throwIfAborted();
    const own = this.#waiting[lane].filter((one) => one.organizationId === organizationId);
    if (this.waiting >= maxWaiting || own.length >= maxWaitingOfOne) throw tooBusy();
    await new Promise<void>((resolve, reject) => {
      const abort = () => {
        this.#waiting[lane] = this.#waiting[lane].filter((one) => one !== waiting);
        reject(signal?.reason as Error);
      };
      const start = () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const waiting: Waiting = { organizationId, since: performance.now(), start };
      signal?.addEventListener('abort', abort, { once: true });
      this.#waiting[lane].push(waiting);
      this.#dispatch();
    });
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#running[lane] -= 1;
      this.#dispatch();
    };
  }

  #dispatch(): void {
    for (let lane = this.#nextLane(); lane; lane = this.#nextLane()) {
      const next = this.#nextOf(lane);
      this.#running[lane] += 1;
      this.#lastStart.set(next.organizationId, ++this.#starts);
      next.start();
    }
    if (this.waiting + this.running === 0) this.#lastStart.clear();
  }

  #nextLane(): Lane | null {
    const free = places - this.running;
    if (free === 0) return null;
    const [job] = this.#waiting.job;
    const mayRunJob = job !== undefined && this.#running.job < places - 1;
    if (mayRunJob && performance.now() - job.since > jobPatienceMs) return 'job';
    if (this.#waiting.request.length > 0) return 'request';
    return mayRunJob && free > 1 ? 'job' : null;
  }

  /** The longest waiting query of the organization whose last start is the longest ago. */
  #nextOf(lane: Lane): Waiting {
    const list = this.#waiting[lane];
    const lastStart = (one: Waiting) => this.#lastStart.get(one.organizationId) ?? 0;
    const next = list.reduce((best, one) => (lastStart(one) < lastStart(best) ? one : best));
    this.#waiting[lane] = list.filter((one) => one !== next);
    return next;
  }
}
