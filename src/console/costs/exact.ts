// Costs come as numbers with 6 decimals. They are added up in whole millionths, so that sums end where the API's do.

/** A cost in millionths. */
export function micros(cost: number): number {
  return Math.round(cost * 1_000_000);
}

/** A cost from millionths. */
export function fromMicros(value: number): number {
  return value / 1_000_000;
}

/** What costs add up to, exactly. */
export function sumOf(costs: Iterable<number>): number {
  let sum = 0;
  for (const cost of costs) sum += micros(cost);
  return fromMicros(sum);
}

/** A part of a whole in percent; null where there is nothing to divide by. */
export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : (part / whole) * 100;
}

/** A change in percent of what was; null where that is nothing. */
export function changeOf(now: number, before: number): number | null {
  return before === 0 ? null : ((now - before) / Math.abs(before)) * 100;
}
