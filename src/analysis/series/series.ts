import { addDays, daysBetween, type Day } from '../../kit/period.ts';

/** A cost on each UTC day from `start` on. */
export interface DailySeries {
  readonly start: Day;
  /** In one currency. NaN where a day is not known, which is not the same as nothing spent. */
  readonly values: readonly number[];
}

/** What of a series was known up to a day, with that day: nothing after it may be looked at. */
export function knownThrough(series: DailySeries, day: Day): DailySeries {
  return { start: series.start, values: series.values.slice(0, Math.max(0, daysBetween(series.start, day) + 1)) };
}

/** The newest days of a series. */
export function newest(series: DailySeries, days: number): DailySeries {
  const skipped = Math.max(0, series.values.length - days);
  return { start: addDays(series.start, skipped), values: series.values.slice(skipped) };
}

/** A series from the first day on which something was spent: before it a service was not used, which says nothing of what it
 *  will cost. As it is, where nothing ever was. */
export function sinceFirstCost(series: DailySeries): DailySeries {
  const first = series.values.findIndex((value) => value > 0);
  return first > 0 ? newest(series, series.values.length - first) : series;
}
