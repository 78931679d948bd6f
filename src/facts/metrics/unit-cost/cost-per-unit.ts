import type { Amount } from '../../../kit/money.ts';
import { sumAmounts } from '../../../kit/money.ts';
import { firstDay, monthOf, type Day } from '../../../kit/time/period.ts';

/** Decimals of a cost per unit: enough for units such as single requests. */
const unitCostDecimals = 12;

/** Divides an exact cost by an exact quantity and rounds once, to 12 decimals, halves away from zero.
 *  @returns null without a quantity, and for one of 0 */
export function costPerUnit(cost: Amount, quantity: Amount | null): number | null {
  if (quantity === null || quantity === 0n) return null;
  const scaled = (cost < 0n ? -cost : cost) * 10n ** BigInt(unitCostDecimals);
  const rounded = (scaled * 2n + quantity) / (quantity * 2n);
  const digits = rounded.toString().padStart(unitCostDecimals + 1, '0');
  const text = `${digits.slice(0, -unitCostDecimals)}.${digits.slice(-unitCostDecimals)}`;
  // Never -0.
  return cost < 0n && rounded > 0n ? -Number(text) : Number(text);
}

/** Sums quantities per day into quantities per month, by the first day of each month; months without values are absent. */
export function metricMonthsOf(days: ReadonlyMap<Day, Amount>): Map<Day, Amount> {
  const months = Map.groupBy(days, ([day]) => firstDay(monthOf(day)));
  return new Map([...months].map(([month, own]) => [month, sumAmounts(own.map(([, quantity]) => quantity))]));
}
