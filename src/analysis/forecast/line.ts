import { median, theilSenSlope } from '../series/stats.ts';

/** What a model says of the days after a history: the first is the day after its last. */
export interface Curve {
  /** Cost of each day. */
  readonly values: readonly number[];
  /** Standard error of each, as the model itself sees it. */
  readonly errors: readonly number[];
}

/** A change of level is no trend: of days further apart, most pairs would lie across it (measured: the error of a 60-day sum on
 *  generated costs falls by two fifths, on real series it stays or falls). */
const trendReach = 60;
const anchorDays = 21;
/** How many more days than the anchor's it takes until a trend is believed in full. */
const trustDays = 100;
const errorDays = 91;

/** Change per day, by days up to 60 apart. */
export function trendOf(values: readonly number[]): number {
  return theilSenSlope(values, trendReach);
}

/** A straight line: the Theil–Sen slope of the whole history, through the median of its last 21 days.
 *  @param values of each day, without weekdays, charges and outliers */
export function lineAhead(values: readonly number[], horizon: number): Curve {
  const trust = Math.min(1, Math.max(0, (values.length - anchorDays) / trustDays));
  const slope = trust * trendOf(values);
  const last = values.length - 1;
  const level = values.map((value, at) => value - slope * (at - last));
  const anchor = median(level.slice(-anchorDays));
  const recent = level.slice(-errorDays);
  const variance = recent.reduce((sum, value) => sum + (value - anchor) ** 2, 0) / recent.length;
  const days = Array.from({ length: horizon }, (_, index) => index + 1);
  return {
    values: days.map((day) => anchor + slope * day),
    errors: days.map((day) => Math.sqrt(variance * (1 + day / values.length))),
  };
}
