import { z } from 'zod';
import { changePercent, microsToNumber, type Micros } from '../../../kit/money.ts';
import { addDays, addMonths, dayOf, daysBetween, firstDay, lastDay, monthOf, type Day } from '../../../kit/period.ts';
import type { Days, PeriodArguments } from '../../input/period.ts';
import { microsOf } from '../../micros.ts';

// A period is compared with the one before it over the same days, as far as the bills of the later one are complete:
// three weeks are not held against a month, nor days whose costs are still to come against days that have them all.

/** Bills come some days late. An account that is further behind has stopped, and does not keep the others from being
 *  compared. */
const usualLagDays = 7;

/** Quarters and years are compared with the whole ones before them, how little of them there may be. */
const monthsBack: Readonly<Record<string, number>> = { this_quarter: 3, year_to_date: 12 };

/** The days among these whose costs can be compared: those until today that are complete; null where none is. */
export function comparableDays(days: Days, completeThrough: string | null, now: Date): Days | null {
  const today = dayOf(now);
  if (days.start_date > today) return null;
  const end = days.end_date > today ? today : days.end_date;
  const through = (completeThrough ?? end) as Day;
  const isLate = through < end && daysBetween(through, end) <= usualLagDays;
  if (isLate && through < days.start_date) return null;
  return { start_date: days.start_date, end_date: isLate ? through : end };
}

/** The days before these that they are compared with: the same days of the month before, or as many months before as were
 *  asked for, where that was from the first of a month; as many days just before, otherwise.
 *  @param asked the days before they were cut to comparable ones */
export function previousDays(days: Days, asked: Days, args: PeriodArguments = {}): Days {
  const [first, month] = [monthOf(asked.start_date), monthOf(days.end_date)];
  if (asked.start_date !== firstDay(first)) return daysJustBefore(days);
  const months = monthsBack[args.period ?? ''] ?? monthsFrom(first, monthOf(asked.end_date));
  const before = addMonths(month, -months);
  const isWholeMonth = days.end_date === lastDay(month);
  const sameDay = addDays(firstDay(before), Number(days.end_date.slice(8)) - 1);
  const end = isWholeMonth || sameDay > lastDay(before) ? lastDay(before) : sameDay;
  return { start_date: addMonthsToDay(asked.start_date, -months), end_date: end };
}

function daysJustBefore({ start_date, end_date }: Days): Days {
  const end = addDays(start_date, -1);
  return { start_date: addDays(end, -daysBetween(start_date, end_date)), end_date: end };
}

function addMonthsToDay(first: Day, months: number): Day {
  return firstDay(addMonths(monthOf(first), months));
}

/** How many months a range touches. */
function monthsFrom(first: string, last: string): number {
  const at = (month: string) => Number(month.slice(0, 4)) * 12 + Number(month.slice(5));
  return at(last) - at(first) + 1;
}

/** What to know of a period before that has no costs at its beginning; null where it has.
 *  @param periods all of it, in order */
export function lateBeginning(
  periods: readonly { readonly period_start: string; readonly cost: number }[],
): string | null {
  const first = periods.find(({ cost }) => cost !== 0);
  if (!first) return 'The period before has no costs: data may begin after it, so the change is none.';
  if (first === periods[0]) return null;
  return `The period before has no costs until ${first.period_start}: data may begin there, so the change is too large.`;
}

/** What a figure was before, and by how much it is another. */
export const changeFields = {
  previous_cost: z.number(),
  change: z.number(),
  change_percent: z.number().nullable(),
};

/** The change from one figure to another, exact to the sixth decimal; its percentage is null where the first is 0. */
export function changeOf(cost: Micros, previous: Micros) {
  return {
    previous_cost: microsToNumber(previous),
    change: microsToNumber(cost - previous),
    change_percent: changePercent(cost, previous),
  };
}

/** Two periods beside each other, and which days they have; the first day of the later one is the answer's own. */
export const comparison = z.object({
  end_date: z.string(),
  cost: z.number(),
  previous_start_date: z.string(),
  previous_end_date: z.string(),
  ...changeFields,
});

interface Total {
  readonly start_date: string;
  readonly end_date: string;
  readonly total_cost: number;
}

/** Sets the totals of two periods beside each other. */
export function compare(current: Total, previous: Total): z.output<typeof comparison> {
  return {
    end_date: current.end_date,
    cost: current.total_cost,
    previous_start_date: previous.start_date,
    previous_end_date: previous.end_date,
    ...changeOf(microsOf(current.total_cost), microsOf(previous.total_cost)),
  };
}
