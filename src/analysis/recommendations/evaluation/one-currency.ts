import type { Exchange } from '../../../facts/currencies.ts';
import { amountText, parseAmount, sumAmounts } from '../../../kit/money.ts';
import { compare } from '../../../kit/sort.ts';
import { earlierDay } from '../../../kit/time/period.ts';
import type { UsageRow } from './usage-query.ts';

/** The usage rows of one subject, highest cost first. */
export type UsageGroup = [UsageRow, ...UsageRow[]];

/** The usage of a subject in the currency of its latest charges. */
export interface OneCurrency {
  readonly rows: UsageGroup;
  /** Another currency of its charges without an exchange rate: the rows exclude its charges in other currencies. Null if they
   *  include all. */
  readonly unconverted: string | null;
}

/** Converts the usage of a subject to the currency of its latest charges, so that a change of the billing currency divides
 *  neither its costs nor its quantities. */
export function inOneCurrency(group: UsageGroup, exchange: Exchange): OneCurrency {
  const { currency } = group.reduce((latest, row) => (lastDay(row) < lastDay(latest) ? row : latest));
  const [first, ...others] = group.filter((row) => row.currency === currency);
  if (first === undefined || others.length + 1 === group.length) return { rows: group, unconverted: null };
  const meters = new Map<string, UsageRow>();
  for (const row of group) {
    const cost = exchange(parseAmount(row.cost), row.currency, currency);
    if (cost === null) return { rows: [first, ...others], unconverted: row.currency };
    const key = meterKey(row);
    const same = meters.get(key);
    const converted = { ...row, currency, cost: amountText(cost) };
    meters.set(key, same === undefined ? converted : add(same, converted));
  }
  const [highest = first, ...rest] = [...meters.values()].sort((a, b) =>
    compare(parseAmount(b.cost), parseAmount(a.cost)),
  );
  return { rows: [highest, ...rest], unconverted: null };
}

/** Returns the bit of the last day with a charge: lower for later days. */
function lastDay({ dayMask }: UsageRow): number {
  return dayMask & -dayMask;
}

/** Identifies the same usage in two currencies. Descriptions can contain the price, and price ids can differ. */
function meterKey({ service, category, region, subAccount, meter, description, unit, kind }: UsageRow): string {
  return [service, category, region, subAccount, meter || description, unit, kind].join('\u001f');
}

function add(a: UsageRow, b: UsageRow): UsageRow {
  const sum = (key: 'cost' | 'quantity' | 'weekend' | 'recent') =>
    amountText(sumAmounts([parseAmount(a[key]), parseAmount(b[key])]));
  return {
    ...a,
    cost: sum('cost'),
    quantity: sum('quantity'),
    weekend: sum('weekend'),
    recent: sum('recent'),
    dayMask: a.dayMask | b.dayMask,
    firstSeen: earlierDay(a.firstSeen, b.firstSeen),
  };
}
