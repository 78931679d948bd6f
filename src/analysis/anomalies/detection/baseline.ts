import { median, quantile, robustSigma, theilSenSlope } from '../../series/stats.ts';
import type { MonthlyCharge } from './charges.ts';
import { adjusted, type History } from './history.ts';
import { returnsOf, type Return } from './drops.ts';
import { levelDays, maximumSlope, memoryDays, minimumSigma, slopeDays, spreadDays } from './settings.ts';

/** Whether a day's cost can be the return from a drop, at or below the level before it. `below`: far below that level, in a
 *  drop whose own level has long been normal. */
export type Returned = 'no' | 'near' | 'below';

/** A day compared with its expectation. */
export interface ComparedDay {
  readonly at: number;
  readonly baseline: Baseline;
  readonly charge: MonthlyCharge;
  /** Excess over the expectation, in money. */
  readonly excess: number;
  /** Minimum excess of an unusual day. */
  readonly threshold: number;
  readonly returned: Returned;
}

/** The normal level and spread of a series just before a day, adjusted for weekdays and monthly charges. */
export interface Baseline {
  /** Factor of each weekday, Sunday first. */
  readonly factors: readonly number[];
  /** Cost per day. */
  readonly level: number;
  /** Spread of normal days, as a fraction of the level. */
  readonly sigma: number;
  /** Levels that the series may return to. */
  readonly returns: readonly Return[];
  /** The excess over the expectation that one in twenty above-expectation normal days reaches, as a fraction of it; 0 if
   *  unknown. */
  readonly usualExcess: number;
}

const sigmaScale = 1.1;
/** Normal days from which the usual excess is computed. */
const residualDays = 100;

/** Computes the baseline from all days before the next one. */
export function baselineOf(history: History, factors: readonly number[]): Baseline {
  const positive = history.residuals.slice(-residualDays).filter((residual) => residual > 0);
  return {
    factors,
    level: levelOf(history, factors),
    returns: returnsOf(history),
    sigma: sigmaOf(adjusted(history, factors, { from: history.clean.length - spreadDays })),
    usualExcess: positive.length === 0 ? 0 : quantile(positive, 0.95),
  };
}

/** Returns the median of the last two weeks, extrapolated by the slope, or the earlier usual level if that was higher. */
function levelOf(history: History, factors: readonly number[]): number {
  const now = history.clean.length;
  const since = (days: number) => adjusted(history, factors, { from: Math.max(history.levelStart, now - days) });
  const recent = median(since(levelDays));
  const slope = Math.min(maximumSlope * recent, Math.max(0, theilSenSlope(since(slopeDays))));
  const carried = recent + (slope * (Math.min(levelDays, now - history.levelStart) + 1)) / 2;
  return Math.max(carried, median(since(memoryDays)));
}

/** Returns the spread around the weekly median, so that slopes and steps do not count. */
function sigmaOf(values: readonly number[]): number {
  const residuals = values.map((value, at) => {
    const around = median(values.slice(Math.max(0, at - 3), at + 4));
    return around > 0 ? value / around - 1 : NaN;
  });
  const sigma = sigmaScale * robustSigma(residuals);
  return Number.isNaN(sigma) ? minimumSigma : Math.max(minimumSigma, sigma);
}

const weeks = 10;
const fewest = 3;

/** Computes the ratio of each weekday, Sunday first, to its week, over the last ten weeks. Uses actual rather than expected
 *  usage, so that a new weekly job is learned. Shrunk towards 1 by the standard error; in the first three weeks the highest
 *  ratio seen is used, so that no weekday is flagged merely for being the first of its kind. */
export function weekdayFactors({ days, ratios }: History): number[] {
  const byWeekday: number[][] = [[], [], [], [], [], [], []];
  for (let at = Math.max(0, ratios.length - weeks * 7); at < ratios.length; at += 1) {
    const ratio = ratios[at] ?? NaN;
    if (!Number.isNaN(ratio)) byWeekday[days[at]?.weekday ?? 0]?.push(ratio);
  }
  return byWeekday.map(factorOf);
}

function factorOf(ratios: readonly number[]): number {
  if (ratios.length < fewest) return Math.max(1, ...ratios);
  const away = median(ratios) - 1;
  const variance = (1.57 * robustSigma(ratios) ** 2) / ratios.length;
  return away === 0 ? 1 : 1 + away * Math.max(0, 1 - variance / away ** 2);
}

/** Returns the lowest ratio of a weekday to its week in the last two weeks; 1 if that is lower or unknown. */
export function recentFactor({ days, ratios }: History, weekday: number): number {
  const recent: number[] = [];
  for (let at = ratios.length - 1; at >= 0 && recent.length < 2; at -= 1)
    if (days[at]?.weekday === weekday && !Number.isNaN(ratios[at] ?? NaN)) recent.push(ratios[at] ?? 1);
  return recent.length < 2 ? 1 : Math.max(1, Math.min(...recent));
}

/** Bounds of a day's expected cost; NaN if it was not evaluated. */
export interface Limits {
  /** Lower bound of normal days. Falls are not reported, so a cost below it has no effect. */
  readonly low: number;
  /** A day with at least this cost is too high, unless it repeats or returns to an earlier level. */
  readonly high: number;
}

/** Limits of a day that was not evaluated. */
export const unknownLimits: Limits = { low: NaN, high: NaN };

/** Returns the limits of a day around its expected cost.
 *  @param spread how far normal days deviate at this sensitivity, in money
 *  @param excess minimum excess over the expectation of a day that is too high, in money */
export function limitsAround(
  expected: number,
  { spread, excess }: { readonly spread: number; readonly excess: number },
): Limits {
  const low = expected - Math.max(0, spread);
  // Usage costs at least 0, unless the expectation itself is negative.
  return { low: Math.max(Math.min(0, expected), low), high: expected + excess };
}
