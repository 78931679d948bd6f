import { addDays, addMonths, firstDay, monthOf, type Day } from '../../../src/kit/time/period.ts';
import type { Random } from './random.ts';

/** The distribution of usage over the week: a factor for each day from Sunday (0) to Saturday (6). */
export type Week = readonly number[];

/** Lower or slightly higher weekends, one weekday with a batch job, or a flat week. */
export function drawWeek(random: Random): Week {
  const kind = random.unit();
  const week = [1, 1, 1, 1, 1, 1, 1];
  if (kind < 0.25) return week;
  if (kind < 0.8) return withWeekend(week, kind < 0.7 ? random.between(0.45, 0.9) : random.between(1.05, 1.3), random);
  return week.with(random.whole(0, 6), random.between(1.2, 1.7));
}

function withWeekend(week: Week, factor: number, random: Random): Week {
  return week.with(0, factor).with(6, factor * random.between(0.95, 1.1));
}

/** The weekday of a day; Sunday is 0. */
export function weekdayOf(day: Day): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

/** The time of the month when a fee is charged. */
export type FeeDay = 'first' | 'firstBusiness' | 'lastBusiness';

/** True on the day of the month when the fee is due. Business days are Mondays to Fridays. */
export function isFeeDay(kind: FeeDay, day: Day): boolean {
  const first = firstDay(monthOf(day));
  if (kind === 'first') return day === first;
  if (kind === 'firstBusiness') return day === businessDay(first, 1);
  return day === businessDay(addDays(firstDay(addMonths(monthOf(day), 1)), -1), -1);
}

function businessDay(from: Day, direction: 1 | -1): Day {
  let day = from;
  while (weekdayOf(day) % 6 === 0) day = addDays(day, direction);
  return day;
}

/** Public holidays that many countries share, in the generated years. */
const singleHolidays = new Set([
  '2025-01-01',
  '2025-04-18',
  '2025-04-21',
  '2025-05-01',
  '2025-05-26',
  '2025-07-04',
  '2025-09-01',
  '2025-11-27',
  '2025-11-28',
  '2026-01-01',
]);

/** True on holidays, and from December 24 to January 1. */
export function isHoliday(day: Day): boolean {
  return singleHolidays.has(day) || day.slice(5) >= '12-24';
}
