import { comparedDay, previousDays } from '../../kit/time/compared-days.ts';
import type { Day } from '../../kit/time/period.ts';
import { addDays, addMonths, countDays, monthEnd, monthStart } from '../words/days.ts';
import type { Granularity } from './address.ts';

/** Date range, inclusive. */
interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** Default comparison period: for whole months, as many whole months before; for a month, quarter or year to date, the same
 *  days of the previous one; otherwise the same number of days immediately before. */
export function previousOf({ from, to }: DayRange): DayRange {
  const { start, end } = previousDays({ start: from as Day, end: addDays(to, 1) as Day });
  return { from: start, to: addDays(end, -1) };
}

/** The day of the comparison period that a day is compared with; null if there is none. */
export function comparedOf(day: string, range: DayRange, previous: DayRange): string | null {
  const halfOpen = ({ from, to }: DayRange) => ({ start: from as Day, end: addDays(to, 1) as Day });
  return comparedDay(day as Day, halfOpen(range), halfOpen(previous));
}

/** Shifts a range by its own length; whole months shift by months. */
export function moved(range: DayRange, by: 1 | -1): DayRange {
  const { from, to } = range;
  const isMonths = from === monthStart(from) && to === monthEnd(to);
  if (isMonths) {
    const months = monthsIn(range) * by;
    return { from: addMonths(from, months), to: monthEnd(addMonths(to, months)) };
  }
  const days = countDays(from, to) * by;
  return { from: addDays(from, days), to: addDays(to, days) };
}

/** Number of calendar months that the range touches. */
function monthsIn({ from, to }: DayRange): number {
  return (
    (Number(to.slice(0, 4)) - Number(from.slice(0, 4))) * 12 + Number(to.slice(5, 7)) - Number(from.slice(5, 7)) + 1
  );
}

/** Days of a bar. */
export interface Bin extends DayRange {
  readonly key: string;
}

/** Bars of a range: its days, or its months clipped to the range. */
export function binsOf({ from, to }: DayRange, granularity: Granularity): Bin[] {
  if (granularity === 'daily') {
    return Array.from({ length: countDays(from, to) }, (_, index) => {
      const day = addDays(from, index);
      return { key: day, from: day, to: day };
    });
  }
  return Array.from({ length: monthsIn({ from, to }) }, (_, index) => {
    const first = addMonths(from, index);
    const last = monthEnd(first);
    return { key: first.slice(0, 7), from: first < from ? from : first, to: last > to ? to : last };
  });
}

/** Key of the bar that contains a day. */
export function binOf(day: string, granularity: Granularity): string {
  return granularity === 'daily' ? day : day.slice(0, 7);
}
