import { setImmediate } from 'node:timers/promises';

/** Time for which all long work together may keep other requests waiting, in milliseconds. */
const turnMs = 20;

/** When long work began in this turn of the event loop; null before it. */
let since: number | null = null;

/** Call between the steps of long work: yields to the event loop when the long work of all requests has taken 20 ms.
 *  @param signal stops the work when it is aborted */
export async function nextTurn(signal?: AbortSignal): Promise<void> {
  if (since === null) {
    since = performance.now();
    void setImmediate().then(() => (since = null));
  }
  if (performance.now() - since < turnMs) return;
  await setImmediate(undefined, { signal });
}
