import { setTimeout as sleep } from 'node:timers/promises';
import { TryLater } from './faults.ts';

/** What is known of a failed attempt that may succeed later. */
export interface Advice {
  /** What happened, for the account's owner: `Azure limits the request rate (429)`. */
  readonly reason: string;
  /** What the provider's own header says to wait, in ms; null where it says nothing. */
  readonly waitMs: number | null;
}

const attempts = 5;
const longestWaitMs = 20_000;

/** Tries again what failed for now: after the wait that the provider names, else after one that doubles, less a random part,
 *  so that many clients do not come back together. A longer wait is not slept through: a sync that waits keeps others waiting.
 *  @param advise null of an error that another attempt would meet again
 *  @throws {TryLater} when the last attempt failed too, or the provider asks for a long wait; and what `work` throws otherwise */
export async function withRetries<T>(
  signal: AbortSignal,
  work: () => Promise<T>,
  advise: (error: unknown) => Advice | null,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      const advice = advise(error);
      if (!advice) throw error;
      const { reason, waitMs } = advice;
      const pauseMs = pauseAfter(attempt, waitMs);
      if (pauseMs === null) throw new TryLater(reason, { retryAfterMs: waitMs, cause: error });
      await sleep(pauseMs, undefined, { signal });
    }
  }
}

/** Ms to wait when so many attempts failed; null when there is no other: after five, or when the provider's wait is long. */
export function pauseAfter(failed: number, askedMs: number | null, firstMs = 500): number | null {
  if (failed >= attempts || (askedMs ?? 0) > longestWaitMs) return null;
  return askedMs ?? Math.min(longestWaitMs, firstMs * 2 ** (failed - 1)) * (0.5 + Math.random() / 2);
}

/** The wait that a `Retry-After` header names (RFC 9110 section 10.2.3): seconds, or an HTTP date.
 *  @returns ms, null when there is none or it cannot be read */
export function retryAfterMs(header: string | null | undefined, now: number): number | null {
  if (!header) return null;
  if (/^\d+(\.\d+)?$/.test(header.trim())) return Math.round(Number(header) * 1000);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
