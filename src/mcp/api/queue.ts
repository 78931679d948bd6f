/** Lets so many at a time do something; the others wait for their turn. */
export interface Queue {
  /** Waits for a turn.
   *  @returns ends it
   *  @throws the signal's reason, when it is aborted before */
  turn(signal: AbortSignal): Promise<() => void>;
}

/** @param atOnce how many have a turn at a time */
export function openQueue(atOnce: number): Queue {
  const waiting = new Set<() => void>();
  let free = atOnce;
  const end = () => {
    free += 1;
    const [next] = waiting;
    next?.();
  };
  return {
    async turn(signal) {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<() => void>();
      const start = () => {
        waiting.delete(start);
        signal.removeEventListener('abort', leave);
        free -= 1;
        resolve(end);
      };
      const leave = () => {
        waiting.delete(start);
        reject(signal.reason as Error);
      };
      if (free > 0) start();
      else {
        waiting.add(start);
        signal.addEventListener('abort', leave, { once: true });
      }
      return promise;
    },
  };
}
