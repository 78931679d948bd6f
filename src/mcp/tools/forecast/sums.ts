import { addDays, addMonths, firstDay, lastDay, monthOf, type Day, type Month } from '../../../kit/period.ts';
import { sumOf } from '../../micros.ts';

interface CostOfDay {
  readonly date: string;
  readonly cost: number;
}

/** A calendar month: what is billed of it and what is still to come. */
export interface MonthSum {
  readonly month: Month;
  readonly cost_so_far: number;
  readonly still_expected_cost: number;
  readonly projected_cost: number;
  /** Whether the forecast reaches the month's last day. */
  readonly whole_month: boolean;
}

/** The months that forecast days are in. Of a day of which some costs are billed already only the rest is still expected,
 *  so that monthly fees and half days do not count twice; budgets reckon in the same way.
 *  @param points forecast days, in order, without gaps
 *  @param billed what days have cost so far
 *  @param known the first day of `billed`: months that begin before it are left out */
export function monthSums(points: readonly CostOfDay[], billed: readonly CostOfDay[], known: Day): MonthSum[] {
  const billedOn = new Map(billed.map(({ date, cost }) => [date, cost]));
  const ends = points.at(-1)?.date ?? '';
  const byMonth = Map.groupBy(points, ({ date }) => date.slice(0, 7) as Month);
  return [...byMonth].flatMap(([month, days]) => {
    if (firstDay(month) < known) return [];
    const spent = sumOf(billed.filter(({ date }) => date.startsWith(month)).map(({ cost }) => cost));
    const expected = sumOf(days.map(({ date, cost }) => Math.max(0, sumOf([cost, -(billedOn.get(date) ?? 0)]))));
    return [
      {
        month,
        cost_so_far: spent,
        still_expected_cost: expected,
        projected_cost: sumOf([spent, expected]),
        whole_month: ends >= lastDay(month),
      },
    ];
  });
}

/** The days whose billed costs the months of a forecast need: from the first of the last month on, to the end of any
 *  forecast that begins by now. */
export function billedDays(today: Day): { readonly start_date: Day; readonly end_date: Day } {
  return { start_date: firstDay(addMonths(monthOf(today), -1)), end_date: addDays(today, 60) };
}
