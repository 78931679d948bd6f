import { amountToNumber, parseAmount, sumAmounts } from '../kit/money.ts';
import { compare } from '../kit/sort.ts';
import type { Month } from '../kit/time/period.ts';
import { Conversion, type Convertible } from './currencies.ts';

/** Part of a resource's cost of 30 days: an exact decimal in one billing currency and month. */
interface MonthPart {
  readonly currency: string;
  readonly month: Month;
  readonly cost: string;
}

/** Reads the column month_costs: `{"USD 2026-10": "1.5"}`. */
function monthPartsOf(monthCosts: unknown): MonthPart[] {
  return Object.entries(monthCosts as Readonly<Record<string, string>>).map(([name, cost]) => {
    const [currency = '', month = ''] = name.split(' ');
    return { currency, month: month as Month, cost };
  });
}

/** Returns the costs in currencies other than the row's own, by currency. */
export function otherCostsOf({ currency, monthCosts }: { readonly currency: string; readonly monthCosts: unknown }) {
  const others = monthPartsOf(monthCosts).filter((part) => part.currency !== currency);
  return [...Map.groupBy(others, (part) => part.currency)]
    .map(([other, parts]) => ({
      currency: other,
      costLast30Days: amountToNumber(sumAmounts(parts.map(({ cost }) => parseAmount(cost)))),
    }))
    .toSorted((a, b) => compare(a.currency, b.currency));
}

/** A cost of the 30 days up to an account's last complete day. */
export interface RecentCost {
  readonly accountId: string;
  readonly currency: string;
  readonly costLast30Days: number | string | { toFixed(): string };
  /** The column month_costs. */
  readonly monthCosts: unknown;
}

/** Converts a cost of 30 days in all of its currencies to that of the organization, each month at its own rate as cost queries
 *  do; null if a part has no rate.
 *  @param conversionOf reads a conversion; null without a rate */
export async function convertRecentCost(
  { accountId, currency, costLast30Days, monthCosts }: RecentCost,
  conversionOf: (record: Convertible) => Promise<Conversion | null>,
) {
  const months = monthPartsOf(monthCosts);
  // Without cost, or last evaluated by a version that did not store the months.
  if (months.length === 0) {
    const to = await conversionOf({ accountId, currency });
    return to && { currency: to.currency, costLast30Days: Number(to.of(costLast30Days)) };
  }
  const conversions = await Promise.all(months.map((part) => conversionOf(part)));
  const parts = conversions.flatMap((to, at) => (to === null ? [] : [{ to, money: months[at]?.cost ?? 0 }]));
  const [first] = parts;
  if (first === undefined || parts.length < months.length) return null;
  return { currency: first.to.currency, costLast30Days: Conversion.sumOf(parts) };
}
