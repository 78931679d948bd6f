import { adjusted, leastFactor, isYearEnd, type History, type Verdict } from './history.ts';
import { recentFactor, type Baseline, type Limits } from './baseline.ts';
import { isRecurring, type MonthlyCharge } from './charges.ts';
import { lastsFor } from './drops.ts';
import { addAlert, type OpenEpisode } from './episodes.ts';
import type { Sensitivity } from './settings.ts';

/** A replay under way. */
export interface Replay {
  readonly history: History;
  readonly sensitivity: Sensitivity;
  readonly episodes: OpenEpisode[];
  readonly expected: number[];
  readonly limits: Limits[];
  /** The days in a row, to the newest, that are at a higher level: true for those that are too high alone. */
  run: boolean[];
  /** The newest days that may be a return from a drop that has lasted for weeks. */
  held: readonly Judged[];
}

/** A day held against what was expected of it. */
export interface Judged {
  readonly at: number;
  readonly baseline: Baseline;
  readonly charge: MonthlyCharge;
  /** Money beyond the expectation. */
  readonly excess: number;
  /** Excess from which the day is unusual. */
  readonly threshold: number;
  readonly returned: Returned;
}

/** Whether a day's cost may be the return from a drop: it is no more than the level before it. `below`: it is far below that, where
 *  the level in the drop has long been the usual one. */
export type Returned = 'no' | 'near' | 'below';

/** How far beyond the usual excess an excess must be to be unusual. */
const usualMargin = 2.2;
/** Days of a drop from which on a rise that does not last is told. */
const heldFromDays = 28;
/** Days in which a return is seen to last. */
const holdingDays = 7;
/** Days back down that show that a rise was no return. */
const fallenDays = 2;
/** What may be left of its excess then. */
const fallenPart = 0.2;

/** The excess from which a day is unusual. It is too high from the least impact on. */
export function thresholdOf(
  { sigma, usualExcess }: Baseline,
  base: number,
  expected: number,
  least: Sensitivity,
): number {
  return Math.max(Math.max(least.sigmas * sigma, usualMargin * usualExcess) * base, least.minimumRatio * expected);
}

/** Holds the cost of a day against the levels that the series may return to. The week may have got another shape in the drop, and
 *  at the end of the year offices rest, so that a return does not reach what was before.
 *  @param charge the monthly charge known for the day */
export function returnedTo(
  { history, sensitivity }: Replay,
  at: number,
  { baseline, charge }: { baseline: Baseline; charge: number },
): Returned {
  const cost = history.costs[at] ?? NaN;
  const weekday = history.days[at]?.weekday ?? 0;
  const factor = baseline.factors[weekday] ?? 1;
  const highest = Math.max(factor, recentFactor(history, weekday));
  const fitting = baseline.returns.filter(({ level }) => {
    const base = level * highest;
    return cost < base + charge + thresholdOf(baseline, base, base + charge, sensitivity);
  });
  if (fitting.length === 0) return 'no';
  const isNear = fitting.some(({ least }) => cost - charge >= least * Math.min(1, factor));
  return isNear || isYearEnd(history.days[at]) ? 'near' : 'below';
}

/** Keeps the days that may be a return from a drop of weeks, and tells them once they prove to be none: two days are back down
 *  within a week, or two in a row stay far below the level before the drop. */
export function holdReturn(replay: Replay, verdict: Verdict, judged: Judged): void {
  const { history, held } = replay;
  const { at, returned, baseline } = judged;
  if (at - (held[0]?.at ?? at) >= holdingDays) replay.held = [];
  const last = replay.held.at(-1);
  if (verdict === 'returned' && lastsFor(history, at) > heldFromDays) {
    replay.held = [...replay.held, judged];
    if (returned === 'below' && last?.at === at - 1 && last.returned === 'below') judgeHeld(replay, at);
  } else if (last !== undefined && daysFallen(history, last, baseline) >= fallenDays) judgeHeld(replay, at);
}

/** How many of the newest days in a row are back at what was expected before a rise. Days without a known cost say nothing. */
function daysFallen(history: History, { at, excess, baseline }: Judged, { factors }: Baseline): number {
  const factor = Math.max(leastFactor, factors[history.days[at]?.weekday ?? 0] ?? 1);
  const back = baseline.level + (fallenPart * excess) / factor;
  const since = adjusted(history, factors, { from: at + 1 }).filter((level) => !Number.isNaN(level));
  return since.length - 1 - since.findLastIndex((level) => level >= back);
}

function judgeHeld(replay: Replay, now: number): void {
  const { history, episodes, expected, held } = replay;
  replay.held = [];
  const alerted = new Set<number>();
  for (const judged of held) {
    const { at } = judged;
    const isMuted = isRecurring(history, episodes, judged);
    history.verdicts[at] = isMuted ? 'muted' : 'alerted';
    history.clean[at] = history.base[at] ?? NaN;
    if (isMuted) continue;
    alerted.add(at);
    addAlert(episodes, 'spike', now, at).expected.set(at, expected[at] ?? 0);
  }
  const first = now - replay.run.length + 1;
  replay.run = replay.run.map((isAlerted, index) => isAlerted || alerted.has(first + index));
}
