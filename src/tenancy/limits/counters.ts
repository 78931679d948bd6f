import type { Clock } from '../../kit/time/clock.ts';

/** Length of a window from its first request, in milliseconds. */
export const windowMs = 60_000;

/** A count after adding to it. */
export interface Count {
  /** Requests in the window so far, including this one. */
  readonly count: number;
  /** End of the window, in milliseconds since the epoch. */
  readonly resetAtMs: number;
  /** Time until the end of the window, in milliseconds. */
  readonly leftMs: number;
}

/** Storage of request counts. Adding and reading must be one atomic step, otherwise parallel requests could exceed a
 *  limit: a map for one process, Redis for several servers (see redis-counters.ts). */
export interface Counters {
  /** @param weight requests to add; 0 only reads */
  add(key: string, weight: number): Promise<Count>;
  /** Whether limits apply per server although they should be shared by several. */
  isDegraded?(): boolean;
}

/** Counts in this process, which can also take over counts from elsewhere. */
export interface ProcessCounters extends Counters {
  /** Continues from a count made elsewhere. */
  learn(key: string, count: Count): void;
}

/** Whether a window is open. One that ends more than a window's length from now began before the clock was set back. */
function isOpen(resetAtMs: number, nowMs: number): boolean {
  return resetAtMs > nowMs && resetAtMs <= nowMs + windowMs;
}

/** Creates counters in this process. Expired windows are removed once per window, so that inactive callers do not
 *  use memory. */
export function processCounters(clock: Clock): ProcessCounters {
  const windows = new Map<string, { count: number; resetAtMs: number }>();
  let nextSweepMs = 0;

  const sweep = (nowMs: number): void => {
    if (isOpen(nextSweepMs, nowMs)) return;
    nextSweepMs = nowMs + windowMs;
    for (const [key, window] of windows) if (!isOpen(window.resetAtMs, nowMs)) windows.delete(key);
  };

  return {
    // Contains no await, so it is atomic within the process.
    async add(key, weight) {
      const nowMs = clock.now().getTime();
      sweep(nowMs);
      const open = windows.get(key);
      const window = open && isOpen(open.resetAtMs, nowMs) ? open : { count: 0, resetAtMs: nowMs + windowMs };
      window.count += weight;
      if (window.count > 0) windows.set(key, window);
      return { count: window.count, resetAtMs: window.resetAtMs, leftMs: window.resetAtMs - nowMs };
    },
    learn(key, { count, leftMs }) {
      const nowMs = clock.now().getTime();
      sweep(nowMs);
      windows.set(key, { count, resetAtMs: nowMs + leftMs });
    },
  };
}
