import { spikesOf, type SampleSpike } from '../../src/sample/bill/spikes.ts';
import { addDays, addMonths, firstDay, monthOf, monthsIn, type Day } from '../../src/kit/time/period.ts';

/** All spikes that start within the sample's 13 months and have begun by today, oldest first. */
export function sampleSpikes(today: Day): SampleSpike[] {
  const start = firstDay(addMonths(monthOf(today), -12));
  return monthsIn({ start, end: addDays(today, 1) })
    .flatMap((month) => spikesOf(month))
    .filter((spike) => spike.start <= today)
    .toSorted((a, b) => (a.start < b.start ? -1 : 1));
}
