import type { CalendarDay } from '../../series/calendar.ts';
import { median } from '../../series/stats.ts';

/** Verdict on a day. `muted`: too high, but known to recur; `small`: unusual, but too little money to report; `returned`: no
 *  more than before the drop that it follows. */
export type Verdict = 'ordinary' | 'alerted' | 'muted' | 'small' | 'returned';

/** An ongoing or past drop of a series. */
export interface Drop {
  /** Index of its first day. */
  readonly first: number;
  /** The level before it, adjusted for weekdays. */
  readonly level: number;
  /** Cost of its first days, as a fraction of the level. */
  readonly depth: number;
  /** Daily growth factor of the level before it; 1 without growth. */
  readonly growth: number;
  /** Index of the latest low day. */
  lastLow: number;
}

/** State of a replay up to a day, by day index. Days with unknown cost are NaN. */
export interface History {
  readonly days: readonly CalendarDay[];
  /** Costs as billed. */
  readonly costs: readonly number[];
  /** Expected cost without monthly charges: the level times the weekday factor. NaN if there was no expectation yet. */
  readonly base: number[];
  /** Known monthly charge of the day; 0 for most days. */
  readonly charge: number[];
  /** Cost without the known charge. */
  readonly usage: number[];
  /** Usage; for high days their expectation instead. The baseline learns from it. */
  readonly clean: number[];
  readonly verdicts: Verdict[];
  /** Excess of normal days over that of the days before them, as a fraction of the expectation. */
  readonly residuals: number[];
  /** Ratio of usage to the median of the week around it, once that is known. */
  readonly ratios: number[];
  /** Start of the current level: the baseline uses no earlier days. */
  levelStart: number;
  /** The level left by a step or leak, and the day on which the new one was adopted; null without one. */
  left: { readonly level: number; readonly day: number } | null;
  /** Ongoing and recent drops, in order. */
  drops: readonly Drop[];
}

/** Returns an empty replay. */
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
    drops: [],
  };
}

/** Records the finding for the next day. */
export function record(history: History, day: DayFinding): void {
  const at = history.base.length;
  const cost = history.costs[at] ?? NaN;
  const usage = cost - Math.max(0, Math.min(day.charge, cost - (Number.isNaN(day.base) ? cost : day.base)));
  history.base.push(day.base);
  history.charge.push(day.charge);
  history.usage.push(usage);
  history.clean.push(cleanOf(history, at, { ...day, usage }));
  history.verdicts.push(day.verdict);
  const expected = day.base + day.charge;
  const isUsual = day.verdict === 'ordinary' && day.base > 0;
  history.residuals.push(isUsual ? (cost - expected) / day.base - riseBefore(history, at) : NaN);
  const middle = at - 3;
  if (middle < 0) return;
  const around = median(history.usage.slice(Math.max(0, middle - 3), at + 1));
  history.ratios.push(around > 0 ? (history.usage[middle] ?? NaN) / around : NaN);
}

/** Returns how much the days just before exceeded their expectation, as a fraction of it; at least 0. While a level rises
 *  slowly, the excess over an older one does not show how far normal days stand out. */
function riseBefore({ costs, base, charge }: History, at: number): number {
  const before = [1, 2, 3, 4, 5].map((ago) => (costs[at - ago] ?? NaN) - (charge[at - ago] ?? NaN));
  const rise = median(before.map((cost, index) => cost / (base[at - index - 1] ?? NaN) - 1));
  return rise > 0 ? rise : 0;
}

/** Returns what the baseline learns from a day. Over the year-end holidays many accounts cost less for days; this is
 *  ignored, so that neither a drop nor, in January, a rise is learned from it. */
function cleanOf({ days }: History, at: number, { base, verdict, usage }: DayFinding & { usage: number }): number {
  if (verdict === 'alerted' || verdict === 'muted') return base;
  return usage < base && isYearEnd(days[at]) ? NaN : usage;
}

/** Returns whether a day is from 24 December to 2 January. */
export function isYearEnd(day: CalendarDay | undefined): boolean {
  if (day === undefined) return false;
  const month = day.month % 12;
  return (month === 11 && day.dayOfMonth >= 24) || (month === 0 && day.dayOfMonth <= 2);
}

/** The expectation and verdict of a day. */
export interface DayFinding {
  readonly base: number;
  readonly charge: number;
  readonly verdict: Verdict;
}

/** Days during which it is remembered that a level was adopted as too high. */
const keptDays = 45;

/** Discards a level that was adopted as too high once a week is back at the previous one: its end is a repair, not a drop
 *  with an expected return.
 *  @param week the last seven days, adjusted for weekdays */
export function forgetRepaired(history: History, week: readonly number[]): void {
  const { left, drops } = history;
  if (left === null || history.clean.length - left.day > keptDays) return;
  // The level may have returned from a drop that started since.
  if (drops.some(({ first }) => first > left.day)) return;
  const level = median(week);
  if (!(level <= backTolerance * left.level && level >= left.level / backTolerance)) return;
  history.levelStart = history.clean.length - week.length;
  history.left = null;
  history.drops = [];
}

const backTolerance = 1.15;

/** Days between two adoptions of which the second can continue the first. */
const risenDays = 60;

/** Days before an adopted level during which it may have been rising already: their excess does not count as usual. */
const risingDays = 28;

/** Adopts the days since `start` as the current level: what was too high is now normal.
 *  @param left the previous level */
export function adoptLevel(history: History, start: number, left: number): void {
  history.residuals.fill(NaN, Math.max(0, start - risingDays));
  const day = history.clean.length - 1;
  const isRising = history.left !== null && day - history.left.day <= risenDays;
  history.left = { level: isRising ? Math.min(left, history.left?.level ?? left) : left, day };
  history.levelStart = start;
  for (let at = start; at < history.clean.length; at += 1) history.clean[at] = history.usage[at] ?? NaN;
}

/** A weekday with less than this fraction of the level carries no information about the level. */
export const leastFactor = 0.05;

/** A range of past days, half-open. */
export interface Span {
  readonly from: number;
  /** Default: up to the newest day. */
  readonly to?: number;
}

/** Returns days divided by their weekday factor; NaN if the weekday carries no information.
 *  @param costs of each day; by default, what the baseline learns from */
export function adjusted(
  { clean, days }: History,
  factors: readonly number[],
  { from, to }: Span,
  costs: readonly number[] = clean,
): number[] {
  const start = Math.max(0, from);
  return costs.slice(start, Math.max(start, to ?? costs.length)).map((cost, index) => {
    const factor = factors[days[start + index]?.weekday ?? 0] ?? 1;
    return factor < leastFactor ? NaN : cost / factor;
  });
}

/** Same as `adjusted`, but NaN for days far below expectation: a drop carries no information about the days before or after
 *  it. */
export function adjustedWithoutDrops(history: History, factors: readonly number[], span: Span): number[] {
  const start = Math.max(0, span.from);
  return adjusted(history, factors, span).map((value, index) => (isLow(history, start + index) ? NaN : value));
}

/** A day is low if it costs less than this fraction of its expectation. */
const lowPart = 0.85;

/** Returns whether a day that the baseline learns from cost far less than expected. */
function isLow({ clean, base }: History, day: number): boolean {
  return (clean[day] ?? NaN) < lowPart * (base[day] ?? NaN);
}
