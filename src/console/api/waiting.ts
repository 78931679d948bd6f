import { useSyncExternalStore } from 'react';
import { Refusal } from './refusal.ts';

// Requests above a rate limit wait for as long as the server says and are then repeated once.

/** Seconds to wait if the server does not say. */
const usualWait = 10;

let until: number | null = null;
const listeners = new Set<() => void>();

function change(next: number | null): void {
  until = next;
  for (const listen of listeners) listen();
}

/** Waits after a call exceeded the rate limit. Concurrent waits are shown as one, until the last ends. */
export async function waitAfter({ retryAfter }: Refusal): Promise<void> {
  const ms = (retryAfter ?? usualWait) * 1000;
  change(Math.max(until ?? 0, Date.now() + ms));
  await new Promise((resolve) => setTimeout(resolve, ms));
  if (until !== null && Date.now() >= until - 50) change(null);
}

/** Whether a call exceeded the rate limit, so that it can be repeated after a wait. */
export function isLimit(refusal: Refusal): boolean {
  return refusal.code === 'RATE_LIMITED';
}

/** Repeats a call once, after the wait, if it exceeds the rate limit. */
export async function patiently<Value>(call: () => Promise<Value>): Promise<Value> {
  try {
    return await call();
  } catch (thrown) {
    if (!(thrown instanceof Refusal) || !isLimit(thrown)) throw thrown;
    await waitAfter(thrown);
    return call();
  }
}

function subscribe(listen: () => void): () => void {
  listeners.add(listen);
  return () => listeners.delete(listen);
}

/** When requests above the rate limit are repeated, in ms since the epoch; null while none waits. */
export function waitsUntil(): number | null {
  return until;
}

/** Returns `waitsUntil`, and re-renders on changes. */
export function useWait(): number | null {
  return useSyncExternalStore(subscribe, waitsUntil);
}
