import { median } from '../../series/stats.ts';
import type { Baseline, ComparedDay } from './baseline.ts';
import { adjusted, type History } from './history.ts';
import { repeatTolerance } from './settings.ts';

/** Days of a commitment of one year. */
const termDays = 365;
/** Days by which the billed start or end of a term can differ. */
const termReach = 1;
/** Days after the end of a term on which the level has not been adopted yet. */
const endedDays = 28;
/** Days before and after the start of a commitment that show what it saved. */
const sideDays = 14;
/** Maximum cost during a commitment, as a fraction of the one before. */
const mostCost = 0.9;
/** Mean days of a month. */
const monthDays = 30.4;
/** Longest time from the start of a commitment to its first monthly fee. */
const firstMonthDays = 31;
const week = 7;

/** Days before a day that show a commitment that ended on it or in the weeks before. */
export const endedTermDays = termDays - termReach + endedDays + sideDays;

/** Returns whether a high day is explained by a commitment that only the costs show: its first monthly fee, which is less than
 *  it saves, or the end of its year, after which usage costs what it did before. Commitments that the bills list are explained
 *  by them. */
export function isOfCommitment(history: History, compared: ComparedDay): boolean {
  const { at, excess, charge, baseline } = compared;
  const rise = excess / ((history.costs[at] ?? NaN) - charge.known - excess);
  return isFirstFee(history, compared) || isEndOfTerm(history, baseline, { at, rise });
}

function isFirstFee(history: History, { at, excess, baseline: { factors } }: ComparedDay): boolean {
  if (history.days[at]?.dayOfMonth !== 1) return false;
  const before = levelIn(history, factors, at - firstMonthDays - sideDays, sideDays);
  const saved = before - levelIn(history, factors, at - week, week);
  return saved >= (1 - mostCost) * before && excess <= monthDays * saved;
}

/** A rise up to a day, as a fraction of the level before it. */
interface Rise {
  readonly at: number;
  readonly rise: number;
}

/** Returns whether a rise is the end of a commitment of one year, after which usage costs what it did before it. */
export function isEndOfTerm(history: History, { factors }: Pick<Baseline, 'factors'>, { at, rise }: Rise): boolean {
  if (at < endedTermDays) return false;
  const newest = at - termDays + termReach;
  for (let start = newest; start > newest - endedDays; start -= 1) {
    const before = levelIn(history, factors, start - sideDays, sideDays);
    const during = levelIn(history, factors, start, sideDays);
    const half = Math.sqrt(before * during);
    const hasFallen = levelIn(history, factors, start - 1, 1) > half && levelIn(history, factors, start, 1) < half;
    const isAsLarge = during <= mostCost * before && rise <= repeatTolerance * (before / during - 1);
    if (hasFallen && isAsLarge && hasRisenFrom(start + termDays, history, factors, { at, rise })) return true;
  }
  return false;
}

/** Returns whether a rise began at the end of a term. */
function hasRisenFrom(end: number, history: History, factors: readonly number[], { at, rise }: Rise): boolean {
  const half = Math.sqrt(1 + rise) * levelIn(history, factors, end - week, week - termReach);
  // One of the days can be that of a fee, after which nothing is left.
  const after = adjusted(history, factors, { from: end, to: end + 2 * termReach + 1 }, history.usage);
  const isAfter = end + termReach >= at || after.some((value) => value > half);
  return isAfter && levelIn(history, factors, end - termReach - 1, 1) < half;
}

/** Returns the median usage of days, adjusted for weekdays. */
function levelIn(history: History, factors: readonly number[], from: number, count: number): number {
  return median(adjusted(history, factors, { from, to: from + count }, history.usage));
}
