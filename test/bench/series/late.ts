import { detectAnomalies } from '../../../src/analysis/anomalies/detection/detector.ts';
import { addDays } from '../../../src/kit/time/period.ts';
import { alertOf } from './alerts.ts';
import type { CostSeries } from './generator.ts';
import { randomOf } from './random.ts';
import type { Alert } from './score.ts';

/** The known part of a day's cost on the day itself, one day and two days later: 35–97%, 90–100% and 98–100%; then
 *  all. */
const knownAfter = [
  [0.35, 0.97],
  [0.9, 1],
  [0.98, 1],
] as const;
/** Days of history for a run. */
const replayedDays = 282;

/** The costs of a bill as of a day: the newest three days are incomplete, with the same parts for the same day. `asOf`
 *  is the number of the newest day. */
export function knownOn(series: CostSeries, asOf: number): number[] {
  return series.costs.slice(0, asOf + 1).map((cost, index) => {
    const [low, high] = knownAfter[asOf - index] ?? [1, 1];
    const part = randomOf(`${series.key}/late/${index}/${asOf - index}`).between(low, high);
    return Math.round(cost * part * 100) / 100;
  });
}

/** The result of one run. */
export interface LateRun {
  readonly asOf: number;
  readonly alerts: readonly Alert[];
}

/** The results of daily runs on a series whose newest days are incomplete. A run sees as many days as are stored. */
export function lateRunsOf(series: CostSeries, evaluatedFrom: number): LateRun[] {
  return Array.from({ length: series.costs.length - evaluatedFrom }, (_, index) => {
    const asOf = evaluatedFrom + index;
    const first = Math.max(0, asOf + 1 - replayedDays);
    const start = addDays(series.firstDay, first);
    const { episodes } = detectAnomalies({ start, costs: knownOn(series, asOf).slice(first) });
    return { asOf, alerts: episodes.map((each) => alertOf(series.firstDay, each)) };
  });
}

/** The combined results of runs: a day is reported by the first run that detects it. `again` is the number of newest
 *  days that each run evaluates; with 1, no day is evaluated twice. */
export function lateAlertsOf(runs: readonly LateRun[], evaluatedFrom: number, again: number): Alert[] {
  const found: Alert[] = [];
  for (const { asOf, alerts } of runs) {
    for (const { from, to, reported } of alerts) {
      const known = found.findIndex((each) => from <= each.to + 2 && to >= each.from - 2);
      const earlier = found[known];
      if (earlier !== undefined) {
        found[known] = { ...earlier, from: Math.min(from, earlier.from), to: Math.max(to, earlier.to) };
      } else if (to > asOf - again && reported >= evaluatedFrom) found.push({ from, to, reported: asOf });
    }
  }
  return found;
}
