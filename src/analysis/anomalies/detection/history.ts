import type { CalendarDay } from '../../series/calendar.ts';
import { median } from '../../series/stats.ts';
import type { Drop } from './drops.ts';

/** What a day was found to be. `muted`: too high, but known to come back; `small`: unusual, but of too little money to tell;
 *  `returned`: no more than before the drop that it follows. */
export type Verdict = 'ordinary' | 'alerted' | 'muted' | 'small' | 'returned';

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
  /** Excess of ordinary days beyond that of the days before them, as a part of what was expected. */
  readonly residuals: number[];
  /** Usage as a part of the median of the week around it, once that is known. */
  readonly ratios: number[];
  /** Since when the current level holds: the baseline looks no further back. */
  levelStart: number;
  /** The level that a step or leak left, and the day on which the new one was adopted; null when there was none. */
  left: { readonly level: number; readonly day: number } | null;
  /** The drops that the series is in, or was in of late, in order. */
  drops: readonly Drop[];
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
    drops: [],
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

/** What the days just before exceeded their expectation by, as a part of it; 0 if by nothing. While a level rises slowly, what
 *  its days exceed an older one by says nothing of how far ordinary days stand out. */
function riseBefore({ costs, base, charge }: History, at: number): number {
  const before = [1, 2, 3, 4, 5].map((ago) => (costs[at - ago] ?? NaN) - (charge[at - ago] ?? NaN));
  const rise = median(before.map((cost, index) => cost / (base[at - index - 1] ?? NaN) - 1));
  return rise > 0 ? rise : 0;
}

/** What the baseline learns of a day. While offices rest at the end of the year many accounts cost less for days, and nothing
 *  else is learnt from that: neither that a level was left nor, in January, that it has risen. */
function cleanOf({ days }: History, at: number, { base, verdict, usage }: DayFinding & { usage: number }): number {
  if (verdict === 'alerted' || verdict === 'muted') return base;
  return usage < base && isYearEnd(days[at]) ? NaN : usage;
}

/** True from 24 December to 2 January. */
export function isYearEnd(day: CalendarDay | undefined): boolean {
  if (day === undefined) return false;
  const month = day.month % 12;
  return (month === 11 && day.dayOfMonth >= 24) || (month === 0 && day.dayOfMonth <= 2);
}

/** What was expected of a day and what it was found to be. */
export interface DayFinding {
  readonly base: number;
  readonly charge: number;
  readonly verdict: Verdict;
}

/** Days for which it is known that a level was adopted as too high. */
const keptDays = 45;

/** Forgets a level that was adopted as too high once a week is back at what it was before: its end is a repair, not a drop
 *  that a return must be expected from.
 *  @param week the last seven days, weekdays apart */
export function forgetRepaired(history: History, week: readonly number[]): void {
  const { left, drops } = history;
  if (left === null || history.clean.length - left.day > keptDays) return;
  // From a drop that began since, the level may have returned.
  if (drops.some(({ first }) => first > left.day)) return;
  const level = median(week);
  if (!(level <= backTolerance * left.level && level >= left.level / backTolerance)) return;
  history.levelStart = history.clean.length - week.length;
  history.left = null;
  history.drops = [];
}

const backTolerance = 1.15;

/** Days between two adoptions of which the second may go on with what the first found. */
const risenDays = 60;

/** Days before a level that was adopted on which it may have been rising already: what they exceeded their expectation by is
 *  not usual. */
const risingDays = 28;

/** Takes the days since `start` for the level from now on: what was too high is what is usual.
 *  @param left the level until then */
export function adoptLevel(history: History, start: number, left: number): void {
  history.residuals.fill(NaN, Math.max(0, start - risingDays));
  const day = history.clean.length - 1;
  const isRising = history.left !== null && day - history.left.day <= risenDays;
  history.left = { level: isRising ? Math.min(left, history.left?.level ?? left) : left, day };
  history.levelStart = start;
  for (let at = start; at < history.clean.length; at += 1) history.clean[at] = history.usage[at] ?? NaN;
}

/** A weekday with less than this part of the level says nothing of the level. */
export const leastFactor = 0.05;

/** Which days of the past: from one number up to, and without, another. */
export interface Span {
  readonly from: number;
  /** All to the newest where left out. */
  readonly to?: number;
}

/** Days without their weekday's factor; NaN where the weekday says nothing. */
export function adjusted({ clean, days }: History, factors: readonly number[], { from, to }: Span): number[] {
  const start = Math.max(0, from);
  return clean.slice(start, Math.max(start, to ?? clean.length)).map((cost, index) => {
    const factor = factors[days[start + index]?.weekday ?? 0] ?? 1;
    return factor < leastFactor ? NaN : cost / factor;
  });
}

/** As `adjusted`, but NaN where a day cost far less than was expected: a drop says nothing of what came before or after it. */
export function adjustedWithoutDrops(history: History, factors: readonly number[], span: Span): number[] {
  const start = Math.max(0, span.from);
  return adjusted(history, factors, span).map((value, index) => (isLow(history, start + index) ? NaN : value));
}

/** A day is low when it costs less than this part of what was expected. */
const lowPart = 0.85;

/** True on a day that cost far less than was expected, and from which the baseline learns. */
function isLow({ clean, base }: History, day: number): boolean {
  return (clean[day] ?? NaN) < lowPart * (base[day] ?? NaN);
}
