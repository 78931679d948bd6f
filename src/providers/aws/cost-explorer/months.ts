import { addDays, addMonths, type Day, dayOf, firstDay, type Month, monthAt } from '../../../kit/time/period.ts';
import { halfDay } from '../../contract.ts';

/** Cost Explorer keeps daily data for the current month and the 13 before it. */
const monthsKept = 14;
/** AWS closes a month in the first days of the next and may restate it for two weeks. */
const lastRestatedDay = 15;

/** Returns the months with daily data in Cost Explorer, oldest first. */
export function monthsAt(now: Date): Month[] {
  return Array.from({ length: monthsKept }, (_, at) => addMonths(monthAt(now), at + 1 - monthsKept));
}

/** Returns a token that changes when a month should be queried again. Requests cost money, so: the current month twice per day,
 *  the previous one once per day while AWS may restate it, others never. */
export function monthToken(month: string, now: Date): string {
  const [previous, current] = monthsAt(now).slice(-2);
  if (month === current) return halfDay(now);
  return month === previous && now.getUTCDate() <= lastRestatedDay ? dayOf(now) : 'closed';
}

/** Returns a range of months for Cost Explorer; the end is exclusive, and tomorrow at the latest. */
export function daysOf(first: Month, last: Month, now: Date): { Start: Day; End: Day } {
  const tomorrow = addDays(dayOf(now), 1);
  const end = firstDay(addMonths(last, 1));
  return { Start: firstDay(first), End: end < tomorrow ? end : tomorrow };
}
