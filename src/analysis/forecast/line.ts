import { median, robustSigma, theilSenSlope } from '../series/stats.ts';

/** Maximum distance in days of pairs for a trend: a change of level is not a trend, and most pairs of more distant days
 *  would span it (measured: the error of a 60-day sum on generated costs falls by two fifths, on real series it stays or
 *  falls). */
const trendReach = 60;
const anchorDays = 21;
/** Additional days, beyond the anchor's, until a trend has full weight. */
const trustDays = 100;
const errorDays = 91;

/** Percentage growth is used if its median residual is below this fraction of that of linear growth (measured: the error on
 *  generated costs that grow by up to 30% per month falls by a quarter, on others and on real series nothing changes). */
const curvedShare = 0.7;
/** Maximum daily percentage growth, 35% per month: a service that is being rolled out settles. */
const mostGrowth = 0.01;

/** Returns the change per day at the end of a history, from days up to 60 apart. For percentage growth it is that of the
 *  last days: after a year of growth by 20% per month, the middle of the year has only a third of it. */
export function trendOf(values: readonly number[]): number {
  const straight = fitted(values);
  if (!values.every((value) => value > 0)) return straight.slope;
  const curved = fitted(values.map(Math.log));
  const unexplained = (expected: (at: number) => number) =>
    median(values.map((value, at) => Math.abs(value - expected(at - values.length + 1))));
  const isCurved =
    unexplained((day) => Math.exp(curved.anchor + curved.slope * day)) <
    curvedShare * unexplained((day) => straight.anchor + straight.slope * day);
  if (!isCurved) return straight.slope;
  return Math.max(straight.slope, Math.min(curved.slope, mostGrowth) * Math.exp(curved.anchor));
}

/** Fits a robust line through the median of the last days. */
function fitted(values: readonly number[]): { slope: number; anchor: number } {
  const slope = theilSenSlope(values, trendReach);
  return { slope, anchor: anchorOf(values, slope) };
}

function anchorOf(values: readonly number[], slope: number): number {
  return median(values.slice(-anchorDays).map((value, at, { length }) => value - slope * (at - length + 1)));
}

/** Consecutive days on one side of the previous level that make a new level, and their minimum distance from it: a spike is
 *  shorter. */
const settledDays = 5;
const settledSigmas = 4;
const settledShare = 0.25;

/** Returns the start of the line: the median of the last 21 days, or of the days since costs changed to another level. */
function anchorAt(level: readonly number[]): number {
  const anchor = median(level.slice(-anchorDays));
  const sigma = robustSigma(level.slice(-errorDays));
  const apart = Math.max(settledSigmas * sigma, settledShare * Math.abs(anchor));
  const side = Math.sign((level.at(-1) ?? anchor) - anchor);
  const first = level.findLastIndex((value) => (value - anchor) * side <= apart) + 1;
  return level.length - first >= settledDays ? median(level.slice(first)) : anchor;
}

/** Days from which a recent decline is estimated. */
const declineDays = 35;
/** Minimum decline within the anchor's days, in standard deviations: the newest days of most series look like a small one. */
const declineSigmas = 8;
/** Minimum decline within the anchor's days, as a fraction of the level. */
const declineShare = 0.1;
/** Fraction of a decline that remains after a day: it ends, at the latest with the last resource. */
const declinePhi = 0.95;

/** Returns the decline of the newest days beyond the trend, per day, and the level at its end; null without one. A service that
 *  is being replaced would otherwise start at its level of a week and a half ago (measured: a quarter less error on
 *  migrations, the same on all other sets). Rises are left to the trend: most of them are steps that end. */
function declineOf(level: readonly number[]): { readonly slope: number; readonly anchor: number } | null {
  const slope = theilSenSlope(level.slice(-declineDays));
  const rest = level.slice(-anchorDays).map((value, at, { length }) => value - slope * (at - length + 1));
  const least = Math.max(declineSigmas * robustSigma(rest), declineShare * Math.abs(median(level.slice(-anchorDays))));
  return -slope * anchorDays > least ? { slope, anchor: median(rest) } : null;
}

/** Extrapolates a straight line: the trend of the whole history, anchored at its last days; a recent decline is
 *  damped.
 *  @param values of each day, without weekdays, charges and outliers
 *  @param trend see `trendOf` */
export function lineAhead(values: readonly number[], horizon: number, trend = trendOf(values)): number[] {
  const trust = Math.min(1, Math.max(0, (values.length - anchorDays) / trustDays));
  const slope = trust * trend;
  const last = values.length - 1;
  const level = values.map((value, at) => value - slope * (at - last));
  const { slope: declining, anchor } = declineOf(level) ?? { slope: 0, anchor: anchorAt(level) };
  const declined = (days: number) => (declining * (1 - declinePhi ** days)) / (1 - declinePhi);
  return Array.from({ length: horizon }, (_, at) => anchor + slope * (at + 1) + declined(at + 1));
}
