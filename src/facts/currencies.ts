import { Decimal } from 'decimal.js';
import type { Pool } from 'pg';
import { Prisma } from '../../prisma/generated/client/client.ts';
import { convertAmounts, microsToNumber, parseAmount, type Amount, type Micros } from '../kit/money.ts';
import { firstDay, type Month } from '../kit/time/period.ts';
import type { OrgScope } from '../tenancy/auth/scope.ts';

/** Returns SQL of the currencies of each account in a relation: `account_id`, `currency`, the `rate` to the organization's
 *  currency for the month of the account's last complete day, null if there is none, and `provisional`: that `month` and the
 *  `rateMonth` of a provisional rate, or null. This allows amounts that an index orders within an account and currency to be
 *  ordered by converted value.
 *  @param relation SQL of `table alias WHERE …` with the columns account_id and currency */
export function currenciesOf({ organizationId }: { organizationId: string }, relation: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(
  SELECT c.account_id, c.currency, CASE WHEN c.currency = o.currency THEN 1 ELSE x.rate END AS rate,
    CASE WHEN ${isProvisionalIn('x', completeMonth)} THEN
      jsonb_build_object('currency', c.currency, 'month', ${monthName(completeMonth)}, 'rateMonth', ${monthName('x.since')}) END AS provisional
  FROM (SELECT DISTINCT account_id, currency FROM ${relation}) c
  JOIN organizations o ON o.id = ${organizationId}::uuid
  JOIN accounts a ON a.organization_id = o.id AND a.id = c.account_id
  LEFT JOIN ${monthlyRates(organizationId)} AS x ON x.currency = c.currency AND x.to_currency = o.currency
    AND ${holdsIn('x', completeMonth)}
)`;
}

/** Returns SQL of the currencies of each account in a relation like `currenciesOf`, for costs of the 30 days up to the
 *  account's last complete day: `rate` as there, `rates` by currency and month of these days, and `is_even`: whether all rows are
 *  converted at one rate, so that an index in the order of the original costs has the order of the converted ones.
 *  @param relation as in `currenciesOf`, with the column has_other_costs, too: `rates` then has those of all currencies */
export function monthCurrenciesOf({ organizationId }: { organizationId: string }, relation: Prisma.Sql): Prisma.Sql {
  const month = `(${completeMonth} - back.months * interval '1 month')::date`;
  const isInDays = Prisma.raw(`${month} >= date_trunc('month', a.complete_through - 29)`);
  return Prisma.sql`(
  SELECT c.account_id, c.currency, max(x.rate) FILTER (WHERE back.months = 0 AND x.currency = c.currency) AS rate,
    jsonb_object_agg(x.currency || ' ' || ${monthName(month)}, x.rate) FILTER (WHERE ${isInDays} AND x.rate IS NOT NULL) AS rates,
    NOT bool_or(c.has_other_costs)
      AND coalesce(min(coalesce(x.rate, 0)) FILTER (WHERE ${isInDays}) = max(coalesce(x.rate, 0)) FILTER (WHERE ${isInDays}), true) AS is_even
  FROM (SELECT account_id, currency, bool_or(has_other_costs) AS has_other_costs FROM ${relation} GROUP BY account_id, currency) c
  JOIN organizations o ON o.id = ${organizationId}::uuid
  JOIN accounts a ON a.organization_id = o.id AND a.id = c.account_id
  CROSS JOIN generate_series(0, 2) AS back (months)
  LEFT JOIN (
    SELECT currency, to_currency, rate, since, until FROM ${monthlyRates(organizationId)} AS other WHERE currency <> to_currency
    UNION ALL SELECT currency, currency, 1, '-infinity', NULL FROM organizations WHERE id = ${organizationId}::uuid
  ) AS x ON (x.currency = c.currency OR c.has_other_costs) AND x.to_currency = o.currency AND ${holdsIn('x', month)}
  GROUP BY c.account_id, c.currency
)`;
}

/** SQL condition that a row has costs in currencies other than its own: those of 30 days in `month_costs`. */
export const hasOtherCosts =
  "EXISTS (SELECT FROM jsonb_object_keys(month_costs) AS part WHERE split_part(part, ' ', 1) <> currency)";

/** Returns SQL of a cost of 30 days in all currencies, converted month by month; null if a part has no rate.
 *  @param row alias of a row with `month_costs`, beside `k` of `monthCurrenciesOf`
 *  @param cost its cost column */
export function convertedCost(row: string, cost: string): Prisma.Sql {
  const [months, whole] = [Prisma.raw(`${row}.month_costs`), Prisma.raw(`${row}.${cost}`)];
  return Prisma.sql`CASE WHEN k.is_even OR ${months} = '{}' THEN ${whole} * k.rate ELSE (
    SELECT CASE WHEN count(k.rates ->> part.key) = count(*) THEN sum(part.value::numeric * (k.rates ->> part.key)::numeric) END
    FROM jsonb_each_text(${months}) AS part) END`;
}

const completeMonth = "date_trunc('month', a.complete_through)::date";

function monthName(date: string): Prisma.Sql {
  return Prisma.raw(`to_char(${date}, 'YYYY-MM')`);
}

/** Returns SQL of the organization's exchange rates: `currency`, `to_currency`, `rate`, `is_provisional`, and the months in
 *  which the rate holds: from `since` until the next rate, `until`; null if there is none. A rate is thus carried forward to
 *  months without one. An entered rate takes precedence over a downloaded one of the same month. */
export function monthlyRates(organizationId: string): Prisma.Sql {
  return Prisma.sql`(
  SELECT known.*, lead(since) OVER (PARTITION BY currency, to_currency ORDER BY since) AS until
  FROM (
    SELECT DISTINCT ON (from_currency, to_currency, month)
      from_currency AS currency, to_currency, rate, is_provisional, month AS since
    FROM exchange_rates WHERE organization_id = ${organizationId}::uuid
    ORDER BY from_currency, to_currency, month, source
  ) AS known
)`;
}

/** Returns the SQL condition that a rate holds in a month.
 *  @param month SQL expression of the first day of the month */
export function holdsIn(rates: string, month: string): Prisma.Sql {
  return Prisma.raw(`${month} >= ${rates}.since AND (${rates}.until IS NULL OR ${month} < ${rates}.until)`);
}

/** Returns the SQL condition that a rate can still change for a month in which it holds: it is that of an earlier month, or of
 *  a month that has not ended.
 *  @param month SQL expression of the first day of the month */
export function isProvisionalIn(rates: string, month: string): Prisma.Sql {
  return Prisma.raw(`(${rates}.since < ${month} OR ${rates}.is_provisional)`);
}

/** Amounts to convert to the organization's currency: their currency and month, or the account whose last complete day is in
 *  that month. */
export type Convertible = { readonly currency: string } & ({ readonly accountId: string } | { readonly month: Month });

/** A decimal as a number, a text or a stored value. */
type Money = number | string | { toFixed(): string };

/** The conversion of a record's amounts at one exchange rate. */
export class Conversion {
  /** The organization's currency, ISO 4217. */
  readonly currency: string;
  readonly #rate: Amount;

  constructor(currency: string, rate: Amount) {
    this.currency = currency;
    this.#rate = rate;
  }

  /** Converts an amount, rounded to 6 decimals. */
  micros(money: Money): Micros {
    return convertAmounts([this.#part(money)]);
  }

  /** Converts amounts at their own rates to the sum as a JSON number, rounded to 6 decimals. */
  static sumOf(parts: readonly { readonly to: Conversion; readonly money: Money }[]): number {
    return microsToNumber(convertAmounts(parts.map(({ to, money }) => to.#part(money))));
  }

  #part(money: Money) {
    const amount = parseAmount(new Decimal(typeof money === 'object' ? money.toFixed() : money).toFixed());
    return { amount, rate: this.#rate };
  }

  /** Converts an amount to a JSON number, rounded to 6 decimals. */
  of<Value extends Money | null>(money: Value): number | (Value & null) {
    return money === null ? (money as Value & null) : microsToNumber(this.micros(money));
  }
}

/** Returns the conversions of records, in their order; null without a rate of the month or an earlier one. */
export async function readConversions(
  pool: Pool,
  { organizationId }: Pick<OrgScope, 'organizationId'>,
  records: readonly Convertible[],
): Promise<(Conversion | null)[]> {
  const keys = records.map((record, at) => ({
    at,
    currency: record.currency,
    account: 'accountId' in record ? record.accountId : null,
    month: 'month' in record ? firstDay(record.month) : null,
  }));
  const { text, values } =
    Prisma.sql`/* readConversions */ SELECT k.at, o.currency, CASE WHEN k.currency = o.currency THEN 1 ELSE x.rate END::text AS rate
FROM json_to_recordset(${JSON.stringify(keys)}::json) AS k (at int, currency text, account uuid, month date)
JOIN organizations o ON o.id = ${organizationId}::uuid
LEFT JOIN accounts a ON a.organization_id = o.id AND a.id = k.account
LEFT JOIN ${monthlyRates(organizationId)} AS x ON x.currency = k.currency AND x.to_currency = o.currency
  AND ${holdsIn('x', `coalesce(k.month, ${completeMonth})`)}`;
  const { rows } = await pool.query<{ at: number; currency: string; rate: string | null }>(text, values);
  const found = new Map(rows.map((row) => [row.at, row]));
  return records.map((_, at) => {
    const { currency = '', rate = null } = found.get(at) ?? {};
    return rate === null ? null : new Conversion(currency, parseAmount(rate));
  });
}

/** Converts an exact amount between two currencies. Null without a rate of one of them to the organization's currency. */
export type Exchange = (amount: Amount, from: string, to: string) => Amount | null;

/** Reads the exchange at the rates of the month of an account's last complete day. */
export async function readExchange(
  pool: Pool,
  { organizationId }: Pick<OrgScope, 'organizationId'>,
  accountId: string,
): Promise<Exchange> {
  const { text, values } =
    Prisma.sql`/* readExchange */ SELECT o.currency, '1' AS rate FROM organizations o WHERE o.id = ${organizationId}::uuid
UNION ALL SELECT x.currency, x.rate::text FROM organizations o
JOIN accounts a ON a.organization_id = o.id AND a.id = ${accountId}::uuid
JOIN ${monthlyRates(organizationId)} AS x ON x.currency <> o.currency AND x.to_currency = o.currency
  AND ${holdsIn('x', completeMonth)} WHERE o.id = ${organizationId}::uuid`;
  const { rows } = await pool.query<{ currency: string; rate: string }>(text, values);
  const rates = new Map(rows.map(({ currency, rate }) => [currency, parseAmount(rate)]));
  return (amount, from, to) => {
    if (from === to || amount === 0n) return amount;
    const [source, target] = [rates.get(from), rates.get(to)];
    return source === undefined || target === undefined ? null : (amount * source) / target;
  };
}
