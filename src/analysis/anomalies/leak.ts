import { median } from '../series/stats.ts';
import { adjusted, type Baseline } from './baseline.ts';
import type { History } from './history.ts';
import { adoptionDays, type Sensitivity } from './settings.ts';

const leastRise = 1.25;
const mostGrowth = 1.25;
/** From the middle of the compared weeks to the middle of the last one. */
const carriedDays = 25;
const growthDays = 28;
/** Two weeks each, by the days ago at which they begin: a level that a series had in the last three months is no leak. */
const earlierWeeks = [49, 63, 77, 91];
/** How long a level must hold before a leak from it can be told: the compared weeks are not of the last rise. */
const settledDays = 49;

/** The level that a series left by rising slowly, day by day too little to be seen; null when it did not. Called once the
 *  newest day has been judged. */
export function leakFrom(history: History, { factors, sigma }: Baseline, sensitivity: Sensitivity): number | null {
  const now = history.clean.length;
  if (now - settledDays < history.levelStart) return null;
  const middle = (from: number, to: number) => median(adjusted(history, factors, { from: now - from, to: now - to }));
  const before = middle(35, 21);
  const earlier = now - 63 < history.levelStart ? NaN : middle(63, 49);
  const growth = earlier > 0 ? (before / earlier) ** (carriedDays / growthDays) : 1;
  const known = earlierWeeks.filter((from) => now - from >= history.levelStart).map((from) => middle(from, from - 14));
  const usual = Math.max(before * Math.min(mostGrowth, Math.max(1, growth)), ...known);
  const rise = middle(adoptionDays, 0) - usual;
  const isLeak =
    rise >= sensitivity.minimumImpact &&
    rise >= (leastRise - 1) * usual &&
    rise >= ((sensitivity.sigmas - 0.5) / Math.sqrt(3)) * sigma * usual;
  return isLeak ? usual : null;
}
