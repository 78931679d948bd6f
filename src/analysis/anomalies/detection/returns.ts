import type { Leak } from './leak.ts';
import { adjusted, leastFactor, isYearEnd, type History, type Verdict } from './history.ts';
import { recentFactor, type Baseline, type Limits, type ComparedDay, type Returned } from './baseline.ts';
import { isRecurring } from './recurrence.ts';
import { lastsFor } from './drops.ts';
import { addAlert, type OpenEpisode } from './episodes.ts';
import type { Sensitivity } from './settings.ts';

/** A replay in progress. */
export interface Replay {
  readonly history: History;
  readonly sensitivity: Sensitivity;
  readonly episodes: OpenEpisode[];
  readonly expected: number[];
  readonly limits: Limits[];
  /** Consecutive days at a higher level, up to the newest: true only for those that are too high. */
  run: boolean[];
  /** The newest reported leak, until the costs change in another way. */
  leak: Leak | null;
  /** The newest days that can be a return from a drop of several weeks. */
  held: readonly ComparedDay[];
}

/** Minimum multiple of the usual excess that is unusual. */
const usualMargin = 2.2;
/** Multiple of the minimum impact that is worth an alert at any fraction of the expectation: about $1,000 per day. */
const largeImpact = 100;
/** Days of a drop after which a rise in it that does not last is reported. */
const heldFromDays = 28;
/** Days after which a return counts as lasting. */
const holdingDays = 7;
/** Days back down that show that a rise was not a return. */
const fallenDays = 2;
/** Maximum fraction of its excess that may remain then. */
const fallenPart = 0.2;

/** Returns the minimum excess of an unusual day. A day is too high only if it also reaches the minimum impact. */
export function thresholdOf(
  { sigma, usualExcess }: Baseline,
  base: number,
  expected: number,
  least: Sensitivity,
): number {
  const unusual = Math.max(least.sigmas * sigma, usualMargin * usualExcess) * base;
  return Math.max(unusual, Math.min(least.minimumRatio * expected, largeImpact * least.minimumImpact));
}

/** Compares the cost of a day with the levels that the series may return to. Weekday patterns can change during the drop,
 *  and the year-end holidays lower costs, so a return need not reach the earlier level.
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

/** Holds days that can be a return from a drop of several weeks, and reports them once they turn out not to be: two days are
 *  back down within a week, or two in a row stay far below the level before the drop. */
export function holdReturn(replay: Replay, verdict: Verdict, compared: ComparedDay): void {
  const { history, held } = replay;
  const { at, returned, baseline } = compared;
  if (at - (held[0]?.at ?? at) >= holdingDays) replay.held = [];
  const last = replay.held.at(-1);
  if (verdict === 'returned' && lastsFor(history, at) > heldFromDays) {
    replay.held = [...replay.held, compared];
    if (returned === 'below' && last?.at === at - 1 && last.returned === 'below') settleHeld(replay, at);
  } else if (last !== undefined && daysFallen(history, last, baseline) >= fallenDays) settleHeld(replay, at);
}

/** Returns the number of newest consecutive days back at the expectation from before a rise. Days with unknown cost are
 *  neutral. */
function daysFallen(history: History, { at, excess, baseline }: ComparedDay, { factors }: Baseline): number {
  const factor = Math.max(leastFactor, factors[history.days[at]?.weekday ?? 0] ?? 1);
  const back = baseline.level + (fallenPart * excess) / factor;
  const since = adjusted(history, factors, { from: at + 1 }).filter((level) => !Number.isNaN(level));
  return since.length - 1 - since.findLastIndex((level) => level >= back);
}

function settleHeld(replay: Replay, now: number): void {
  const { history, episodes, expected, held } = replay;
  replay.held = [];
  const alerted = new Set<number>();
  for (const compared of held) {
    const { at } = compared;
    const isMuted = isRecurring(history, episodes, compared);
    history.verdicts[at] = isMuted ? 'muted' : 'alerted';
    history.clean[at] = history.base[at] ?? NaN;
    if (isMuted) continue;
    alerted.add(at);
    addAlert(episodes, 'spike', now, at).expected.set(at, expected[at] ?? 0);
  }
  const first = now - replay.run.length + 1;
  replay.run = replay.run.map((isAlerted, index) => isAlerted || alerted.has(first + index));
}
