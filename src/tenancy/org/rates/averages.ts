import { Decimal } from 'decimal.js';
import { monthOf, type Day, type Month } from '../../../kit/time/period.ts';
import { rateDigits } from '../exchange-rates.ts';
import type { DailyRates } from './document.ts';

/** Enough for the product of a month's sums of the longest rates, so that only the result is rounded. */
const Exact = Decimal.clone({ precision: 120, rounding: Decimal.ROUND_HALF_UP });

/** Average rate of a month. */
export interface AverageRate {
  readonly month: Month;
  readonly rate: string;
  /** True while the month has not ended, as far as the document shows. */
  readonly isProvisional: boolean;
}

interface Mean {
  readonly sum: Decimal;
  readonly count: number;
}

/** Returns the average rates of a pair of currencies, oldest month first: the mean of the `to` rates of the month's days,
 *  divided by the mean of its `from` rates, rounded half up to 12 decimals. A month is provisional until the document has a day
 *  of a later one. The document's first month is left out, because its first days may be missing. */
export function averageRates(days: DailyRates, from: string, to: string): AverageRate[] {
  const byMonth = Map.groupBy(days.keys(), monthOf);
  const [, ...months] = [...byMonth.keys()].toSorted();
  return months.flatMap((month) => {
    const own = byMonth.get(month) ?? [];
    const [source, target] = [meanOf(days, own, from), meanOf(days, own, to)];
    if (source === null || target === null) return [];
    const rate = target.sum
      .times(source.count)
      .div(source.sum.times(target.count))
      .toDecimalPlaces(rateDigits, Decimal.ROUND_HALF_UP);
    // A rate that rounds to 0 would make costs vanish.
    return rate.isZero() ? [] : [{ month, rate: rate.toFixed(), isProvisional: month === months.at(-1) }];
  });
}

/** Returns the mean over the days with a rate; null if there is none. */
function meanOf(days: DailyRates, own: readonly Day[], currency: string): Mean | null {
  if (currency === 'EUR') return { sum: new Exact(1), count: 1 };
  const rates = own.flatMap((day) => days.get(day)?.get(currency) ?? []);
  if (rates.length === 0) return null;
  return { sum: rates.reduce((sum, rate) => sum.plus(rate), new Exact(0)), count: rates.length };
}
