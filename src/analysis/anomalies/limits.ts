/** Between which costs a day was expected; NaN where it was not judged. */
export interface Limits {
  /** How far down ordinary days reach. Falls are never told, so that nothing follows from a cost below it. */
  readonly low: number;
  /** From it on a day is too high, unless that repeats what was before or returns to it. */
  readonly high: number;
}

/** Of a day that was not judged. */
export const unknownLimits: Limits = { low: NaN, high: NaN };

/** The limits of a day around what was expected of it.
 *  @param spread money that ordinary days stand out by, as far as the sensitivity reaches
 *  @param excess money beyond the expectation from which on the day is too high */
export function limitsAround(
  expected: number,
  { spread, excess }: { readonly spread: number; readonly excess: number },
): Limits {
  const low = expected - Math.max(0, spread);
  // Usage costs nothing at the least, unless less than that was expected of it.
  return { low: Math.max(Math.min(0, expected), low), high: expected + excess };
}
