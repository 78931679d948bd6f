import { median, quantile, robustSigma, theilSenSlope } from '../series/stats.ts';
import type { History } from './history.ts';
import { adjusted } from './adjusted.ts';
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
