import { addDays, addMonths, daysBetween, firstDay, lastDay, monthOf, type Day, type DayRange } from './period.ts';

// Which days figures end with, and which days before they are compared with: one rule for the API, the console, reports, mails
// and MCP. Bills arrive some days late, so the last days look like savings until their charges are there.

/** Days that bills may be late. An account that is further behind has stopped, and does not hold back the others. */
const usualLagDays = 7;

/** The day that figures without an end of their own end with: the last complete one; today where nothing is known of it.
 *  @param completeThrough the last day that the bills in question are complete for */
export function lastCompleteDay(completeThrough: Day | null, today: Day): Day {
  if (completeThrough === null || completeThrough >= today) return today;
  return daysBetween(completeThrough, today) <= usualLagDays ? completeThrough : today;
}

/** The days of a range that can be compared: those until today that are complete; null where none is. */
export function completeDays(range: DayRange, completeThrough: Day | null, today: Day): DayRange | null {
  const tomorrow = addDays(today, 1);
  const known = range.end > tomorrow ? { start: range.start, end: tomorrow } : range;
  if (known.start >= known.end) return null;
  const last = lastCompleteDay(completeThrough, addDays(known.end, -1));
  return last < known.start ? null : { start: known.start, end: addDays(last, 1) };
}

/** The days that a range is compared with: calendar months with as many before them, a running month with the same days of
 *  the one before, anything else with as many days just before.
 *  @param asked the range before it was cut to complete days
 *  @param months how many months back, where the range is of months */
export function previousDays(
  range: DayRange,
  asked: DayRange = range,
  months: number = monthsTouched(asked),
): DayRange {
  const isOfMonths = asked.start === firstDay(monthOf(asked.start)) && daysBetween(asked.start, asked.end) > 1;
  if (isOfMonths) return monthsEarlier(range, months);
  return { start: addDays(range.start, -daysBetween(range.start, range.end)), end: range.start };
}

/** The same days of months before. A range of whole months stays one. */
export function monthsEarlier(range: DayRange, months: number): DayRange {
  const last = addDays(range.end, -1);
  const isWhole = range.start === firstDay(monthOf(range.start)) && last === lastDay(monthOf(last));
  const month = addMonths(monthOf(last), -months);
  const end = isWhole ? lastDay(month) : dayIn(month, last);
  return { start: dayIn(addMonths(monthOf(range.start), -months), range.start), end: addDays(end, 1) };
}

/** The same day of another month, or its last day. */
function dayIn(month: ReturnType<typeof monthOf>, day: Day): Day {
  const same = `${month}-${day.slice(8)}` as Day;
  return same > lastDay(month) ? lastDay(month) : same;
}

/** How many calendar months have a day in the range. */
function monthsTouched({ start, end }: DayRange): number {
  const at = (day: Day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
  return at(addDays(end, -1)) - at(start) + 1;
}
