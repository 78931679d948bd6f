import type { Confidence, Context, Method, Saving } from '../../detector.ts';
import type { Subject, Usage } from '../../subject.ts';
import { repriced } from '../repriced.ts';

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
  context: Context,
  { subject, usage, meters }: { subject: Subject; usage: readonly Usage[]; meters: readonly string[] },
  percent: number,
): PriceCut | null {
  const observed = meters.map((meter) => context.prices.priceOf(subject, meter)).filter((price) => price !== null);
  const [price = null] = observed.sort((a, b) => (a < b ? -1 : 1));
  const { savings, method } = repriced(usage, context, () => price, percent);
  return savings.length === 0 ? null : { savings, method, confidence: method === 'observed' ? 'high' : 'medium' };
}
