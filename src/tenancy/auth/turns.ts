/** Lets acts of one name run one after another, and of all names only so many at once. */
export interface Turns {
  /** Runs the act when its turn has come. What it throws is its caller's alone: the next one runs all the same. */
  take<T>(name: string, act: () => Promise<T>): Promise<T>;
}

/** Makes turns for one process. First come, first served.
 *  @param most acts that run at once, whatever their names */
export function openTurns(most: number): Turns {
  const last = new Map<string, Promise<unknown>>();
  const places = openPlaces(most);
  const next = async <T>(before: Promise<unknown> | undefined, act: () => Promise<T>): Promise<T> => {
    await before?.catch(() => {});
    await places.enter();
    return act().finally(places.leave);
  };
  return {
    async take(name, act) {
      const turn = next(last.get(name), act);
      last.set(name, turn);
      try {
        return await turn;
      } finally {
        if (last.get(name) === turn) last.delete(name);
      }
    },
  };
}

function openPlaces(most: number) {
  let free = most;
  const waiting: (() => void)[] = [];
  return {
    async enter(): Promise<void> {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    },
    leave(): void {
      const first = waiting.shift();
      if (first) first();
      else free += 1;
    },
  };
}
