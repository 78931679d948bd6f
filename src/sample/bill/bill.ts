import { type Day, type Month, addDays, addMonths, daysIn, firstDay, lastDay } from '../../kit/time/period.ts';
import type { Cloud } from './cloud.ts';
import { purchasesOf } from './commitments.ts';
import { monthlyCharges } from './monthly.ts';
import { usageOf } from './usage.ts';
import type { LineItem } from './line-item.ts';
import { reportedThousandths } from './rhythm.ts';
import { spikeFactors } from './spikes.ts';

/** The bill of one month as the provider would show it today: complete for past months, up to today for the current
 *  one, with the last two days incomplete. The result is deterministic: identical to the last digit on every later
 *  day. */
export function billOf(cloud: Cloud, month: Month, today: Day): LineItem[] {
  const end = addDays(lastDay(month) < today ? lastDay(month) : today, 1);
  const spikes = spikeFactors(cloud, month);
  const items: LineItem[] = [];
  for (const day of daysIn({ start: firstDay(month), end })) {
    const reported = reportedThousandths(day, today);
    items.push(...usageOf(cloud, { day, month, reported, spikes }), ...purchasesOf(cloud, { day, month, reported }));
  }
  return [...items, ...monthlyCharges(cloud, items, month, today)];
}

/** The months of the sample: twelve complete ones and the current one, oldest first. */
export function sampleMonths(today: Day): Month[] {
  const running = today.slice(0, 7) as Month;
  return Array.from({ length: 13 }, (_, index) => addMonths(running, index - 12));
}

/** Day of the month's latest delivery: nothing changes after its last day is complete. */
export function deliveredOn(month: Month, today: Day): Day {
  const final = addDays(lastDay(month), 2);
  return today < final ? today : final;
}
