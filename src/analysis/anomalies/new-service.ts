import type { History } from './history.ts';
import { repeatTolerance } from './settings.ts';

const idleDays = 30;
/** Of the least impact: a dollar of ten is nothing. */
const idlePart = 0.1;

/** What begins to cost after a month of nothing: `new`, or `back` when it had cost as much before. */
export type Arrival = 'new' | 'back';

/** Tells the first day that costs something after a month of nothing, or null for any other day.
 *  @param minimumImpact from which cost on it counts; a tenth of it is nothing */
export function arrivalOn({ costs }: History, at: number, minimumImpact: number): Arrival | null {
  const cost = costs[at] ?? NaN;
  if (at < idleDays || !(cost >= minimumImpact)) return null;
  for (let day = at - idleDays; day < at; day += 1) if ((costs[day] ?? 0) >= minimumImpact * idlePart) return null;
  return costs.slice(0, at).some((earlier) => earlier * repeatTolerance >= cost) ? 'back' : 'new';
}
