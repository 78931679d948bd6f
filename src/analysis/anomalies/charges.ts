import type { ChargeKey } from '../series/calendar.ts';
import { median } from '../series/stats.ts';
import type { History } from './history.ts';

const reachDays = 130;
const occurrences = 4;
const leastSigmas = 2;
const leastPart = 0.1;

/** Money that comes at a day's position in the month. */
export interface MonthlyCharge {
  /** Known: it came in two of the last four months. */
  readonly known: number;
  /** The highest that came, on one day alone, the last time at one of its positions, known or not. */
  readonly seen: number;
}

/** What monthly charges earlier months had at the positions that a day has in its month.
 *  @param sigma spread of ordinary days, as a part of the level */
export function chargeOn(history: History, at: number, sigma: number): MonthlyCharge {
  const least = Math.max(leastSigmas * sigma, leastPart);
  const keys = history.days[at]?.keys ?? [];
  let known = 0;
  let seen = 0;
  for (const key of keys) {
    const earlier = occurrencesOf(history, at, { key, least });
    const large = earlier.filter(({ isLarge }) => isLarge);
    const own = large.filter(({ day }) => !isOfAnother(history, at, { day, rate: large.length, keys, least }));
    if (own.length >= 2) known = Math.max(known, median(own.map(({ excess }) => excess)));
    const [latest] = earlier;
    if (latest?.isLarge === true && isAlone(history, latest)) seen = Math.max(seen, latest.excess);
  }
  return { known, seen };
}

interface Occurrence {
  readonly day: number;
  readonly excess: number;
  readonly isLarge: boolean;
}

/** The last four days at a position in the month, newest first. Days without a known cost tell nothing. */
function occurrencesOf(history: History, at: number, { key, least }: { key: ChargeKey; least: number }): Occurrence[] {
  const found: Occurrence[] = [];
  for (let day = at - 1; day >= Math.max(0, at - reachDays) && found.length < occurrences; day -= 1) {
    if (history.days[day]?.keys.includes(key) !== true) continue;
    const { excess, base } = isolatedExcess(history, day);
    if (!Number.isNaN(excess)) found.push({ day, excess, isLarge: excess > base * least });
  }
  return found;
}

/** True when a charge came at a position that the day asked for does not have, and comes there more often: one of every first
 *  of the month was on the first business day too in most months, and does not come again on that. */
function isOfAnother(
  history: History,
  at: number,
  { day, rate, keys, least }: { day: number; rate: number; keys: readonly ChargeKey[]; least: number },
): boolean {
  const others = history.days[day]?.keys.filter((key) => !keys.includes(key)) ?? [];
  return others.some((key) => occurrencesOf(history, at, { key, least }).filter((each) => each.isLarge).length > rate);
}

/** True when neither day beside it exceeded its expectation half as much: spikes go on for days, charges do not. */
function isAlone({ costs, base }: History, { day, excess }: Occurrence): boolean {
  return [day - 1, day + 1].every((at) => !((costs[at] ?? NaN) - (base[at] ?? NaN) > excess / 2));
}

/** What a day exceeds its expectation without charges by, more than the days around it do: in a step every day is too high,
 *  in a drop too low, and neither makes or hides a charge. Of days on which nothing was expected yet, what the days around
 *  them cost was. */
function isolatedExcess({ costs, base }: History, day: number): { excess: number; base: number } {
  const judged = base[day] ?? NaN;
  const level = Number.isNaN(judged)
    ? median(costs.slice(Math.max(0, day - 7), Math.min(base.length, day + 8)))
    : judged;
  const excessOf = (at: number) => (costs[at] ?? NaN) - (Number.isNaN(judged) ? level : (base[at] ?? NaN));
  const around = [-3, -2, -1, 1, 2, 3].map((away) => day + away).filter((at) => at < base.length);
  const neighbours = median(around.map(excessOf));
  return { excess: excessOf(day) - (Number.isNaN(neighbours) ? 0 : neighbours), base: level };
}
