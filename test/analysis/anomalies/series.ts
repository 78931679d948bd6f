import { detectAnomalies, type Detection } from '../../../src/analysis/anomalies/detection/detector.ts';
import { addDays, type Day } from '../../../src/kit/time/period.ts';

/** A Wednesday, the first day of a month. */
export const start: Day = '2025-01-01';

/** Costs of a number of days around a level, varying by at most ±2%, then changed per day by the test.
 *  @param change computes a day's cost from its index, date and usual cost */
export function aSeries(days: number, change: (at: number, date: Day, usual: number) => number): number[] {
  const wobble = [0, 1.2, -0.7, 1.9, -1.6, 0.4, -1.1, 0.9, -0.2];
  return Array.from({ length: days }, (_, at) =>
    change(at, addDays(start, at), 100 + (wobble[at % wobble.length] ?? 0)),
  );
}

/** The weekday, with Sunday as 0. */
export function weekdayOf(date: Day): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay();
}

/** One short text per detected episode: kind, indexes of its first and last day, and of the day it was detected. */
export function reported(costs: readonly number[]): string[] {
  return episodesOf(detectAnomalies({ start, costs }));
}

/** Formats the episodes of a detection as short texts. */
function episodesOf({ episodes }: Detection): string[] {
  return episodes.map(({ kind, startDate, endDate, detectedOn }) => {
    const [first, last, day] = [startDate, endDate, detectedOn].map(numberOf);
    return `${kind} ${first}-${last} reported ${day}`;
  });
}

function numberOf(date: Day): number {
  return (Date.parse(date) - Date.parse(start)) / 86_400_000;
}
