import type { Day, Month } from '../../kit/time/period.ts';
import { addMonths, monthOf } from '../../kit/time/period.ts';
import { demoMonths } from '../bill/bill.ts';
import { chance } from '../random.ts';

/** Dollars for a euro, for each month of the sample: made up around 1.12, the same for a month on every day. The month
 *  before has one too, because corrections reach back into it. */
export function demoRates(today: Day): { month: Month; from: string; to: string; rate: number }[] {
  const months = demoMonths(today);
  const first = addMonths(months[0] ?? monthOf(today), -1);
  return [first, ...months].map((month) => ({
    month,
    from: 'EUR',
    to: 'USD',
    rate: (1090 + Math.round(chance('EUR USD', month) * 70)) / 1000,
  }));
}
