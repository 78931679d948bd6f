import { Prisma } from '../../prisma/generated/client/client.ts';

/** Returns SQL of the currencies of each account in a relation: `account_id`, `currency`, and the `rate` to the
 *  organization's currency for the month of the account's last complete day, null if there is none. This allows amounts that
 *  an index orders within an account and currency to be ordered by converted value.
 *  @param relation SQL of `table alias WHERE …` with the columns account_id and currency */
export function currenciesOf({ organizationId }: { organizationId: string }, relation: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(
  SELECT c.account_id, c.currency, CASE WHEN c.currency = o.currency THEN 1 ELSE x.rate END AS rate
  FROM (SELECT DISTINCT account_id, currency FROM ${relation}) c
  JOIN organizations o ON o.id = ${organizationId}::uuid
  JOIN accounts a ON a.organization_id = o.id AND a.id = c.account_id
  LEFT JOIN ${monthlyRates(organizationId)} AS x ON x.currency = c.currency AND x.to_currency = o.currency
    AND ${holdsIn('x', "date_trunc('month', a.complete_through)::date")}
)`;
}

/** Returns SQL of the organization's exchange rates: `currency`, `to_currency`, `rate`, and the months in which the rate holds:
 *  from `since` until the next rate, `until`; null if there is none. A rate is thus carried forward to months without one. */
export function monthlyRates(organizationId: string): Prisma.Sql {
  return Prisma.sql`(
  SELECT from_currency AS currency, to_currency, rate, month AS since,
    lead(month) OVER (PARTITION BY from_currency, to_currency ORDER BY month) AS until
  FROM exchange_rates WHERE organization_id = ${organizationId}::uuid
)`;
}

/** Returns the SQL condition that a rate holds in a month.
 *  @param month SQL expression of the first day of the month */
export function holdsIn(rates: string, month: string): Prisma.Sql {
  return Prisma.raw(`${month} >= ${rates}.since AND (${rates}.until IS NULL OR ${month} < ${rates}.until)`);
}
