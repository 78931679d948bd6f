import { detectAnomalies } from '../../../src/analysis/anomalies/detection/detector.ts';
import type { Episode } from '../../../src/analysis/anomalies/detection/episodes.ts';
import { daysBetween, type Day } from '../../../src/kit/time/period.ts';
import type { CostSeries } from './generator.ts';
import type { Alert, Elsewhere } from './score.ts';

/** Alerts for final costs. `start` is the day with number 0. */
export function alertsOf(start: Day, costs: readonly number[]): Alert[] {
  return detectAnomalies({ start, costs }).episodes.map((each) => alertOf(start, each));
}

/** The alerts for a series without its drops, and without its fees. */
export function alertsElsewhere({ firstDay, events, fees, ...costs }: CostSeries): Elsewhere {
  return {
    withoutDrops: events.some(({ kind }) => kind === 'drop') ? alertsOf(firstDay, costs.withoutDrops) : [],
    withoutFees: fees.length > 0 ? alertsOf(firstDay, costs.withoutFees) : [],
  };
}

/** An episode by day numbers. */
export function alertOf(firstDay: Day, { startDate, endDate, detectedOn }: Episode): Alert {
  const number = (day: Day) => daysBetween(firstDay, day);
  return { from: number(startDate), to: number(endDate), reported: number(detectedOn) };
}
