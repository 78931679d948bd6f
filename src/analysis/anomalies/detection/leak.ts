import { median } from '../../series/stats.ts';
import { adjustedWithoutDrops, type History } from './history.ts';
import type { Baseline } from './baseline.ts';
import { isEndOfTerm } from './commitments.ts';
import { mayBeReturn } from './drops.ts';
import { adoptionDays, type Sensitivity } from './settings.ts';

const leastRise = 1.25;
const mostGrowth = 1.25;
/** Days from the middle of the compared weeks to the middle of the last one. */
const carriedDays = 25;
/** Starts of the earlier two-week windows, in days ago: a level that a series had in the last three months is not a leak. */
const earlierWeeks = [49, 63, 77, 91];
/** Minimum days at a level before a leak from it is reported, so that the compared weeks are not part of the last rise. */
const settledDays = 49;

/** The level that a leak left. */
export interface Leak {
  /** Cost per day. */
  readonly level: number;
  /** Minimum excess over the level of a week that has left it, in money per day. */
  readonly excess: number;
  /** Excess of the newest week over the level, in money per day. */
  readonly rise: number;
}

/** Returns the level that a series left by a slow rise, too small to detect day by day; null without one. Called once the
 *  newest day has been evaluated. */
export function leakFrom(history: History, { factors, sigma }: Baseline, sensitivity: Sensitivity): Leak | null {
  const now = history.clean.length;
  if (now - settledDays < history.levelStart) return null;
  const middle = (from: number, to: number) =>
    median(adjustedWithoutDrops(history, factors, { from: now - from, to: now - to }));
  const before = middle(35, 21);
  const growth = growthOf(
    adjustedWithoutDrops(history, factors, { from: Math.max(history.levelStart, now - 63), to: now - 21 }),
  );
  const known = earlierWeeks.filter((from) => now - from >= history.levelStart).map((from) => middle(from, from - 14));
  const grown = before * (Number.isNaN(growth) ? mostGrowth : Math.min(mostGrowth, Math.max(1, growth)));
  const usual = Math.max(grown, ...known.filter((level) => !Number.isNaN(level)));
  const rise = middle(adoptionDays, 0) - usual;
  const unusual = ((sensitivity.sigmas - 0.5) / Math.sqrt(3)) * sigma * usual;
  const excess = Math.max(sensitivity.minimumImpact, (leastRise - 1) * usual, unusual);
  if (!(rise >= excess) || mayBeReturn(history, usual + rise)) return null;
  const isExplained = isEndOfTerm(history, { factors }, { at: now - 1, rise: rise / usual });
  return isExplained ? null : { level: usual, excess, rise };
}

/** A reported leak is reported again once its excess has grown by this factor. */
const worsened = 2;
/** Minimum days between two reports of a leak: most rises end. */
const leastDays = 28;

/** Returns a reported leak with the excess of the newest week, if it is to be reported again; null otherwise.
 *  @param since days since the last report */
export function worsenedLeak(history: History, { factors }: Baseline, leak: Leak, since: number): Leak | null {
  if (since < leastDays) return null;
  const now = history.clean.length;
  const week = adjustedWithoutDrops(history, factors, { from: now - adoptionDays, to: now });
  const rise = median(week) - leak.level;
  return rise >= worsened * leak.rise ? { ...leak, rise } : null;
}

/** Returns the expected growth factor of a level until the last week, extrapolated from the centers of its first and last
 *  two weeks, which overlap if the level is young. NaN if they are unknown. */
function growthOf(days: readonly number[]): number {
  const apart = days.length - fortnight;
  return (median(days.slice(-fortnight)) / median(days.slice(0, fortnight))) ** (carriedDays / apart);
}

const fortnight = 14;
