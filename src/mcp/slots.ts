/** How many may do something at a time, and how many of them may be one and the same's. */
export interface Slots {
  /** Takes a slot for somebody.
   *  @returns gives it back, once whatever it is called more often; null: there is none left */
  take(owner: string): (() => void) | null;
  readonly taken: number;
}

/** Slots, none taken.
 *  @param most at a time
 *  @param mostOfOne of one owner at a time */
export function openSlots(most: number, mostOfOne: number): Slots {
  const owners = new Map<string, number>();
  let taken = 0;
  const giveBack = (owner: string) => {
    const left = (owners.get(owner) ?? 0) - 1;
    if (left > 0) owners.set(owner, left);
    else owners.delete(owner);
    taken -= 1;
  };
  return {
    take(owner) {
      const own = owners.get(owner) ?? 0;
      if (taken >= most || own >= mostOfOne) return null;
      taken += 1;
      owners.set(owner, own + 1);
      let isHeld = true;
      return () => {
        if (isHeld) giveBack(owner);
        isHeld = false;
      };
    },
    get taken() {
      return taken;
    },
  };
}
