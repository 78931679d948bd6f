import { addDays, type Day } from '../../kit/time/period.ts';
import { usageOf, type Adjusted } from '../series/adjust.ts';
import { calendarFrom, numberOf, type DailySeries } from '../series/calendar.ts';
import { median, quantile, rollingMedian } from '../series/stats.ts';

/** A time of the year in which the costs of many businesses differ from those before and after it. */
interface Season {
  readonly days: number;
  /** The first day in a year. */
  readonly firstIn: (year: number) => Day;
}

/** Black Friday, from the Friday before Thanksgiving on, and the turn of the year. Others differ by country and business, and
 *  a single year does not show whether a rise of a few days comes back. */
const seasons: readonly Season[] = [
  { days: 16, firstIn: (year) => addDays(thanksgivingIn(year), -6) },
  { days: 18, firstIn: (year) => `${year}-12-20` as Day },
];

/** Days before and after a season that show the costs without it: the two seasons are 12 to 18 days apart. */
const sideDays = 14;
/** Maximum difference between the sides: otherwise the level changed, and the effect of the season is unknown. */
const mostChange = 0.2;
/** Minimum difference of a day of a season from the usual cost, as a fraction. */
const leastShare = 0.1;
/** Minimum difference of a day of a season from the usual cost, as a multiple of the distance from the median of its weeks
 *  that one day in seven exceeds. */
const leastSpreads = 2.2;
const rare = 0.86;
const weeksReach = 14;
/** Minimum number of such days on one side of the usual cost: fewer can be a single event. */
const fewestDays = 3;
/** Days after the beginning of a season in which it distorts the level of the newest days. */
const tailDays = 40;

/** Days before a year of history that show a season of last year: the next one may begin a week later in the year. */
export const seasonalDays = 7 + tailDays + sideDays;

/** Costs in the seasons around the last day of a series. */
export interface Seasons {
  /** Ratio of usage to the usual one by number of the day; absent where it is 1. */
  readonly factors: ReadonlyMap<number, number>;
  /** The newest days of the series, as they were without the season. */
  readonly usual: DailySeries;
}

/** Compares each season around the last day of a series with its occurrence in the year before.
 *  @param series up to its last complete day
 *  @param adjusted its newest year
 *  @param horizon number of days to forecast
 *  @returns null without a season whose costs differ */
export function seasonsOf(series: DailySeries, adjusted: Adjusted, horizon: number): Seasons | null {
  const { start, values } = series;
  const around = seasonsBetween(
    addDays(start, values.length - 1 - tailDays),
    addDays(start, values.length - 1 + horizon),
  );
  if (around.length === 0) return null;
  const flat = usageOf(values, calendarFrom(start, values.length), adjusted);
  const first = numberOf(start);
  const least = Math.max(leastShare, leastSpreads * spreadOf(flat));
  const factors = new Map<number, number>();
  const usual = [...values];
  for (const { begins, began, days } of around) {
    const own = factorsOf(flat, began - first, { days, least });
    for (const [at, factor] of own) factors.set(begins + at, factor);
    const before = median(sideOf(flat, begins - first - sideDays));
    for (const [at, factor] of own) {
      const index = begins + at - first;
      if (isFollowing((flat[index] ?? NaN) / before, factor)) usual[index] = (values[index] ?? NaN) / factor;
    }
  }
  return factors.size === 0 ? null : { factors, usual: { start, values: usual } };
}

/** Returns the seasons with days in a range, as numbers of days: when each begins, and when it began the year before. */
function seasonsBetween(from: Day, to: Day): { begins: number; began: number; days: number }[] {
  const year = Number(to.slice(0, 4));
  return [year - 1, year].flatMap((each) =>
    seasons
      .map(({ days, firstIn }) => ({ begins: numberOf(firstIn(each)), began: numberOf(firstIn(each - 1)), days }))
      .filter(({ begins, days }) => begins <= numberOf(to) && begins + days > numberOf(from)),
  );
}

/** Returns the distance from the median of its weeks that one day in seven exceeds, as a fraction. */
function spreadOf(flat: readonly number[]): number {
  const middle = rollingMedian(flat, weeksReach);
  const distances = flat.map((value, at) => Math.abs(value / (middle[at] ?? NaN) - 1));
  return quantile(distances.filter(Number.isFinite), rare);
}

/** Returns how much the days of a season differed from its sides, by index; none if they did not.
 *  @param flat usage of each day, see `usageOf`
 *  @param began index of its first day
 *  @param least difference that counts */
function factorsOf(
  flat: readonly number[],
  began: number,
  { days, least }: { days: number; least: number },
): [number, number][] {
  const before = median(sideOf(flat, began - sideDays));
  const after = median(sideOf(flat, began + days));
  if (!(Math.abs(after / before - 1) <= mostChange)) return [];
  const ratios = Array.from({ length: days }, (_, at) => {
    const usual = before + ((after - before) * (at + 1)) / (days + 1);
    return (flat[began + at] ?? NaN) / usual;
  });
  const found = [...ratios.entries()].filter(([, ratio]) => ratio > 0 && Math.abs(ratio - 1) > least);
  const higher = found.filter(([, ratio]) => ratio > 1).length;
  return Math.max(higher, found.length - higher) < fewestDays ? [] : found;
}

function sideOf(flat: readonly number[], from: number): number[] {
  return flat.slice(Math.max(0, from), Math.max(0, from + sideDays));
}

/** Returns whether a day's ratio to the days before the season is nearer to that of last year than to 1. */
function isFollowing(ratio: number, factor: number): boolean {
  return Math.abs(Math.log(ratio / factor)) < Math.abs(Math.log(ratio));
}

function thanksgivingIn(year: number): Day {
  const first = `${year}-11-01` as Day;
  const [{ weekday } = { weekday: 0 }] = calendarFrom(first, 1);
  const thursday = 4;
  return addDays(first, ((thursday - weekday + 7) % 7) + 21);
}
