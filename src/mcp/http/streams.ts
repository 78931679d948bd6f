import { openSlots } from '../slots.ts';

/** Streams of notifications stay open until their client leaves, or their time is over. */
export interface Streams {
  /** @param end closes the stream from our side
   *  @returns called when it has ended; null: there are too many */
  open(owner: string, end: () => void): (() => void) | null;
  endAll(): void;
  readonly count: number;
}

/** @param limits how many, how many of one owner, and how long */
export function openStreams(limits: { most: number; mostOfOne: number; maxAgeMs: number }): Streams {
  const slots = openSlots(limits.most, limits.mostOfOne);
  const ends = new Set<() => void>();
  return {
    open(owner, end) {
      const giveBack = slots.take(owner);
      if (!giveBack) return null;
      const timer = setTimeout(end, limits.maxAgeMs);
      ends.add(end);
      return () => {
        clearTimeout(timer);
        ends.delete(end);
        giveBack();
      };
    },
    endAll: () => {
      for (const end of ends) end();
    },
    get count() {
      return slots.taken;
    },
  };
}
