import type { CalendarDay } from '../../series/calendar.ts';
import { median } from '../../series/stats.ts';
import { isAlike } from './charges.ts';
import { endedTermDays, isOfCommitment } from './commitments.ts';
import { lastDayOf, type OpenEpisode } from './episodes.ts';
import { leastFactor, type History } from './history.ts';
import { repeatTolerance } from './settings.ts';
import type { ComparedDay } from './baseline.ts';

const usualEpisodes = 3;
const usualDays = 56;
const week = 7;

/** Returns whether a high day is a recurrence: a charge that occurred once at this position of the month or the same multiple
 *  of several, last week's cost on this weekday, an excess that the series reaches every few weeks, the same season of last
 *  year, a level that it switches to, or the fee or end of a commitment. */
export function isRecurring(history: History, episodes: readonly OpenEpisode[], compared: ComparedDay): boolean {
  const { at, excess, charge } = compared;
  if (isSwitched(history, compared)) return true;
  if (charge.seen.some((amount) => isAlike(excess + charge.known, amount, charge.noise))) return true;
  if (excess + charge.known <= repeatTolerance * charge.scaled) return true;
  if (wasHighLastYear(history, compared) || isOfCommitment(history, compared)) return true;
  const before = at - week;
  const verdict = history.verdicts[before];
  if ((verdict === 'alerted' || verdict === 'muted') && before >= history.levelStart) {
    if (excess <= repeatTolerance * excessOf(history, before)) return true;
  }
  const recent = episodes.filter((episode) => at - lastDayOf(episode) > 2 && at - lastDayOf(episode) <= usualDays);
  return recent.length >= usualEpisodes && excess <= median(recent.map((episode) => peakOf(history, episode)));
}

const switchDays = 120;
const fewestStretches = 2;
const stretchDays = 3;
/** Factor by which a level can exceed that of an earlier stretch. */
const switchTolerance = 1.15;

/** Consecutive days on which an environment is on, up to one of them. */
interface OnDays {
  readonly days: number;
  /** Number of the newest of them that are at the compared level. */
  readonly atLeast: number;
  /** Whether they have reached the compared level or cost. */
  readonly isReached: boolean;
}

const off: OnDays = { days: 0, atLeast: 0, isReached: false };

function isStretch({ days, isReached }: OnDays): boolean {
  return days >= stretchDays && isReached;
}

/** Returns whether the series was at this level, adjusted for weekdays, in at least two earlier stretches of several days: an
 *  environment that is switched on and off. Weeks that begin on the same weekday hide how much that weekday costs more, so
 *  stretches that reached this cost on the same weekday count, too. */
function isSwitched(
  { costs, days, charge }: History,
  { at, baseline: { factors, level }, charge: { known } }: ComparedDay,
): boolean {
  const usageOn = (day: number, own: number) => (costs[day] ?? NaN) - own;
  const levelOn = (day: number, own: number) => usageOn(day, own) / (factors[days[day]?.weekday ?? 0] ?? 1);
  const least = levelOn(at, known) / switchTolerance;
  const halfway = Math.min(least, (levelOn(at, known) + level) / 2);
  const leastUsage = usageOn(at, known) / switchTolerance;
  let stretches = 0;
  let on = off;
  for (let day = Math.max(0, at - switchDays); day < at - 1; day += 1) {
    const own = charge[day] ?? 0;
    const reached = levelOn(day, own);
    if (!(reached >= halfway)) {
      on = off;
      continue;
    }
    const atLeast = reached >= least ? on.atLeast + 1 : 0;
    const isSame = (at - day) % week === 0 && usageOn(day, own) >= leastUsage;
    const next = { days: on.days + 1, atLeast, isReached: on.isReached || isSame || atLeast >= stretchDays };
    if (isStretch(next) && !isStretch(on)) stretches += 1;
    on = next;
  }
  return stretches >= fewestStretches;
}

/** A whole number of weeks, nearly a year. */
const yearDays = 364;
/** Days by which a season may begin earlier or later than in the last year. */
const seasonReach = 3;
/** Minimum days of a season: a single spike last year does not predict one this year. */
const fewestSeasonDays = 2;
/** Days before a season whose median is the level that it rises from, in days ago. */
const levelBefore = { from: 35, to: 8 };

/** Days before the first evaluated one that show its last year. */
export const lastYearDays = Math.max(yearDays + levelBefore.from, endedTermDays);

/** Returns whether costs rose as much in the same season of last year, such as the week of Black Friday, or on the same date. */
function wasHighLastYear({ costs, days }: History, { at, excess, baseline: { factors } }: ComparedDay): boolean {
  const levelOn = (day: number) => {
    const factor = factors[days[day]?.weekday ?? 0] ?? 1;
    return factor < leastFactor ? NaN : (costs[day] ?? NaN) / factor;
  };
  const sameDay = at - yearDays;
  if (sameDay < levelBefore.from) return false;
  const before = median(rangeOf(sameDay - levelBefore.from, sameDay - levelBefore.to).map(levelOn));
  const rise = excess / ((costs[at] ?? NaN) - excess);
  const high = rangeOf(sameDay - seasonReach, sameDay + seasonReach + 1).filter(
    (day) => repeatTolerance * (levelOn(day) / before - 1) >= rise,
  );
  return high.length >= fewestSeasonDays || high.some((day) => isSameDate(days[day], days[at]));
}

function isSameDate(day: CalendarDay | undefined, other: CalendarDay | undefined): boolean {
  return day?.dayOfMonth === other?.dayOfMonth && (day?.month ?? 0) % 12 === (other?.month ?? 0) % 12;
}

/** Integers of a half-open range. */
function rangeOf(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

function peakOf(history: History, episode: OpenEpisode): number {
  return Math.max(...[...episode.expected.keys()].map((day) => excessOf(history, day)));
}

function excessOf({ costs, base, charge }: History, day: number): number {
  return (costs[day] ?? NaN) - (base[day] ?? NaN) - (charge[day] ?? 0);
}
