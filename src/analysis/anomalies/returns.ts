import { median } from '../series/stats.ts';
import { adjusted, isLow } from './adjusted.ts';
import type { History } from './history.ts';

/** Fewest low days that are a drop. */
const fewestDays = 5;
/** Days between low days of one drop that are not low. */
const mostApart = 4;
/** Days after the last low one in which a series may still be returning, and weekdays are learnt again. */
const returningDays = 21;
/** Six weeks of a drop, and the two after it until the level is that of the return: later, what was before is forgotten. */
const reachDays = 56;
const fortnight = 14;
/** Days before the drop from which growth is taken. */
const growthDays = 42;
/** Most growth a day that a return is expected to have made up for. */
const maximumGrowth = 1.012;

/** The level at which a series returns from the drop that it is in, or was in until three weeks ago: what it had before it, grown
 *  on as it grew then. Null where there was no drop. */
export function returnLevel(history: History, factors: readonly number[]): number | null {
  const now = history.clean.length;
  const first = startOfDrop(history, now);
  if (first === null || first - fortnight < history.levelStart) return null;
  const before = adjusted(history, factors, { from: Math.max(history.levelStart, first - growthDays), to: first });
  const level = median(before.slice(-fortnight));
  const apart = before.length - fortnight;
  const growth = apart < fortnight ? 1 : (level / median(before.slice(0, fortnight))) ** (1 / apart);
  return level * Math.min(maximumGrowth, Math.max(1, growth)) ** (now - first + fortnight / 2);
}

function startOfDrop(history: History, now: number): number | null {
  let first: number | null = null;
  let lowDays = 0;
  for (let day = now - 1; day >= Math.max(0, now - reachDays - 1); day -= 1) {
    const isFar = first === null ? now - day > returningDays : first - day > mostApart;
    if (isFar) break;
    if (!isLow(history, day)) continue;
    first = day;
    lowDays += 1;
  }
  const isOver = first !== null && first <= now - reachDays;
  return lowDays >= fewestDays && !isOver ? first : null;
}

/** Days with a drop in them say nothing of how a series rises. */
const unsettledDays = 35;

/** True when there was a drop of some days in the last five weeks: what rose since may have returned. */
export function hasDropped(history: History): boolean {
  const now = history.clean.length;
  let lowDays = 0;
  for (let day = Math.max(0, now - unsettledDays); day < now; day += 1) if (isLow(history, day)) lowDays += 1;
  return lowDays >= fewestDays;
}
