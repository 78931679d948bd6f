import type { Day, Month } from '../../kit/time/period.ts';
import { addMonths, monthOf } from '../../kit/time/period.ts';
import { sampleMonths } from '../../sample/bill/bill.ts';
import { chance } from '../../sample/random.ts';

/** EUR to USD exchange rates for each month of the sample: invented, around 1.12, and stable per month. Includes the
 *  preceding month, because corrections reach back into it. */
export function demoRates(today: Day): { month: Month; from: string; to: string; rate: number }[] {
  const months = sampleMonths(today);
  const first = addMonths(months[0] ?? monthOf(today), -1);
  return [first, ...months].map((month) => ({
    month,
    from: 'EUR',
    to: 'USD',
    rate: (1090 + Math.round(chance('EUR USD', month) * 70)) / 1000,
  }));
}
