import { useEffect } from 'react';
import type { Answer } from '../api/use-answer.ts';

/** Asks again every so often while there is something to wait for; never before the last answer has come, and not while
 *  nobody looks. */
export function usePolling<Data>(of: Answer<Data>, isWaiting: (data: Data) => boolean, everyMs: number): void {
  const waits = of.data !== null && isWaiting(of.data);
  const { isStale, again } = of;
  useEffect(() => {
    if (!waits || isStale) return undefined;
    const timer = setTimeout(() => {
      if (document.visibilityState === 'visible') again();
      else document.addEventListener('visibilitychange', again, { once: true });
    }, everyMs);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', again);
    };
  }, [waits, isStale, again, everyMs]);
}
