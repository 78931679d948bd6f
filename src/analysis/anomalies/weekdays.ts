import { median, robustSigma } from '../series/stats.ts';
import type { History } from './history.ts';

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
