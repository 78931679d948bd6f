/** Lets so many at a time do something; the others wait for their turn. */
export interface Queue {
  /** Waits for a turn. Owners take turns in turn, so that who asks much waits for himself.
   *  @returns ends it
   *  @throws the signal's reason, when it is aborted before */
  turn(signal: AbortSignal, owner: string): Promise<() => void>;
}

/** @param atOnce how many have a turn at a time */
export function openQueue(atOnce: number): Queue {
  const line = openLine();
  let free = atOnce;
  const end = () => {
    free += 1;
    line.next()?.();
  };
  return {
    async turn(signal, owner) {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<() => void>();
      const start = () => {
        line.leave(owner, start);
        signal.removeEventListener('abort', leave);
        free -= 1;
        resolve(end);
      };
      const leave = () => {
        line.leave(owner, start);
        reject(signal.reason as Error);
      };
      if (free > 0) start();
      else {
        line.join(owner, start);
        signal.addEventListener('abort', leave, { once: true });
      }
      return promise;
    },
  };
}

type Start = () => void;

/** Who waits: each owner's in the order in which they came, and the owners one after the other. Of who no longer waits
 *  nothing is kept. */
function openLine() {
  const owners = new Map<string, Set<Start>>();
  return {
    join(owner: string, start: Start): void {
      const waiting = owners.get(owner) ?? new Set();
      owners.set(owner, waiting.add(start));
    },
    leave(owner: string, start: Start): void {
      const waiting = owners.get(owner);
      if (waiting?.delete(start) && waiting.size === 0) owners.delete(owner);
    },
    next(): Start | undefined {
      for (const [owner, waiting] of owners) {
        owners.delete(owner);
        owners.set(owner, waiting);
        const [start] = waiting;
        return start;
      }
      return undefined;
    },
  };
}
