import { instantOf, addDays, daysBetween, type Day } from '../../kit/time/period.ts';

/** A position in the month at which a charge can recur: `d1`…`d31` day of the month; `l1`…`l3` last days, `l1` the very
 *  last; `b1`…`b3` first business days; `e1`…`e3` last business days, `e1` the very last. */
type MonthlyKey = `${'d' | 'l' | 'b' | 'e'}${number}`;

/** A position at which a charge can recur: each month; each quarter, `q0`…`q2` by the month's place in the quarter, as in
 *  `d1q0`; or every second week, `f0`…`f13`. */
export type ChargeKey = MonthlyKey | `${MonthlyKey}q${number}` | `f${number}`;

/** A UTC day with its calendar properties. Business days are Monday to Friday: holidays differ by country. */
export interface CalendarDay {
  /** Days since 1970-01-01. */
  readonly number: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  /** Months since January of the year 0. */
  readonly month: number;
  /** 1 to 31. */
  readonly dayOfMonth: number;
  readonly daysInMonth: number;
  readonly isBusinessDay: boolean;
  /** The day's positions: at most four in the month, as many in the quarter, and one in two weeks. */
  readonly keys: readonly ChargeKey[];
}

const msPerDay = 86_400_000;
const lastDays = 3;
const firstBusinessDays = 3;
const lastBusinessDays = 3;

/** Days by number, which the many fits of a forecast share: a few years of them. */
const known = new Map<number, CalendarDay>();

/** Returns the days from `start` on, in order. */
export function calendarFrom(start: Day, days: number): CalendarDay[] {
  const first = numberOf(start);
  return Array.from({ length: days }, (_, index) => {
    const day = known.get(first + index) ?? calendarDay(first + index);
    known.set(day.number, day);
    return day;
  });
}

/** Returns the days since 1970-01-01. */
export function numberOf(day: Day): number {
  return instantOf(day).getTime() / msPerDay;
}

function calendarDay(number: number): CalendarDay {
  const date = new Date(number * msPerDay);
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth();
  const dayOfMonth = date.getUTCDate();
  const daysInMonth = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  const weekday = date.getUTCDay();
  const place = { weekday, dayOfMonth, daysInMonth, isBusinessDay: isBusiness(weekday) };
  const monthly = keysOf(place);
  const quarterly = monthly.map((key) => `${key}q${month % 3}` as const);
  return { number, month, ...place, keys: [...monthly, ...quarterly, `f${number % 14}`] };
}

function keysOf(day: Omit<CalendarDay, 'number' | 'month' | 'keys'>): MonthlyKey[] {
  const keys: MonthlyKey[] = [`d${day.dayOfMonth}`];
  const left = day.daysInMonth - day.dayOfMonth;
  if (left < lastDays) keys.push(`l${left + 1}`);
  if (!day.isBusinessDay) return keys;
  const since = businessDays(day.weekday, day.dayOfMonth - 1, -1) + 1;
  const until = businessDays(day.weekday, left, 1) + 1;
  if (since <= firstBusinessDays) keys.push(`b${since}`);
  if (until <= lastBusinessDays) keys.push(`e${until}`);
  return keys;
}

/** Counts the business days among the days next to a weekday.
 *  @param step 1 for the days after it, -1 for those before it */
function businessDays(weekday: number, days: number, step: 1 | -1): number {
  let count = 0;
  for (let away = 1; away <= days; away++) if (isBusiness((weekday + step * away + 70) % 7)) count++;
  return count;
}

function isBusiness(weekday: number): boolean {
  return weekday >= 1 && weekday <= 5;
}

/** Daily costs from a UTC day on. */
export interface DailySeries {
  readonly start: Day;
  /** In one currency. NaN for unknown days, which is not the same as 0. */
  readonly values: readonly number[];
}

/** Returns the part of a series up to and including a day: later days must not be used. */
export function knownThrough(series: DailySeries, day: Day): DailySeries {
  return { start: series.start, values: series.values.slice(0, Math.max(0, daysBetween(series.start, day) + 1)) };
}

/** Returns the newest days of a series. */
export function newest(series: DailySeries, days: number): DailySeries {
  const skipped = Math.max(0, series.values.length - days);
  return { start: addDays(series.start, skipped), values: series.values.slice(skipped) };
}

/** Returns a series from its first cost on: the time before a service was used does not indicate its future cost. Unchanged
 *  if there is no cost. */
export function sinceFirstCost(series: DailySeries): DailySeries {
  const first = series.values.findIndex((value) => value > 0);
  return first > 0 ? newest(series, series.values.length - first) : series;
}
