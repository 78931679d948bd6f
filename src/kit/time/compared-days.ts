import {
  addDays,
  addMonths,
  daysBetween,
  firstDay,
  lastDay,
  monthOf,
  parseDay,
  type Day,
  type DayRange,
} from './period.ts';

// The default end day of figures in the console, reports and MCP, and the preceding days that figures are compared with, also in
// the API. Bills arrive a few days late, so the most recent days look like savings until their charges arrive.

/** Usual billing lag in days. An account that is further behind the one with the latest bills is treated as stopped, and does not
 *  hold back the others. */
const usualLagDays = 7;

/** The last day for which the bills of all accounts are complete, except for stopped ones; null without bills.
 *  @param completeThrough last complete day of each account that has bills
 *  @param until last day of the figures, at most today */
export function lastCompleteDay(completeThrough: readonly Day[], until: Day): Day | null {
  const latest = completeThrough.toSorted().at(-1);
  if (latest === undefined) return null;
  const end = latest < until ? latest : until;
  const first = addDays(end, -usualLagDays);
  const last = completeThrough.filter((day) => day >= first).sort()[0] ?? end;
  return last < end ? last : end;
}

/** The days of a range up to today; all of a range in the future. */
export function elapsedDays(range: DayRange, today: Day): DayRange {
  return range.start > today || range.end <= today ? range : { start: range.start, end: addDays(today, 1) };
}

/** The last day of a range, at most today; its last day if it is in the future. */
export function lastElapsedDay(range: DayRange, today: Day): Day {
  return addDays(elapsedDays(range, today).end, -1);
}

/** The days of a range, up to today, that are complete and so comparable; null if there are none.
 *  @param lastComplete last complete day of the range; null without bills: all days up to today count */
export function completeDays(range: DayRange, lastComplete: Day | null, today: Day): DayRange | null {
  const known = elapsedDays(range, today);
  if (known.start > today) return null;
  if (lastComplete === null || lastComplete >= addDays(known.end, -1)) return known;
  return lastComplete < known.start ? null : { start: known.start, end: addDays(lastComplete, 1) };
}

/** The comparison period of a range: for calendar months, the same number of preceding months; for a month, quarter or
 *  year to date, the same days of the previous one; otherwise, as many days immediately before.
 *  @param asked the range before it was cut to complete days
 *  @param months how many months back, if the range consists of months */
export function previousDays(range: DayRange, asked: DayRange = range, months: number = monthsBack(asked)): DayRange {
  const isOfMonths = asked.start === firstDay(monthOf(asked.start)) && daysBetween(asked.start, asked.end) > 1;
  if (isOfMonths) return monthsEarlier(range, months);
  return { start: addDays(range.start, -daysBetween(range.start, range.end)), end: range.start };
}

/** Number of months from a range of months to its comparison period. Quarters and years to date go back as a whole; more
 *  than six months are taken as a fiscal year to date. */
function monthsBack(range: DayRange): number {
  const months = monthsTouched(range);
  const isRunning = range.end !== firstDay(monthOf(range.end));
  const month = Number(range.start.slice(5, 7));
  if (!isRunning || months === 1) return months;
  if (months <= 3) return month % 3 === 1 ? 3 : months;
  return (month === 1 || months > 6) && months < 12 ? 12 : months;
}

/** Shifts a range back by months. A range of whole months stays one. */
export function monthsEarlier(range: DayRange, months: number): DayRange {
  const last = addDays(range.end, -1);
  const isWhole = range.start === firstDay(monthOf(range.start)) && last === lastDay(monthOf(last));
  const month = addMonths(monthOf(last), -months);
  const end = isWhole ? lastDay(month) : dayIn(month, last);
  return { start: dayIn(addMonths(monthOf(range.start), -months), range.start), end: addDays(end, 1) };
}

/** The day of an earlier range that a day of a range is compared with, bar by bar: if the ranges are months apart, the same day of the
 *  month, else the day at the same distance from the start. Null if there is none, as for February 29 in another year. */
export function comparedDay(day: Day, range: DayRange, previous: DayRange): Day | null {
  const months = monthsTouched({ start: previous.start, end: addDays(range.start, 1) }) - 1;
  const isMonthsApart = months > 0 && isSame(monthsEarlier(range, months), previous);
  const same = isMonthsApart
    ? (`${addMonths(monthOf(day), -months)}-${day.slice(8)}` as Day)
    : addDays(previous.start, daysBetween(range.start, day));
  return same >= previous.start && same < previous.end && parseDay(same) !== null ? same : null;
}

function isSame(one: DayRange, other: DayRange): boolean {
  return one.start === other.start && one.end === other.end;
}

/** The same day in another month, clamped to its last day. */
function dayIn(month: ReturnType<typeof monthOf>, day: Day): Day {
  const same = `${month}-${day.slice(8)}` as Day;
  return same > lastDay(month) ? lastDay(month) : same;
}

/** Number of calendar months the range touches. */
function monthsTouched({ start, end }: DayRange): number {
  const at = (day: Day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
  return at(addDays(end, -1)) - at(start) + 1;
}

/** Whether a change from this figure can be stated as a percentage: not from zero, nor from a credit, whose sign would invert the
 *  change. */
export function isChangeBase(before: number | bigint): boolean {
  return before > 0;
}

/** Whether a range begins before the first bill: costs of only a part of it would make a comparison look like growth.
 *  @param dataFrom first day with costs; null without bills */
export function beginsBefore<Text extends string>(start: string, dataFrom: Text | null): dataFrom is Text {
  return dataFrom !== null && start < dataFrom;
}
