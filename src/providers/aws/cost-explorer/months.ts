import { addDays, addMonths, type Day, dayOf, firstDay, type Month, monthAt } from '../../../kit/period.ts';
import { halfDay } from '../../contract.ts';

/** Cost Explorer keeps days of the current month and the thirteen before it. */
const monthsKept = 14;
/** AWS closes a month in its first days and may restate it for two weeks. */
const lastRestatedDay = 15;

/** The months that Cost Explorer tells days of, oldest first. */
export function monthsAt(now: Date): Month[] {
  return Array.from({ length: monthsKept }, (_, at) => addMonths(monthAt(now), at + 1 - monthsKept));
}

/** Changes as often as a month is worth asking for again, because each request costs money: the current one twice a day, the
 *  one before once a day while AWS may restate it, others never. */
export function monthToken(month: string, now: Date): string {
  const [previous, current] = monthsAt(now).slice(-2);
  if (month === current) return halfDay(now);
  return month === previous && now.getUTCDate() <= lastRestatedDay ? dayOf(now) : 'closed';
}

/** Days of months as Cost Explorer takes them: the end is the first day that is not asked for, tomorrow at the latest. */
export function daysOf(first: Month, last: Month, now: Date): { Start: Day; End: Day } {
  const tomorrow = addDays(dayOf(now), 1);
  const end = firstDay(addMonths(last, 1));
  return { Start: firstDay(first), End: end < tomorrow ? end : tomorrow };
}
