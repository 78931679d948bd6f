import { median, quantile, robustSigma, theilSenSlope } from '../../series/stats.ts';
import { adjusted, type History } from './history.ts';
import { returnsOf, type Return } from './drops.ts';
import { levelDays, maximumSlope, memoryDays, minimumSigma, slopeDays, spreadDays } from './settings.ts';

/** What is ordinary for a series just before a day, weekdays and monthly charges apart. */
export interface Baseline {
  /** Factor of each weekday, Sunday first. */
  readonly factors: readonly number[];
  /** Money a day. */
  readonly level: number;
  /** Spread of ordinary days, as a part of the level. */
  readonly sigma: number;
  /** The levels that the series may return to. */
  readonly returns: readonly Return[];
  /** What one ordinary day above its expectation in twenty exceeds it by, as a part of it; 0 where none is known. */
  readonly usualExcess: number;
}

const sigmaScale = 1.1;
/** Ordinary days from which the usual excess is taken. */
const residualDays = 100;

/** Judges by the days before the one that comes next. */
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

/** The median of the last two weeks, carried on by the slope; or what was usual before, if that was more. */
function levelOf(history: History, factors: readonly number[]): number {
  const now = history.clean.length;
  const since = (days: number) => adjusted(history, factors, { from: Math.max(history.levelStart, now - days) });
  const recent = median(since(levelDays));
  const slope = Math.min(maximumSlope * recent, Math.max(0, theilSenSlope(since(slopeDays))));
  const carried = recent + (slope * (Math.min(levelDays, now - history.levelStart) + 1)) / 2;
  return Math.max(carried, median(since(memoryDays)));
}

/** Spread around the week's median: neither slopes nor steps count. */
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

/** What the usage of each weekday, Sunday first, is as a part of its week, from the last ten weeks. From usage as it was, not
 *  as it was expected: a new weekly job would never be learnt otherwise. Drawn towards 1 by its standard error; in the first
 *  three weeks the highest seen, so that no weekday is too high for being the first of its kind. */
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

/** What a weekday was at least in the last two weeks, as a part of its week; 1 where that is less, or unknown. */
export function recentFactor({ days, ratios }: History, weekday: number): number {
  const recent: number[] = [];
  for (let at = ratios.length - 1; at >= 0 && recent.length < 2; at -= 1)
    if (days[at]?.weekday === weekday && !Number.isNaN(ratios[at] ?? NaN)) recent.push(ratios[at] ?? 1);
  return recent.length < 2 ? 1 : Math.max(1, Math.min(...recent));
}

/** Between which costs a day was expected; NaN where it was not judged. */
export interface Limits {
  /** How far down ordinary days reach. Falls are never told, so that nothing follows from a cost below it. */
  readonly low: number;
  /** From it on a day is too high, unless that repeats what was before or returns to it. */
  readonly high: number;
}

/** Of a day that was not judged. */
export const unknownLimits: Limits = { low: NaN, high: NaN };

/** The limits of a day around what was expected of it.
 *  @param spread money that ordinary days stand out by, as far as the sensitivity reaches
 *  @param excess money beyond the expectation from which on the day is too high */
export function limitsAround(
  expected: number,
  { spread, excess }: { readonly spread: number; readonly excess: number },
): Limits {
  const low = expected - Math.max(0, spread);
  // Usage costs nothing at the least, unless less than that was expected of it.
  return { low: Math.max(Math.min(0, expected), low), high: expected + excess };
}
