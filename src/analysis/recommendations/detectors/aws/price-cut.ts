import type { Confidence, Context, Method, Saving } from '../../detector.ts';
import type { Subject, Usage } from '../../subject.ts';
import { repriced } from '../repriced.ts';

/** What another price saves. */
export interface PriceCut {
  readonly savings: readonly Saving[];
  readonly method: Method;
  readonly confidence: Confidence;
}

/** The type to move to: the cheapest of those that the account itself pays a price for, else the first. A figure is to be of
 *  the type that is named.
 *  @param meterOf null where its price says nothing of this subject's */
export function cheapestOf(
  { prices }: Context,
  subject: Subject,
  { types, meterOf }: { types: readonly string[]; meterOf: ((type: string) => string) | null },
): { target: string; meters: string[] } | null {
  const [first] = types;
  if (first === undefined) return null;
  const priced = types.flatMap((type) => {
    const price = meterOf === null ? null : prices.priceOf(subject, meterOf(type));
    return price === null ? [] : [{ type, price }];
  });
  const [best] = priced.sort((a, b) => (a.price < b.price ? -1 : 1));
  const target = best?.type ?? first;
  return { target, meters: meterOf === null ? [] : [meterOf(target)] };
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
