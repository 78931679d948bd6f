import { sumOf } from '../costs/exact.ts';
import { previousOf } from '../costs/period.ts';
import type { DayRange } from '../parts/day-range.tsx';
import { addMonths, monthEnd, monthStart } from '../words/days.ts';
import type { Spend } from './queries.ts';

/** The month of the last complete day, like with like: complete days beside the same days of the month before. */
export interface MonthToDate {
  readonly days: DayRange;
  readonly cost: number;
  readonly before: DayRange;
  readonly beforeCost: number;
  /** What the whole month will have cost; null where nothing forecasts it. */
  readonly expected: number | null;
  /** What the whole month before cost. */
  readonly lastMonth: number;
}

/** The last day that figures can be compared up to. Accounts whose bills ended long ago do not hold back the others: the
 *  forecast leaves them out by the same rule. */
function lastCompleteDay({ costsDaily, forecast }: Spend): string | null {
  return forecast?.historyTo ?? costsDaily?.completeThrough ?? null;
}

/** First day that has to be asked for, so that the month before is there whatever the last complete day is. */
export function askedSince(today: string): string {
  return addMonths(monthStart(today), -2);
}

/** Adds up the month; null where no day is complete, or the last complete one is longer ago than what was asked. */
export function monthToDate(spend: Spend, today: string): MonthToDate | null {
  const last = lastCompleteDay(spend);
  if (last === null || last > today || addMonths(last, -1) < askedSince(today)) return null;
  const days = { from: monthStart(last), to: last };
  const before = previousOf(days);
  const month = addMonths(last, -1);
  const known = spend.costsDaily?.days ?? [];
  const end = monthEnd(last);
  const points = spend.forecast?.points ?? [];
  const left = points.filter(({ date }) => date > last && date <= end);
  const reachesEnd = last === end || points.some(({ date }) => date >= end);
  const cost = costIn(known, days);
  return {
    days,
    cost,
    before,
    beforeCost: costIn(known, before),
    expected: reachesEnd ? sumOf([cost, ...left.map((point) => point.cost)]) : null,
    lastMonth: costIn(known, { from: month, to: monthEnd(month) }),
  };
}

function costIn(days: readonly { readonly date: string; readonly cost: number }[], { from, to }: DayRange): number {
  return sumOf(days.filter(({ date }) => date >= from && date <= to).map(({ cost }) => cost));
}
