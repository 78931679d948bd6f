import { median } from '../series/stats.ts';
import type { History } from './history.ts';

const reachDays = 100;
const occurrences = 3;
const leastSigmas = 3;
const leastPart = 0.1;

/** Money that comes at a day's position in the month. */
export interface MonthlyCharge {
  /** Known: it came in two of the last three months. */
  readonly known: number;
  /** The highest that came at one of its positions even once. */
  readonly seen: number;
}

/** What monthly charges earlier months had at the positions that a day has in its month.
 *  @param sigma spread of ordinary days, as a part of the level */
export function chargeOn(history: History, at: number, sigma: number): MonthlyCharge {
  const keys = history.days[at]?.keys ?? [];
  let known = 0;
  let seen = 0;
  for (const key of keys) {
    const excesses = earlier(history, at, key).map((day) => isolatedExcess(history, day));
    const large = excesses.filter(({ excess, base }) => excess > base * Math.max(leastSigmas * sigma, leastPart));
    const amounts = large.map(({ excess }) => excess);
    if (amounts.length >= 2) known = Math.max(known, median(amounts));
    seen = Math.max(seen, ...amounts);
  }
  return { known, seen };
}

/** The last three days at a position, of 100 days. */
function earlier({ days }: History, at: number, key: string): number[] {
  const found: number[] = [];
  for (let day = at - 1; day >= Math.max(0, at - reachDays) && found.length < occurrences; day -= 1) {
    if (days[day]?.keys.some((each) => each === key) === true) found.push(day);
  }
  return found;
}

/** What a day exceeds its expectation without charges by, more than the days around it do: in a step every day is too high,
 *  in a drop too low, and neither makes or hides a charge. */
function isolatedExcess({ costs, base }: History, day: number): { excess: number; base: number } {
  const excessOf = (at: number) => (costs[at] ?? NaN) - (base[at] ?? NaN);
  const around = [-3, -2, -1, 1, 2, 3].map((away) => day + away).filter((at) => at < base.length);
  const neighbours = median(around.map(excessOf));
  return { excess: excessOf(day) - (Number.isNaN(neighbours) ? 0 : neighbours), base: base[day] ?? NaN };
}
