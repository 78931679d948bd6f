import type { History } from './history.ts';

/** A weekday with less than this part of the level says nothing of the level. */
export const leastFactor = 0.05;

/** Which days of the past: from one number up to, and without, another. */
export interface Span {
  readonly from: number;
  /** All to the newest where left out. */
  readonly to?: number;
}

/** Days without their weekday's factor; NaN where the weekday says nothing. */
export function adjusted({ clean, days }: History, factors: readonly number[], { from, to }: Span): number[] {
  const start = Math.max(0, from);
  return clean.slice(start, Math.max(start, to ?? clean.length)).map((cost, index) => {
    const factor = factors[days[start + index]?.weekday ?? 0] ?? 1;
    return factor < leastFactor ? NaN : cost / factor;
  });
}

/** As `adjusted`, but NaN where a day cost far less than was expected: a drop says nothing of what came before or after it. */
export function adjustedWithoutDrops(history: History, factors: readonly number[], span: Span): number[] {
  const start = Math.max(0, span.from);
  return adjusted(history, factors, span).map((value, index) => (isLow(history, start + index) ? NaN : value));
}

/** A day is low when it costs less than this part of what was expected. */
const lowPart = 0.85;

/** True on a day that cost far less than was expected, and from which the baseline learns. */
function isLow({ clean, base }: History, day: number): boolean {
  return (clean[day] ?? NaN) < lowPart * (base[day] ?? NaN);
}
