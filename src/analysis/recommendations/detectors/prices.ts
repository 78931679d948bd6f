import { type Amount, sumAmounts } from '../../../kit/money.ts';
import { per } from './figures.ts';

/** On-demand cost and quantity of a meter in a region in the window. */
export interface PriceRow {
  readonly provider: string;
  readonly region: string;
  readonly currency: string;
  /** Same spelling as in `Usage`. */
  readonly meter: string;
  readonly service: string;
  readonly unit: string;
  readonly quantity: Amount;
  /** EffectiveCost. */
  readonly cost: Amount;
}

/** Where a price applies: the provider, region and currency of a subject. */
export interface Market {
  readonly provider: string;
  readonly region: string;
  readonly currency: string;
}

/** The account's own unit prices, including its discounts. */
export interface PriceBook {
  /** Returns the unit price; null if the account had no on-demand usage there. */
  priceOf(market: Market, meter: string): Amount | null;
  /** Returns the on-demand cost of matching meters of a service in the window. */
  spendOn(market: Market, service: RegExp, meter: RegExp): Amount;
}

/** Builds the price book. A meter billed in several units has no price. Free usage is ignored: bills list the free tier
 *  separately, under the same meter. */
export function priceBook(all: readonly PriceRow[]): PriceBook {
  const rows = all.filter(({ cost }) => cost > 0n);
  const byMeter = Map.groupBy(rows, (row) => keyOf(row, row.meter));
  const byMarket = Map.groupBy(rows, (row) => keyOf(row, ''));
  return {
    priceOf(market, meter) {
      const found = byMeter.get(keyOf(market, meter)) ?? [];
      const quantity = sumAmounts(found.map((row) => row.quantity));
      const cost = sumAmounts(found.map((row) => row.cost));
      const isOneUnit = new Set(found.map((row) => row.unit)).size === 1;
      return isOneUnit && quantity > 0n && cost > 0n ? per(cost, quantity) : null;
    },
    spendOn(market, service, meter) {
      const found = byMarket.get(keyOf(market, '')) ?? [];
      return sumAmounts(
        found.filter((row) => service.test(row.service) && meter.test(row.meter)).map((row) => row.cost),
      );
    },
  };
}

function keyOf({ provider, region, currency }: Market, meter: string): string {
  return [provider, region, currency, meter].join('\u001f');
}
