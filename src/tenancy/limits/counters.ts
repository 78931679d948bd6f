import type { Clock } from '../../kit/time/clock.ts';

/** How long a count lasts from its first request, in milliseconds. */
export const windowMs = 60_000;

/** A count, after adding to it. */
export interface Count {
  /** Requests in the window so far, this one included. */
  readonly count: number;
  /** Instant at which the window ends, in milliseconds since the epoch. */
  readonly resetAtMs: number;
  /** How long it is until then, in milliseconds. */
  readonly leftMs: number;
}

/** Where requests are counted. Adding and reading must be one atomic step, or parallel requests slip past a limit:
 *  one process does it in a map, several servers in Redis (see redis-counters.ts). */
export interface Counters {
  /** @param weight requests to add; 0 only looks */
  add(key: string, weight: number): Promise<Count>;
  /** Whether limits hold for this server alone although they should for several. */
  isDegraded?(): boolean;
}

/** Counts of this process, which may also be told what others counted. */
export interface ProcessCounters extends Counters {
  /** Goes on from a count that was made elsewhere. */
  learn(key: string, count: Count): void;
}

/** Counts in this process. Ended windows are swept once a window, so that callers who left cost nothing. */
export function processCounters(clock: Clock): ProcessCounters {
  const windows = new Map<string, { count: number; resetAtMs: number }>();
  let nextSweepMs = 0;

  const sweep = (nowMs: number): void => {
    if (nowMs < nextSweepMs) return;
    nextSweepMs = nowMs + windowMs;
    for (const [key, window] of windows) if (window.resetAtMs <= nowMs) windows.delete(key);
  };

  return {
    // No await inside: between two requests of one process this is atomic.
    async add(key, weight) {
      const nowMs = clock.now().getTime();
      sweep(nowMs);
      const open = windows.get(key);
      const window = open && open.resetAtMs > nowMs ? open : { count: 0, resetAtMs: nowMs + windowMs };
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
