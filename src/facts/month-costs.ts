import { amountToNumber, parseAmount, sumAmounts } from '../kit/money.ts';
import { compare } from '../kit/sort.ts';
import type { Month } from '../kit/time/period.ts';

/** Part of a resource's cost of 30 days: an exact decimal in one billing currency and month. */
interface MonthPart {
  readonly currency: string;
  readonly month: Month;
  readonly cost: string;
}

/** Reads the column month_costs: `{"USD 2026-10": "1.5"}`. */
export function monthPartsOf(monthCosts: unknown): MonthPart[] {
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
