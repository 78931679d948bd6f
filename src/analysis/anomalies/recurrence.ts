import { isAlike, type MonthlyCharge } from './charges.ts';
import { median } from '../series/stats.ts';
import { lastDayOf, type OpenEpisode } from './episodes.ts';
import type { History } from './history.ts';
import { repeatTolerance } from './settings.ts';

const usualEpisodes = 3;
const usualDays = 56;
const week = 7;

/** True when a day that is too high is one that comes again: a charge that came at this place in the month once, what came on
 *  this weekday a week ago, or no more than a series does every few weeks.
 *  @param excess beyond the expectation, monthly charges included */
export function isRecurring(
  history: History,
  episodes: readonly OpenEpisode[],
  { at, excess, charge }: { readonly at: number; readonly excess: number; readonly charge: MonthlyCharge },
): boolean {
  if (charge.seen.some((amount) => isAlike(excess + charge.known, amount, charge.noise))) return true;
  const before = at - week;
  const verdict = history.verdicts[before];
  if ((verdict === 'alerted' || verdict === 'muted') && before >= history.levelStart) {
    if (excess <= repeatTolerance * excessOf(history, before)) return true;
  }
  const recent = episodes.filter((episode) => at - lastDayOf(episode) > 2 && at - lastDayOf(episode) <= usualDays);
  return recent.length >= usualEpisodes && excess <= median(recent.map((episode) => peakOf(history, episode)));
}

function peakOf(history: History, episode: OpenEpisode): number {
  return Math.max(...[...episode.expected.keys()].map((day) => excessOf(history, day)));
}

function excessOf({ costs, base, charge }: History, day: number): number {
  return (costs[day] ?? NaN) - (base[day] ?? NaN) - (charge[day] ?? 0);
}
