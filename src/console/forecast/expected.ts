import { binsOf } from '../costs/period.ts';
import { sumOf } from '../costs/table/rows.ts';
import type { DayRange } from '../parts/list/day-range.tsx';

/** Actual or forecast cost of a day. */
export interface DayCost {
  readonly date: string;
  readonly cost: number;
}

interface Costs {
  /** Actual costs, also of days whose bills are incomplete. */
  readonly days: readonly DayCost[];
  readonly points: readonly DayCost[];
  /** Last day with complete bills. */
  readonly completeTo: string;
}

/** Returns the expected cost of a range: the actual cost of its days, and the forecast of the others. Days whose bills are incomplete
 *  have both: the larger one counts, as in budgets. Null if the forecast does not reach the end. */
export function expectedIn(
  { days, points, completeTo }: Costs,
  { from, to }: DayRange,
): { readonly actual: number; readonly forecast: number } | null {
  const [actuals, forecasts] = [costsByDay(days), costsByDay(points)];
  if (completeTo < to && !forecasts.has(to)) return null;
  const parts = binsOf({ from, to }, 'daily').map(({ key: date }) => {
    const actual = actuals.get(date) ?? 0;
    const forecast = forecasts.get(date) ?? 0;
    return date <= completeTo || actual >= forecast ? { actual, forecast: 0 } : { actual: 0, forecast };
  });
  return { actual: sumOf(parts.map(({ actual }) => actual)), forecast: sumOf(parts.map(({ forecast }) => forecast)) };
}

function costsByDay(list: readonly DayCost[]): ReadonlyMap<string, number> {
  return new Map(list.map(({ date, cost }) => [date, cost]));
}
