import { median, theilSenSlope } from '../../series/stats.ts';
import { adjusted, type Drop, type Span, type History } from './history.ts';

/** Known days in which a drop shows: at least `fewestDays` of them are below a certain fraction of the two weeks before. */
const week = 7;
const fewestDays = 5;
const lowPart = 0.9;
const fortnight = 14;
/** Additional days searched for one and two weeks of known days, because some days can be unknown. */
const reach = 14;
/** Days after the start of a drop during which another one cannot be distinguished from it. */
const beginningDays = 21;
/** Days before a drop from which its growth is computed, and their minimum number. */
const growthDays = 84;
const fewestGrowthDays = 35;
/** Maximum daily growth that a return is expected to have caught up on. */
const maximumGrowth = 1.012;
/** A week at this fraction of the level before a drop has returned; the fraction is higher for shallow drops. */
const backPart = 0.8;
/** Days of a drop for which the level before it is remembered. */
const rememberedDays = 190;
/** Days after a drop during which a series may still be returning and weekdays are relearned. */
const returningDays = 21;
/** Days after a drop during which weeks before the return are compared with weeks after it. */
const unsettledDays = 70;
/** Days of a drop after which its level counts as normal, too: a rise above it that is not a return is reported. */
const settledDays = 56;
/** Minimum fraction of the level before a drop at which a rise can be the return from it. */
const nearPart = 0.7;

/** A week above this multiple of a return level is more than a return. */
const returnTolerance = 1.3;

/** Updates drops: started, ongoing, or ended. Called once the newest day is recorded. */
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
  /** Upper bound, including growth in the meantime. */
  readonly level: number;
  /** Lower bound of a return; 0 unless the level in the drop counts as normal, so that everything below the upper bound can
   *  be one. */
  readonly least: number;
}

/** Returns the levels that the series may return to on the next day: those before drops that are ongoing or ended within the
 *  last three weeks. */
export function returnsOf({ clean, drops }: History): Return[] {
  const now = clean.length;
  return drops
    .filter(({ lastLow }) => now - lastLow <= returningDays)
    .map((drop) => ({ level: levelAfter(drop, now), least: isSettled(drop, now) ? nearPart * drop.level : 0 }));
}

/** Returns whether a week at a level can be the return from a drop, or its aftermath. */
export function mayBeReturn({ clean, drops }: History, level: number): boolean {
  const now = clean.length;
  return drops.some((drop) => {
    const least = isSettled(drop, now) ? nearPart * drop.level : 0;
    return level >= least && level <= returnTolerance * levelAfter(drop, now);
  });
}

/** Returns the duration of the current drop in days; 0 without one. */
export function lastsFor({ drops }: History, at: number): number {
  return Math.max(0, ...drops.filter(({ lastLow }) => lastLow >= at - week).map(({ first }) => at - first));
}

/** Removes drops from levels that are no higher than that of the last week. */
export function forgetDropsBelow(history: History, factors: readonly number[]): void {
  const now = history.clean.length;
  const level = median(adjusted(history, factors, { from: now - week }));
  history.drops = history.drops.filter((drop) => backPart * levelAfter(drop, now) > level);
}

/** Returns whether a drop is ongoing that started long ago. */
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

/** Returns the drop shown by the newest known week, unless it belongs to a known one. */
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

/** Returns whether an ongoing drop started shortly before. */
function isKnown({ drops }: History, first: number): boolean {
  return drops.some((drop) => drop.lastLow >= first - 1 && first - drop.first <= beginningDays);
}

function growthBefore(history: History, factors: readonly number[], first: number): number {
  const last = history.drops.at(-1);
  const settled = last === undefined ? 0 : last.lastLow < first - 1 ? last.lastLow + 1 : last.first;
  const from = Math.max(history.levelStart, first - growthDays, settled);
  if (first - from >= fewestGrowthDays) return growthOf(history, factors, { from, to: first });
  if (last !== undefined) return last.growth;
  // The level is young: its growth is taken from the previous one.
  const to = history.levelStart;
  return to < fewestGrowthDays ? 1 : growthOf(history, factors, { from: Math.max(0, to - growthDays), to });
}

function growthOf(history: History, factors: readonly number[], span: Span): number {
  const logs = adjusted(history, factors, span).map((cost) => (cost > 0 ? Math.log(cost) : NaN));
  return Math.min(maximumGrowth, Math.exp(Math.max(0, theilSenSlope(logs))));
}
