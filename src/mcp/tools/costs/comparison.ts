import { z } from 'zod';
import { completeDays, previousDays as daysBefore } from '../../../kit/time/compared-days.ts';
import { changePercent, microsToNumber, type Micros } from '../../../kit/money.ts';
import { addDays, dayOf, type Day, type DayRange } from '../../../kit/time/period.ts';
import type { Days, PeriodArguments } from '../../input.ts';
import { microsOf } from '../../output.ts';

/** Quarters and years are compared with the whole preceding ones, however short they are so far. */
const monthsBack: Readonly<Record<string, number>> = { this_quarter: 3, year_to_date: 12 };

const rangeOf = ({ start_date: start, end_date: end }: Days): DayRange => ({ start, end: addDays(end, 1) });
const daysOfRange = ({ start, end }: DayRange): Days => ({ start_date: start, end_date: addDays(end, -1) });

/** The complete days of a period, up to today, which can be compared; null if there are none.
 *  @param lastComplete `last_complete_day` of its costs */
export function comparableDays(days: Days, lastComplete: string | null, now: Date): Days | null {
  const range = completeDays(rangeOf(days), lastComplete as Day | null, dayOf(now));
  return range && daysOfRange(range);
}

/** The comparison period of a range of days.
 *  @param asked the days before they were cut to comparable ones */
export function previousDays(days: Days, asked: Days, args: PeriodArguments = {}): Days {
  return daysOfRange(daysBefore(rangeOf(days), rangeOf(asked), monthsBack[args.period ?? '']));
}

/** A note on a comparison period without costs at its beginning; null if it has some.
 *  @param periods the whole period, in order */
export function lateBeginning(
  periods: readonly { readonly period_start: string; readonly cost: number }[],
): string | null {
  const first = periods.find(({ cost }) => cost !== 0);
  if (!first) return 'The previous period has no costs: data may begin after it, so change_percent is null.';
  if (first === periods[0]) return null;
  return `The previous period has no costs before ${first.period_start}: data may begin there, so the change is too large.`;
}

/** The previous value of a figure and its change. */
export const changeFields = {
  previous_cost: z.number(),
  change: z.number(),
  change_percent: z.number().nullable(),
};

/** The change between two figures, exact to the sixth decimal; the percentage is null if the previous one is 0. */
export function changeOf(cost: Micros, previous: Micros) {
  return {
    previous_cost: microsToNumber(previous),
    change: microsToNumber(cost - previous),
    change_percent: changePercent(cost, previous),
  };
}

/** A comparison of two periods and their days; the later one's first day is in the response itself. */
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

/** Compares the totals of two periods. */
export function compare(current: Total, previous: Total): z.output<typeof comparison> {
  return {
    end_date: current.end_date,
    cost: current.total_cost,
    previous_start_date: previous.start_date,
    previous_end_date: previous.end_date,
    ...changeOf(microsOf(current.total_cost), microsOf(previous.total_cost)),
  };
}
