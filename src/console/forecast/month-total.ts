import { monthEnd } from '../words/days.ts';
import type { Forecast, KnownDay } from './queries.ts';

/** What a month is expected to cost: what is known of it, and what is forecast. */
export interface MonthTotal {
  readonly known: number;
  readonly forecast: number;
}

/** Adds up a month; null where the forecast does not reach its end, or days before it are missing.
 *  @param month its first day */
export function monthTotal(month: string, days: readonly KnownDay[], { points }: Forecast): MonthTotal | null {
  const [end, last] = [monthEnd(month), points.at(-1)?.date];
  const first = days[0]?.date ?? points[0]?.date;
  if (!last || last < end || !first || first > month) return null;
  const isIn = ({ date }: { readonly date: string }) => date >= month && date <= end;
  return { known: sum(days.filter(isIn)), forecast: sum(points.filter(isIn)) };
}

function sum(list: readonly { readonly cost: number }[]): number {
  return list.reduce((total, { cost }) => total + cost, 0);
}
