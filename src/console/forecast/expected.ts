import { expectedDays, type Costs } from '../../kit/expected-cost.ts';
import { sumOf } from '../costs/table/rows.ts';
import type { DayRange } from '../parts/list/day-range.tsx';

/** Returns the expected cost of a range: the actual cost of its days, and the forecast of the others. Null if the forecast does not
 *  reach the end. */
export function expectedIn(
  costs: Costs,
  { from, to }: DayRange,
): { readonly actual: number; readonly forecast: number } | null {
  if (costs.completeTo < to && costs.points.every(({ date }) => date !== to)) return null;
  const parts = expectedDays(costs).filter(({ date }) => date >= from && date <= to);
  return { actual: sumOf(parts.map(({ actual }) => actual)), forecast: sumOf(parts.map(({ forecast }) => forecast)) };
}
