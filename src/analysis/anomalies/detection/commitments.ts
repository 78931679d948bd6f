import { median } from '../../series/stats.ts';
import { adjusted, type History } from './history.ts';
import type { ComparedDay } from './returns.ts';
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

/** Days before a day that show the commitment that has ended on it. */
export const endedTermDays = termDays - termReach + endedDays + sideDays;

/** Returns whether a high day is explained by a commitment that only the costs show: its first monthly fee, which is less than
 *  it saves, or the end of its year, after which usage costs what it did before. Commitments that the bills list are explained
 *  by them. */
export function isOfCommitment(history: History, compared: ComparedDay): boolean {
  return isFirstFee(history, compared) || isEnded(history, compared);
}

function isFirstFee(history: History, compared: ComparedDay): boolean {
  const { at, excess } = compared;
  if (history.days[at]?.dayOfMonth !== 1) return false;
  const before = levelIn(history, compared, at - firstMonthDays - sideDays, sideDays);
  const saved = before - levelIn(history, compared, at - week, week);
  return saved >= (1 - mostCost) * before && excess <= monthDays * saved;
}

function isEnded(history: History, compared: ComparedDay): boolean {
  const { at, excess, charge } = compared;
  if (at < endedTermDays) return false;
  const newest = at - termDays + termReach;
  const rise = excess / ((history.costs[at] ?? NaN) - charge.known - excess);
  for (let start = newest; start > newest - endedDays; start -= 1) {
    const before = levelIn(history, compared, start - sideDays, sideDays);
    const during = levelIn(history, compared, start, sideDays);
    const half = Math.sqrt(before * during);
    const hasFallen = levelIn(history, compared, start - 1, 1) > half && levelIn(history, compared, start, 1) < half;
    const isAsLarge = during <= mostCost * before && rise <= repeatTolerance * (before / during - 1);
    if (hasFallen && isAsLarge && hasRisen(history, compared, { end: start + termDays, rise })) return true;
  }
  return false;
}

/** Returns whether a rise began at the end of a term. */
function hasRisen(history: History, compared: ComparedDay, { end, rise }: { end: number; rise: number }): boolean {
  const half = Math.sqrt(1 + rise) * levelIn(history, compared, end - week, week - termReach);
  const isAfter = end + termReach >= compared.at || levelIn(history, compared, end + termReach, 1) > half;
  return isAfter && levelIn(history, compared, end - termReach - 1, 1) < half;
}

/** Returns the median usage of days, adjusted for weekdays. */
function levelIn(history: History, { baseline }: ComparedDay, from: number, count: number): number {
  return median(adjusted(history, baseline.factors, { from, to: from + count }, history.usage));
}
