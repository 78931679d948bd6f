import type { ChargeKey } from '../../series/calendar.ts';
import { median } from '../../series/stats.ts';
import type { History } from './history.ts';
import { repeatTolerance } from './settings.ts';
import { lastDayOf, type OpenEpisode } from './episodes.ts';

const reachDays = 130;
const occurrences = 4;
const leastSigmas = 2;
const leastPart = 0.1;
/** One side of a day this part of the level below what was expected, the other not: a drop begins or ends. */
const edgePart = 0.2;
/** What two measures of one charge may differ by for the noise of the days they came on. */
const noiseSigmas = 2;

/** Money that comes at a day's position in the month. */
export interface MonthlyCharge {
  /** Known: as much came in two of the last four months; 0 when none did. */
  readonly known: number;
  /** What came at one of its positions before, on a day alone: last month, or in two of the last four. */
  readonly seen: readonly number[];
  /** What two amounts of one charge may differ by, beyond their tolerance, in money. */
  readonly noise: number;
}

/** What monthly charges earlier months had at the positions that a day has in its month.
 *  @param base what is expected of the day without charges
 *  @param sigma spread of ordinary days, as a part of the level */
export function chargeOn(
  history: History,
  at: number,
  { base, sigma }: { base: number; sigma: number },
): MonthlyCharge {
  const keys = history.days[at]?.keys ?? [];
  const looked = { at, keys, least: Math.max(leastSigmas * sigma, leastPart), noise: noiseSigmas * sigma * base };
  let known = 0;
  const seen: number[] = [];
  for (const key of keys) {
    const earlier = occurrencesOf(history, at, { key, least: looked.least });
    const own = ownOf(history, earlier, looked);
    known = Math.max(known, repeated(own, looked.noise));
    const large = earlier.filter(({ isLarge }) => isLarge);
    const alone = large.filter((each) => (large.length >= 2 || each === earlier[0]) && isAlone(history, each));
    seen.push(...alone.map(({ excess }) => excess));
  }
  return { known, seen, noise: looked.noise };
}

/** True when two amounts may be of one charge.
 *  @param noise what they may differ by, beyond their tolerance */
function isAlike(amount: number, other: number, noise: number): boolean {
  return Math.max(amount, other) <= repeatTolerance * Math.min(amount, other) + noise;
}

/** The amount that came twice or more; 0 when each is another. Spikes on the same day of two months seldom are alike, charges
 *  are. */
function repeated(own: readonly Occurrence[], noise: number): number {
  const amounts = own.map(({ excess }) => excess);
  const groups = amounts.map((amount) => amounts.filter((other) => isAlike(amount, other, noise)));
  const most = groups.reduce((best, group) => (group.length > best.length ? group : best), []);
  return most.length >= 2 ? median(most) : 0;
}

interface Occurrence {
  readonly day: number;
  readonly excess: number;
  readonly isLarge: boolean;
}

/** What a day's charges are looked for with: the least that is one, as a part of the level. */
interface Looked {
  readonly at: number;
  readonly keys: readonly ChargeKey[];
  readonly least: number;
  readonly noise: number;
}

/** The last four days at a position in the month, newest first. Days without a known cost tell nothing. */
function occurrencesOf(history: History, at: number, { key, least }: { key: ChargeKey; least: number }): Occurrence[] {
  const found: Occurrence[] = [];
  for (let day = at - 1; day >= Math.max(0, at - reachDays) && found.length < occurrences; day -= 1) {
    if (history.days[day]?.keys.includes(key) !== true) continue;
    const { excess, base } = isolatedExcess(history, day);
    if (!Number.isNaN(excess)) found.push({ day, excess, isLarge: excess > base * least });
  }
  return found;
}

/** The large ones that no position explains better which the day asked for does not have: a charge of every first of the
 *  month was on the first business day too in most months, and does not come again on that. */
function ownOf(history: History, earlier: readonly Occurrence[], { at, keys, least, noise }: Looked): Occurrence[] {
  const like = (all: readonly Occurrence[], excess: number) =>
    all.filter((each) => each.isLarge && isAlike(each.excess, excess, noise)).length;
  return earlier.filter(({ day, excess, isLarge }) => {
    if (!isLarge) return false;
    const others = history.days[day]?.keys.filter((key) => !keys.includes(key)) ?? [];
    const own = like(earlier, excess);
    return !others.some((key) => like(occurrencesOf(history, at, { key, least }), excess) > own);
  });
}

/** True when neither day beside it stands out half as much: spikes go on for days, charges do not. */
function isAlone(history: History, { day, excess }: Occurrence): boolean {
  return [day - 1, day + 1].every((at) => at < 0 || !(isolatedExcess(history, at).excess > excess / 2));
}

/** What a day exceeds its expectation without charges by, more than the days around it do: in a step every day is too high,
 *  in a drop too low, and neither makes or hides a charge. Of days on which nothing was expected yet, what the days around
 *  them cost was. */
function isolatedExcess({ costs, base, verdicts }: History, day: number): { excess: number; base: number } {
  const judged = base[day] ?? NaN;
  const level = Number.isNaN(judged)
    ? median(costs.slice(Math.max(0, day - 7), Math.min(base.length, day + 8)))
    : judged;
  const beyond = (at: number) => (costs[at] ?? NaN) - (Number.isNaN(judged) ? level : (base[at] ?? NaN));
  const isSpike = (at: number) => verdicts[at] === 'alerted' && verdicts[day] !== 'alerted';
  const typicalOf = (away: readonly number[]) =>
    median(
      away
        .map((days) => day + days)
        .filter((at) => at < base.length && !isSpike(at))
        .map(beyond),
    );
  const [before, after] = [typicalOf([-3, -2, -1]), typicalOf([1, 2, 3])];
  const isEdge = Math.min(before, after) < -edgePart * level && Math.abs(before - after) > edgePart * level;
  const own = beyond(day);
  // A day where a drop begins or ends is of one side, and no charge for being unlike the other.
  const usual = isEdge ? sideOf(own, before, after, leastPart * level) : typicalOf([-3, -2, -1, 1, 2, 3]);
  return { excess: own - (Number.isNaN(usual) ? 0 : usual), base: level };
}

function sideOf(own: number, before: number, after: number, noise: number): number {
  const higher = Math.max(before, after);
  return own >= higher - noise ? higher : Math.min(before, after);
}

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
