import type { Amount } from '../../kit/money.ts';
import { percentOf, perMonth } from './figures.ts';
import type { Saving } from './detector.ts';
import type { Usage, Window } from './subject.ts';

/** All that the usage costs. */
export function wholeOf(usage: readonly Usage[], window: Window): Saving[] {
  return shareOf(usage, 100, window);
}

/** So many percent of what the usage costs. */
export function shareOf(usage: readonly Usage[], percent: number, window: Window): Saving[] {
  return usage.map((each) => ({ usage: each, amount: percentOf(perMonth(each.cost, window.days), percent) }));
}

/** One monthly amount over several usages, by what each costs, the last taking what rounding leaves. Empty where there is
 *  nothing to save. */
export function spread(usage: readonly Usage[], amount: Amount): Saving[] {
  if (amount <= 0n) return [];
  const cost = usage.reduce((sum, each) => sum + each.cost, 0n);
  if (cost <= 0n) return [];
  let left = amount;
  return usage.map((each, index) => {
    const share = index === usage.length - 1 ? left : (amount * each.cost) / cost;
    left -= share;
    return { usage: each, amount: share };
  });
}
