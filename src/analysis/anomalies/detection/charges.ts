import type { ChargeKey } from '../../series/calendar.ts';
import { isMonthly, isQuarterly } from '../../series/charges.ts';
import { median } from '../../series/stats.ts';
import type { History } from './history.ts';
import { repeatTolerance } from './settings.ts';

const reachDays = 130;
/** Days that contain three calendar quarters. */
const rareReachDays = 280;
const occurrences = 4;
const leastSigmas = 2;
const leastPart = 0.1;
/** A drop begins or ends where one side of a day is this fraction of the level below the expectation and below the other side. */
const edgePart = 0.2;
/** Tolerated difference between two amounts of one charge, in standard deviations, due to noise on their days. */
const noiseSigmas = 2;

/** Expected recurring charge at a day's positions. */
export interface MonthlyCharge {
  /** An amount that two of the last four occurrences had; 0 without one. */
  readonly known: number;
  /** Amounts on isolated days at its positions: last month's, or those of at least two of the last four occurrences. There are
   *  so many positions in quarters and in two weeks that a single amount often matches by chance. */
  readonly seen: readonly number[];
  /** The amount that two of the last four occurrences had as the same multiple of their expectation: work of the last
   *  business days costs more on a Monday than on a Friday. 0 without one. */
  readonly scaled: number;
  /** Tolerated difference between two amounts of one charge in addition to the relative tolerance, in money. */
  readonly noise: number;
}

/** Returns the charges that earlier days had at a day's positions in the month, in the quarter and in two weeks.
 *  @param base expected cost of the day without charges
 *  @param sigma spread of normal days, as a fraction of the level */
export function chargeOn(
  history: History,
  at: number,
  { base, sigma }: { base: number; sigma: number },
): MonthlyCharge {
  const keys = positionsOf(history, at);
  const looked = { at, keys, least: Math.max(leastSigmas * sigma, leastPart), noise: noiseSigmas * sigma * base };
  let known = 0;
  let multiple = 0;
  const seen: number[] = [];
  for (const key of keys) {
    const earlier = occurrencesOf(history, at, { key, least: looked.least });
    const own = ownOf(history, earlier, looked);
    const amounts = own.map((each) => each.excess);
    const multiples = own.map((each) => each.excess / each.base);
    known = Math.max(known, repeated(amounts, looked.noise));
    multiple = Math.max(multiple, repeated(multiples, noiseSigmas * sigma));
    const large = earlier.filter(({ isLarge }) => isLarge);
    const isolated = large.filter(
      (each) => (large.length >= 2 || (isMonthly(key) && each === earlier[0])) && isAlone(history, each),
    );
    seen.push(...isolated.map(({ excess }) => excess));
  }
  return { known, seen, scaled: multiple * base, noise: looked.noise };
}

/** Returns the positions of a day at which charges recur. Of those in the quarter, only its first day and first business day:
 *  there are so many others that two spikes would often fall on one of them by chance. */
function positionsOf({ days }: History, at: number): ChargeKey[] {
  return (days[at]?.keys ?? []).filter((key) => !isQuarterly(key) || /^[db]1q/.test(key));
}

/** Returns whether two amounts can be the same charge.
 *  @param noise tolerated difference in addition to the relative tolerance */
export function isAlike(amount: number, other: number, noise: number): boolean {
  return Math.max(amount, other) <= repeatTolerance * Math.min(amount, other) + noise;
}

/** Returns the amount that occurred at least twice; 0 if all differ. Spikes on the same day of two months are seldom alike,
 *  charges are. */
function repeated(amounts: readonly number[], noise: number): number {
  const groups = amounts.map((amount) => amounts.filter((other) => isAlike(amount, other, noise)));
  const most = groups.reduce((best, group) => (group.length > best.length ? group : best), []);
  return most.length >= 2 ? median(most) : 0;
}

interface Occurrence {
  readonly day: number;
  readonly excess: number;
  /** Expected cost of the day. */
  readonly base: number;
  readonly isLarge: boolean;
}

/** Search parameters for a day's charges: `least` is the minimum charge, as a fraction of the level. */
interface Looked {
  readonly at: number;
  readonly keys: readonly ChargeKey[];
  readonly least: number;
  readonly noise: number;
}

/** Returns the last four days at a position, newest first. Skips days with unknown cost. */
function occurrencesOf(history: History, at: number, { key, least }: { key: ChargeKey; least: number }): Occurrence[] {
  const found: Occurrence[] = [];
  const reach = isMonthly(key) ? reachDays : rareReachDays;
  for (let day = at - 1; day >= Math.max(0, at - reach) && found.length < occurrences; day -= 1) {
    if (history.days[day]?.keys.includes(key) !== true) continue;
    const { excess, base } = isolatedExcess(history, day);
    if (!Number.isNaN(excess)) found.push({ day, excess, base, isLarge: excess > base * least });
  }
  return found;
}

/** Returns the large occurrences that are not better explained by a position that the requested day lacks: a charge on every
 *  first of the month is also on the first business day in most months, but does not recur on that. */
function ownOf(history: History, earlier: readonly Occurrence[], { at, keys, least, noise }: Looked): Occurrence[] {
  const like = (all: readonly Occurrence[], excess: number) =>
    all.filter((each) => each.isLarge && isAlike(each.excess, excess, noise)).length;
  return earlier.filter(({ day, excess, isLarge }) => {
    if (!isLarge) return false;
    const others = positionsOf(history, day).filter((key) => !keys.includes(key));
    const own = like(earlier, excess);
    return !others.some((key) => like(occurrencesOf(history, at, { key, least }), excess) > own);
  });
}

/** Returns whether neither adjacent day stands out even half as much: spikes last for days, charges do not. */
function isAlone(history: History, { day, excess }: Occurrence): boolean {
  return [day - 1, day + 1].every((at) => at < 0 || !(isolatedExcess(history, at).excess > excess / 2));
}

/** Returns how much more a day exceeds its expectation without charges than the days around it: in a step every day is too
 *  high, in a drop too low, and neither creates or hides a charge. For days without an expectation yet, the surrounding
 *  costs serve as one. */
function isolatedExcess({ costs, base, verdicts }: History, day: number): { excess: number; base: number } {
  const expected = base[day] ?? NaN;
  const level = Number.isNaN(expected)
    ? median(costs.slice(Math.max(0, day - 7), Math.min(base.length, day + 8)))
    : expected;
  const beyond = (at: number) => (costs[at] ?? NaN) - (Number.isNaN(expected) ? level : (base[at] ?? NaN));
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
  // A day at the edge of a drop belongs to one side, and being unlike the other does not make it a charge.
  const usual = isEdge ? sideOf(own, before, after, leastPart * level) : typicalOf([-3, -2, -1, 1, 2, 3]);
  return { excess: own - (Number.isNaN(usual) ? 0 : usual), base: level };
}

function sideOf(own: number, before: number, after: number, noise: number): number {
  const higher = Math.max(before, after);
  return own >= higher - noise ? higher : Math.min(before, after);
}
