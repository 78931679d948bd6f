import type { Amount } from '../../../kit/money.ts';
import type { Context, Method, Saving } from '../detector.ts';
import { percentOf, perMonth, times } from '../figures.ts';
import { spread } from '../savings.ts';
import type { Usage } from '../subject.ts';

/** What another price would save. */
export interface Repriced {
  /** Empty where nothing is saved in all. */
  readonly savings: readonly Saving[];
  /** `observed` where every price is one that the account itself pays. */
  readonly method: Extract<Method, 'observed' | 'factor'>;
}

/** Savings at another price of each usage's unit; where the account pays no such price, a documented share of the cost.
 *  @param priceOf the other price of a unit; null: unknown
 *  @param percent saved where it is */
export function repriced(
  usage: readonly Usage[],
  { window }: Context,
  priceOf: (usage: Usage) => Amount | null,
  percent: number,
): Repriced {
  const prices = usage.map(priceOf);
  const savings = usage.map((each, index) => {
    const price = prices[index] ?? null;
    const cost = price === null ? percentOf(each.cost, percent) : each.cost - times(price, each.quantity);
    return { usage: each, amount: perMonth(cost, window.days) };
  });
  const total = savings.reduce((sum, { amount }) => sum + amount, 0n);
  return {
    // What costs more on one meter is paid for by what is saved on the others.
    savings: total > 0n && savings.every(({ amount }) => amount >= 0n) ? savings : spread(usage, total),
    method: prices.every((price) => price !== null) ? 'observed' : 'factor',
  };
}
