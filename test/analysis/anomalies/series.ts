import { detectAnomalies, type Detection } from '../../../src/analysis/anomalies/detection/detector.ts';
import { addDays, type Day } from '../../../src/kit/period.ts';

/** A Wednesday, the first of a month. */
export const start: Day = '2025-01-01';

/** Costs of so many days around a level, 2 % up and down in turn, changed by what a test says of a day.
 *  @param change the cost of a day from its number, its date and what it would cost */
export function aSeries(days: number, change: (at: number, date: Day, usual: number) => number): number[] {
  const wobble = [0, 1.2, -0.7, 1.9, -1.6, 0.4, -1.1, 0.9, -0.2];
  return Array.from({ length: days }, (_, at) =>
    change(at, addDays(start, at), 100 + (wobble[at % wobble.length] ?? 0)),
  );
}

/** Sunday 0. */
export function weekdayOf(date: Day): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay();
}

/** What is told of costs, as one short text an episode: kind, first and last day by number, and the day it was told. */
export function told(costs: readonly number[]): string[] {
  return episodesOf(detectAnomalies({ start, costs }));
}

/** The episodes of a detection, as short texts. */
function episodesOf({ episodes }: Detection): string[] {
  return episodes.map(({ kind, startDate, endDate, detectedOn }) => {
    const [first, last, day] = [startDate, endDate, detectedOn].map(numberOf);
    return `${kind} ${first}-${last} told ${day}`;
  });
}

function numberOf(date: Day): number {
  return (Date.parse(date) - Date.parse(start)) / 86_400_000;
}
