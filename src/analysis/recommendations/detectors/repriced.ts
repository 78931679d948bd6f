import { type Amount, sumAmounts } from '../../../kit/money.ts';
import type { Context, Finding } from './detector.ts';
import { percentOf, perMonth, times } from './figures.ts';
import { spread, type Subject, type Usage } from './subject.ts';

/** Returns savings at another unit price; if the account does not pay that price, a documented share of the cost.
 *  @param priceOf the other unit price; null: unknown
 *  @param percent share saved if the price is unknown
 *  @returns no savings if nothing is saved in total; `observed` if the account pays every price itself */
export function repriced(
  usage: readonly Usage[],
  { window }: Context,
  priceOf: (usage: Usage) => Amount | null,
  percent: number,
): Pick<Finding, 'savings'> & { readonly method: 'observed' | 'factor' } {
  const prices = usage.map(priceOf);
  const savings = usage.map((each, index) => {
    const price = prices[index] ?? null;
    const cost = price === null ? percentOf(each.cost, percent) : each.cost - times(price, each.quantity);
    return { usage: each, amount: perMonth(cost, window.days) };
  });
  const total = sumAmounts(savings.map(({ amount }) => amount));
  return {
    // A higher cost on one meter is offset by the savings on the others.
    savings: total > 0n && savings.every(({ amount }) => amount >= 0n) ? savings : spread(usage, total),
    method: prices.every((price) => price !== null) ? 'observed' : 'factor',
  };
}

/** Returns savings at the account's own price of another meter in the region, or a documented share if it does not use that
 *  meter.
 *  @param meter with the unit of the usage; null: only the share
 *  @param percent the documented share */
export function priceCut(
  context: Context,
  { subject, usage, meter }: { subject: Subject; usage: readonly Usage[]; meter: string | null },
  percent: number,
): Pick<Finding, 'savings' | 'method' | 'confidence'> {
  const price = meter === null ? null : context.prices.priceOf(subject, meter);
  const cut = repriced(usage, context, () => price, percent);
  return { ...cut, confidence: cut.method === 'observed' ? 'high' : 'medium' };
}
