import type { CalendarDay } from './calendar.ts';
import { median, robustSigma } from './stats.ts';

/** Ratio to the level by weekday, Sunday first; their mean is 1. */
export type WeekdayFactors = readonly number[];

export const evenWeek: WeekdayFactors = [1, 1, 1, 1, 1, 1, 1];

const weeks = 13;
/** Standard error of a median, in standard errors of the mean: √(π/2). */
const medianError = 1.2533;

/** How the days of the week differ: by weekday, the median ratio to the level over the newest 13 weeks, shrunk to 1 as far as
 *  chance can explain it. From costs as they are: from cleaned ones, a new weekly job would never be learnt.
 *  @param level of each day, without weekdays; days where it is not above 0 are left out */
export function weekdayFactors(
  values: readonly number[],
  level: readonly number[],
  calendar: readonly CalendarDay[],
): WeekdayFactors {
  const ratios: number[][] = evenWeek.map(() => []);
  for (let at = Math.max(0, values.length - weeks * 7); at < values.length; at++) {
    const ratio = (values[at] ?? NaN) / (level[at] ?? NaN);
    if ((level[at] ?? 0) > 0 && !Number.isNaN(ratio)) ratios[calendar[at]?.weekday ?? 0]?.push(ratio);
  }
  const middles = ratios.map((ratio) => (ratio.length < 2 ? 1 : median(ratio)));
  const sigma = robustSigma(ratios.flatMap((ratio, weekday) => ratio.map((each) => each - (middles[weekday] ?? 1))));
  const shrunk = middles.map((middle, weekday) => {
    const error = (medianError * sigma) / Math.sqrt(ratios[weekday]?.length ?? 1);
    const distance = middle - 1;
    return distance === 0 ? 1 : 1 + distance ** 3 / (distance ** 2 + error ** 2);
  });
  const average = shrunk.reduce((sum, factor) => sum + factor, 0) / 7;
  return average > 0 ? shrunk.map((factor) => Math.max(0, factor / average)) : evenWeek;
}
