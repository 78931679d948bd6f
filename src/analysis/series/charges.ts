import type { CalendarDay, ChargeKey } from './calendar.ts';
import { median } from './stats.ts';

/** A recurring charge in addition to daily costs. */
export interface Charge {
  readonly key: ChargeKey;
  /** Median of the last three occurrences. */
  readonly amount: number;
}

export interface FoundCharges {
  /** At most one per position. */
  readonly charges: readonly Charge[];
  /** The part of each day's cost that is such a charge, as it was on that day. */
  readonly charged: readonly number[];
}

const mostCharges = 8;
/** Newest occurrences used to determine a charge's position. */
const remembered = 12;
/** Largest ratio of two occurrences, if there are no more of them. */
const alike = 1.25;
/** Factor by which a charge must stand out more if it is not monthly. */
const rareMargin = 2.5;
/** Priority of position kinds: with equal evidence, the day of the month is the likelier rule. */
const kinds = ['d', 'l', 'b', 'e', 'f'];

interface Candidate extends Charge {
  readonly hits: readonly number[];
}

/** Finds charges that recur: positions in the month at which at least two of the last three days stood out, and positions in
 *  the quarter or in two weeks at which all three did. The position that explains most days comes first; days it explains are
 *  not available to others.
 *  @param excess of each day over its level and weekday
 *  @param threshold minimum excess of a day that stands out
 *  @param positions of the same days, see `positionsOf` */
export function findCharges(
  excess: readonly number[],
  threshold: readonly number[],
  positions: Positions,
): FoundCharges {
  const left = [...excess];
  const charged = excess.map(() => 0);
  const charges: Charge[] = [];
  while (charges.length < mostCharges) {
    const found = strongest(positions, left, threshold);
    if (!found) break;
    charges.push({ key: found.key, amount: found.amount });
    for (const at of found.hits) {
      charged[at] = (charged[at] ?? 0) + (left[at] ?? 0);
      left[at] = 0;
    }
  }
  return { charges, charged };
}

/** Sums the charges on a day, by its positions. */
export function chargedOn(day: CalendarDay, charges: readonly Charge[]): number {
  return charges.reduce((sum, { key, amount }) => sum + (day.keys.includes(key) ? amount : 0), 0);
}

/** The indexes of days by their positions, in order. */
export type Positions = ReadonlyMap<ChargeKey, readonly number[]>;

/** Returns the days at each position. */
export function positionsOf(calendar: readonly CalendarDay[]): Positions {
  const positions = new Map<ChargeKey, number[]>();
  for (const [at, { keys }] of calendar.entries())
    for (const key of keys) {
      const days = positions.get(key);
      if (days) days.push(at);
      else positions.set(key, [at]);
    }
  return positions;
}

function strongest(
  positions: Positions,
  excess: readonly number[],
  threshold: readonly number[],
): Candidate | undefined {
  const standsOut = (at: number) => (excess[at] ?? NaN) > (threshold[at] ?? Infinity);
  const hitsOf = (days: readonly number[]) => days.slice(-remembered).filter(standsOut);
  const candidates: Candidate[] = [];
  for (const [key, days] of positions) {
    const last = days.slice(-3);
    const least = isMonthly(key) ? 1 : rareMargin;
    const amounts = last
      .map((at) => excess[at] ?? NaN)
      .filter((amount, at) => amount > least * (threshold[last[at] ?? 0] ?? Infinity));
    if (!isRecurring(key, amounts, last.length)) continue;
    const hits = hitsOf(days);
    // The last occurrence of a monthly charge that has ended fits one position in the quarter.
    if (isQuarterly(key) && hitsOf(positions.get(monthlyOf(key)) ?? []).length >= 2 * hits.length) continue;
    candidates.push({ key, amount: median(last.map((at) => excess[at] ?? NaN)), hits });
  }
  const rank = ({ key }: Candidate) => kinds.indexOf(key.charAt(0)) + (isQuarterly(key) ? kinds.length : 0);
  return candidates.sort((a, b) => b.hits.length - a.hits.length || rank(a) - rank(b) || b.amount - a.amount)[0];
}

/** Returns whether a position recurs. There are many positions in quarters and in two weeks: two of three days fit one of them
 *  by chance too often.
 *  @param amounts of the newest up to three days that stood out
 *  @param days number of these days */
function isRecurring(key: ChargeKey, amounts: readonly number[], days: number): boolean {
  if (amounts.length < 2) return false;
  if (isMonthly(key)) return true;
  if (amounts.length < days) return false;
  return days > 2 || Math.max(...amounts) <= alike * Math.min(...amounts);
}

/** Returns whether a position is one in the month. */
export function isMonthly(key: ChargeKey): boolean {
  return !isQuarterly(key) && !key.startsWith('f');
}

/** Returns whether a position is one in the quarter. */
export function isQuarterly(key: ChargeKey): boolean {
  return key.includes('q');
}

/** Returns the position in the month of a position in the quarter. */
function monthlyOf(key: ChargeKey): ChargeKey {
  return key.slice(0, key.indexOf('q')) as ChargeKey;
}
