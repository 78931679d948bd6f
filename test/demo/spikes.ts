import { spikesOf, type DemoSpike } from '../../src/demo/bill/spikes.ts';
import { addDays, addMonths, firstDay, monthOf, monthsIn, type Day } from '../../src/kit/time/period.ts';

/** All spikes that start within the sample's 13 months and have begun by today, oldest first. */
export function demoSpikes(today: Day): DemoSpike[] {
  const start = firstDay(addMonths(monthOf(today), -12));
  return monthsIn({ start, end: addDays(today, 1) })
    .flatMap((month) => spikesOf(month))
    .filter((spike) => spike.start <= today)
    .toSorted((a, b) => (a.start < b.start ? -1 : 1));
}
