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
  LEFT JOIN exchange_rates x ON x.organization_id = o.id AND x.from_currency = c.currency AND x.to_currency = o.currency
    AND x.month = date_trunc('month', a.complete_through)::date
)`;
}
