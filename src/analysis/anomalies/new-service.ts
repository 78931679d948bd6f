import type { History } from './history.ts';
import { repeatTolerance } from './settings.ts';

const idleDays = 30;

/** True on the first day that costs something after a month of less than a dollar a day, and more than ever before: a service
 *  that comes back to what it was is not new.
 *  @param minimumImpact from which cost on it counts; a tenth of it is nothing */
export function isNewService({ costs }: History, at: number, minimumImpact: number): boolean {
  const cost = costs[at] ?? NaN;
  if (at < idleDays || !(cost >= minimumImpact)) return false;
  const idle = minimumImpact / 10;
  for (let day = at - idleDays; day < at; day += 1) if ((costs[day] ?? 0) >= idle) return false;
  return costs.slice(0, at).every((earlier) => !(earlier * repeatTolerance >= cost));
}
