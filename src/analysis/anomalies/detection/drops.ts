import { median, theilSenSlope } from '../../series/stats.ts';
import { adjusted, type Span, type History } from './history.ts';

/** A drop that a series is in, or has returned from. */
export interface Drop {
  /** Number of its first day. */
  readonly first: number;
  /** The level before it, weekdays apart. */
  readonly level: number;
  /** What its first days cost, as a part of that. */
  readonly depth: number;
  /** What the level grew by a day before it, as a factor; 1 where it did not grow. */
  readonly growth: number;
  /** The newest day on which it lasted. */
  lastLow: number;
}

/** Of so many known days, so many below this part of the two weeks before them are a drop. */
const week = 7;
const fewestDays = 5;
const lowPart = 0.9;
const fortnight = 14;
/** Days in which a week and two are looked for that are known. */
const reach = 14;
/** Days after the beginning of a drop in which another one cannot be told from it. */
const beginningDays = 21;
/** Days before a drop from which its growth is taken, and fewest. */
const growthDays = 84;
const fewestGrowthDays = 35;
/** Most growth a day that a return is expected to have made up for. */
const maximumGrowth = 1.012;
/** A week from this part of the level before a drop on is back; nearer, where the drop was shallow. */
const backPart = 0.8;
/** Days of a drop that what was before it is remembered for. */
const rememberedDays = 190;
/** Days after a drop in which a series may still be returning, and weekdays are learnt again. */
const returningDays = 21;
/** Days after a drop in which weeks before the return are compared with weeks after it. */
const unsettledDays = 70;
/** Days of a drop from which on its level is the usual one, too: what exceeds it, and is no return, is told. */
const settledDays = 56;
/** From this part of the level before a drop on, a rise may be the return from it. */
const nearPart = 0.7;

/** A week that is higher than this part of the level that a series may return to is more than the return. */
const returnTolerance = 1.3;

/** Follows drops: which have begun, last, or are over. Called once the newest day is recorded. */
export function followDrops(history: History, factors: readonly number[]): void {
  const now = history.clean.length - 1;
  history.drops = history.drops.filter(
    ({ first, lastLow }) => now - lastLow <= unsettledDays && lastLow - first <= rememberedDays,
  );
  for (const drop of history.drops) if (!isBack(history, factors, drop)) drop.lastLow = now;
  const begun = newDrop(history, factors);
  if (begun !== null) history.drops = [...history.drops, begun];
}

/** A level that a series may return to. */
export interface Return {
  /** The highest that it may have grown to meanwhile. */
  readonly level: number;
  /** The least that is a return; 0 where nothing is known of the level in the drop yet, and all below the highest may be. */
  readonly least: number;
}

/** What the series may return to on the day that comes next: the levels before the drops that it is in, or was in until three weeks ago. */
export function returnsOf({ clean, drops }: History): Return[] {
  const now = clean.length;
  return drops
    .filter(({ lastLow }) => now - lastLow <= returningDays)
    .map((drop) => ({ level: levelAfter(drop, now), least: isSettled(drop, now) ? nearPart * drop.level : 0 }));
}

/** True when a week at a level may be the return from a drop, or what came of one. */
export function mayBeReturn({ clean, drops }: History, level: number): boolean {
  const now = clean.length;
  return drops.some((drop) => {
    const least = isSettled(drop, now) ? nearPart * drop.level : 0;
    return level >= least && level <= returnTolerance * levelAfter(drop, now);
  });
}

/** How many days the drop has lasted that the series is in; 0 where it is in none. */
export function lastsFor({ drops }: History, at: number): number {
  return Math.max(0, ...drops.filter(({ lastLow }) => lastLow >= at - week).map(({ first }) => at - first));
}

/** Forgets the drops from levels that are no higher than that of the last week. */
export function forgetDropsBelow(history: History, factors: readonly number[]): void {
  const now = history.clean.length;
  const level = median(adjusted(history, factors, { from: now - week }));
  history.drops = history.drops.filter((drop) => backPart * levelAfter(drop, now) > level);
}

/** True while a drop lasts that began long ago. */
function isSettled({ first, lastLow }: Drop, now: number): boolean {
  return now - first > settledDays && lastLow === now - 1;
}

function levelAfter({ first, level, growth }: Drop, day: number): number {
  return level * growth ** (day - first + week);
}

function isBack(history: History, factors: readonly number[], drop: Drop): boolean {
  const now = history.clean.length;
  const part = Math.max(backPart, (1 + drop.depth) / 2);
  return median(adjusted(history, factors, { from: now - week })) >= part * levelAfter(drop, now - week / 2);
}

/** The drop that the newest known week shows, if it belongs to none that is known. */
function newDrop(history: History, factors: readonly number[]): Drop | null {
  const from = Math.max(history.levelStart, history.clean.length - week - fortnight - reach);
  const known = adjusted(history, factors, { from })
    .map((cost, index) => ({ day: from + index, cost }))
    .filter(({ cost }) => !Number.isNaN(cost));
  const before = known.slice(-week - fortnight, -week);
  if (before.length < week) return null;
  const level = median(before.map(({ cost }) => cost));
  const low = known.slice(-week).filter(({ cost }) => cost < lowPart * level);
  const first = low[0]?.day;
  if (first === undefined || low.length < fewestDays || isKnown(history, first)) return null;
  return {
    first,
    level,
    depth: median(low.map(({ cost }) => cost)) / level,
    growth: growthBefore(history, factors, first),
    lastLow: history.clean.length - 1,
  };
}

/** True when a drop that goes on has begun just before. */
function isKnown({ drops }: History, first: number): boolean {
  return drops.some((drop) => drop.lastLow >= first - 1 && first - drop.first <= beginningDays);
}

function growthBefore(history: History, factors: readonly number[], first: number): number {
  const last = history.drops.at(-1);
  const settled = last === undefined ? 0 : last.lastLow < first - 1 ? last.lastLow + 1 : last.first;
  const from = Math.max(history.levelStart, first - growthDays, settled);
  if (first - from >= fewestGrowthDays) return growthOf(history, factors, { from, to: first });
  if (last !== undefined) return last.growth;
  // The level is young: it goes on as the one before it did.
  const to = history.levelStart;
  return to < fewestGrowthDays ? 1 : growthOf(history, factors, { from: Math.max(0, to - growthDays), to });
}

function growthOf(history: History, factors: readonly number[], span: Span): number {
  const logs = adjusted(history, factors, span).map((cost) => (cost > 0 ? Math.log(cost) : NaN));
  return Math.min(maximumGrowth, Math.exp(Math.max(0, theilSenSlope(logs))));
}
