import { sumAmounts } from '../../../../kit/money.ts';
import type { Confidence, Context, Method, Saving } from '../../detector.ts';
import { perMonth, times } from '../../figures.ts';
import { shareOf } from '../../savings.ts';
import type { Subject, Usage } from '../../subject.ts';

/** What another price saves. */
export interface PriceCut {
  readonly savings: readonly Saving[];
  readonly method: Method;
  readonly confidence: Confidence;
}

/** What usage saves at the price of other meters: the cheapest that the account itself pays in the region, or a documented
 *  share where it uses none of them. Null where the price observed is no lower.
 *  @param meters with the unit of the usage; empty: only the share
 *  @param percent the documented share */
export function priceCut(
  { window, prices }: Context,
  { subject, usage, meters }: { subject: Subject; usage: readonly Usage[]; meters: readonly string[] },
  percent: number,
): PriceCut | null {
  const observed = meters.map((meter) => prices.priceOf(subject, meter)).filter((price) => price !== null);
  const [price] = observed.sort((a, b) => (a < b ? -1 : 1));
  if (price === undefined)
    return usage.length === 0
      ? null
      : { savings: shareOf(usage, percent, window), method: 'factor', confidence: 'medium' };
  const savings = usage.map((each) => ({
    usage: each,
    amount: perMonth(each.cost - times(price, each.quantity), window.days),
  }));
  if (sumAmounts(savings.map(({ amount }) => amount)) <= 0n) return null;
  return { savings, method: 'observed', confidence: 'high' };
}
