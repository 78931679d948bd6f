import { z } from 'zod';
import { beginsBefore, completeDays, previousDays as daysBefore } from '../../../kit/time/compared-days.ts';
import { changePercent, microsToNumber, type Micros } from '../../../kit/money.ts';
import { addDays, dayOf, type Day, type DayRange } from '../../../kit/time/period.ts';
import type { Days, PeriodArguments } from '../../input.ts';
import { microsOf } from '../../output.ts';

/** Months from the current quarter or year back to its comparison period, however few of them have begun. */
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

type Unconverted = readonly { readonly currency: string; readonly cost: number }[];

interface Period {
  readonly start_date: string;
  readonly end_date: string;
  readonly unconverted: Unconverted;
  /** Absent in the compared range of an answer that has those of both ranges. */
  readonly missing_bills?: readonly unknown[];
}

interface CurrentPeriod extends Period {
  readonly currency: string;
  readonly data_from: string | null;
}

/** A note on why the changes of a comparison have no percentage: the bills begin later, bills are missing, or costs have no exchange rate; null if
 *  they have one. */
export function unknownChange(
  { currency, data_from: dataFrom, unconverted, missing_bills: missing = [] }: CurrentPeriod,
  previous: Period,
): string | null {
  if (beginsBefore(previous.start_date, dataFrom))
    return `Bills begin on ${dataFrom}, after the first day of the comparison period, so change_percent is null.`;
  if (missing.length + (previous.missing_bills?.length ?? 0) > 0)
    return 'Bills are missing, so change_percent is null.';
  const lacking = previous.unconverted.map(({ cost, currency: of }) => `${cost} ${of}`).join(', ');
  if (lacking !== '')
    return `${lacking} of ${previous.start_date} to ${previous.end_date} not included: no exchange rate to ${currency}, so change_percent is null.`;
  return unconverted.length > 0 ? 'Costs without an exchange rate are not included, so change_percent is null.' : null;
}

/** The previous value of a figure and its change. */
export const changeFields = {
  previous_cost: z.number(),
  change: z.number(),
  change_percent: z.number().nullable(),
};

/** The change between two figures, exact to the sixth decimal; the percentage is null unless the previous one is above 0.
 *  @param isComparable whether all costs of both periods are known; otherwise the percentage is null */
export function changeOf(cost: Micros, previous: Micros, isComparable = true) {
  return {
    previous_cost: microsToNumber(previous),
    change: microsToNumber(cost - previous),
    change_percent: isComparable ? changePercent(cost, previous) : null,
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

/** Compares the totals of two periods. */
export function compare(
  current: CurrentPeriod & { readonly total_cost: number },
  previous: Period & { readonly total_cost: number },
): z.output<typeof comparison> {
  return {
    end_date: current.end_date,
    cost: current.total_cost,
    previous_start_date: previous.start_date,
    previous_end_date: previous.end_date,
    ...changeOf(microsOf(current.total_cost), microsOf(previous.total_cost), unknownChange(current, previous) === null),
  };
}
