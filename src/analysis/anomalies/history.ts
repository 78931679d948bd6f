import type { CalendarDay } from '../series/calendar.ts';
import { median } from '../series/stats.ts';

/** What a day was found to be. `muted`: too high, but known to come back. */
export type Verdict = 'ordinary' | 'alerted' | 'muted';

/** A replay up to a day: everything is by the number of the day in the series. Days without a known cost are NaN. */
export interface History {
  readonly days: readonly CalendarDay[];
  /** As the bill told them. */
  readonly costs: readonly number[];
  /** Expected without monthly charges: the level times the factor of the weekday. NaN where nothing was expected yet. */
  readonly base: number[];
  /** The monthly charge known for the day; 0 for most. */
  readonly charge: number[];
  /** What of the cost is usage: without the known charge. */
  readonly usage: number[];
  /** Usage; of days that were too high, what was expected of them. The baseline learns from it. */
  readonly clean: number[];
  readonly verdicts: Verdict[];
  /** Excess of ordinary days as a part of what was expected. */
  readonly residuals: number[];
  /** Usage as a part of the median of the week around it, once that is known. */
  readonly ratios: number[];
  /** Since when the current level holds: the baseline looks no further back. */
  levelStart: number;
  /** The level that a step or leak left, and the day on which the new one was adopted; null when there was none. */
  left: { readonly level: number; readonly day: number } | null;
}

/** A replay that has seen nothing yet. */
export function emptyHistory(days: readonly CalendarDay[], costs: readonly number[]): History {
  return {
    days,
    costs,
    base: [],
    charge: [],
    usage: [],
    clean: [],
    verdicts: [],
    residuals: [],
    ratios: [],
    levelStart: 0,
    left: null,
  };
}

/** Puts down what was found of the day after the last one. */
export function record(history: History, day: DayFinding): void {
  const at = history.base.length;
  const cost = history.costs[at] ?? NaN;
  const usage = cost - Math.max(0, Math.min(day.charge, cost - (Number.isNaN(day.base) ? cost : day.base)));
  history.base.push(day.base);
  history.charge.push(day.charge);
  history.usage.push(usage);
  history.clean.push(day.verdict === 'ordinary' ? usage : day.base);
  history.verdicts.push(day.verdict);
  const expected = day.base + day.charge;
  history.residuals.push(day.verdict === 'ordinary' && day.base > 0 ? (cost - expected) / day.base : NaN);
  const middle = at - 3;
  if (middle < 0) return;
  const around = median(history.usage.slice(Math.max(0, middle - 3), at + 1));
  history.ratios.push(around > 0 ? (history.usage[middle] ?? NaN) / around : NaN);
}

/** What was expected of a day and what it was found to be. */
export interface DayFinding {
  readonly base: number;
  readonly charge: number;
  readonly verdict: Verdict;
}

/** Days for which it is known that a level was adopted as too high. */
const keptDays = 60;

/** Forgets a level that was adopted as too high once a week is back at what it was before: its end is a repair, not a drop
 *  that a return must be expected from.
 *  @param week the last seven days, weekdays apart */
export function forgetRepaired(history: History, week: readonly number[]): void {
  const { left } = history;
  if (left === null || history.clean.length - left.day > keptDays) return;
  if (!(median(week) <= backTolerance * left.level)) return;
  history.levelStart = history.clean.length - week.length;
  history.left = null;
}

const backTolerance = 1.15;

/** Takes the days since `start` for the level from now on: what was too high is what is usual.
 *  @param left the level until then */
export function adoptLevel(history: History, start: number, left: number): void {
  const day = history.clean.length - 1;
  const isRising = history.left !== null && day - history.left.day <= keptDays;
  history.left = { level: isRising ? Math.min(left, history.left?.level ?? left) : left, day };
  history.levelStart = start;
  for (let at = start; at < history.clean.length; at += 1) history.clean[at] = history.usage[at] ?? NaN;
}
