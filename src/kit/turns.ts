import { setImmediate } from 'node:timers/promises';

/** Time for which long work may keep other requests waiting, in milliseconds. */
const turnMs = 20;

/** Returns a function to call between the steps of long work, which yields to the event loop when they have taken 20 ms.
 *  @param signal stops the work when it is aborted */
export function turns(signal?: AbortSignal): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < turnMs) return;
    await setImmediate(undefined, { signal });
    since = performance.now();
  };
}
