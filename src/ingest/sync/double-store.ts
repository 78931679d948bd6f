import type pg from 'pg';
import { grainCodes, rollups } from '../../engine/codebook.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';

/** A sub-account that another account of the organization bills too, in the same billing months. */
export interface DoubleBilling {
  readonly code: string;
  /** First and last of those months, `YYYY-MM`. */
  readonly first: string;
  readonly last: string;
}

/** Sub-accounts whose charges stand in this account and in another one of the organization for the same billing months: of one
 *  billing account, so that they are the same charges. */
export async function listDoubleBilling(pool: pg.Pool, scope: OrgScope, accountId: string): Promise<DoubleBilling[]> {
  const monthly = `rollup = ${rollups.subAccount.code} AND grain = ${grainCodes.month}`;
  // Citus joins tables of several accounts only where one of them is read apart.
  const { rows } = await pool.query<DoubleBilling>(
    `/* listDoubleBilling */ WITH mine AS MATERIALIZED (
       SELECT id, code, billing_account_id FROM sub_accounts
       WHERE account_id = $1 AND organization_id = $2 AND billing_account_id <> ''
     ), shared AS MATERIALIZED (
       SELECT other.account_id, mine.id, mine.code FROM mine
       JOIN sub_accounts other ON other.id = mine.id AND other.billing_account_id = mine.billing_account_id
       WHERE other.organization_id = $2
         AND other.account_id = ANY(ARRAY(SELECT id FROM accounts WHERE organization_id = $2 AND id <> $1))
     ), months AS MATERIALIZED (
       SELECT sub_account_id, billing_period FROM cost_rollups
       WHERE account_id = $1 AND organization_id = $2 AND ${monthly} AND sub_account_id IN (SELECT id FROM shared)
     )
     SELECT s.code, to_char(min(m.billing_period), 'YYYY-MM') AS first, to_char(max(m.billing_period), 'YYYY-MM') AS last
     FROM shared s
     JOIN months m ON m.sub_account_id = s.id
     JOIN cost_rollups o ON o.account_id = s.account_id AND o.organization_id = $2 AND o.${monthly.replace(' AND ', ' AND o.')}
       AND o.sub_account_id = s.id AND o.billing_period = m.billing_period
     GROUP BY s.code ORDER BY s.code`,
    [accountId, scope.organizationId],
  );
  return rows;
}

const named = 5;

/** The same in words, a sentence each. The other account is not named: not everyone who reads this may know it. */
export function warnOfDoubles(doubles: readonly DoubleBilling[]): string[] {
  const said = doubles.slice(0, named).map(({ code, first, last }) => {
    const months = first === last ? first : `${first} to ${last}`;
    return `Sub-account "${code}" is also billed in another account of the organization, in ${months}: its charges count twice; disconnect one of the two with purge`;
  });
  const more = doubles.length - said.length;
  return more > 0 ? [...said, `${more} more sub-accounts are billed twice`] : said;
}
