import type { Pool } from 'pg';
import { Prisma } from '../../../prisma/generated/client/client.ts';
import { lockAccount } from '../../kit/database/account-lock.ts';
import { inTransaction } from '../../kit/database/transaction.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { currentRules, lineColumns, linesOfMonths } from './lines.ts';

/** Makes `coverage_days` of an account hold the loads that stand now. Months that it holds already are left alone, and each
 *  of the others is made whole in a transaction of its own: until then it is read from its charges.
 *  @returns how many months were made */
export async function refreshCoverageDays(pool: Pool, scope: OrgScope, accountId: string): Promise<number> {
  const months = await dropOutdated(pool, scope, accountId);
  for (const month of months) await fillMonth(pool, scope, accountId, month);
  return months.length;
}

async function dropOutdated(pool: Pool, scope: OrgScope, accountId: string): Promise<string[]> {
  const owner = [accountId, scope.organizationId];
  await pool.query(
    `/* dropOutdated */ WITH outdated AS (
       DELETE FROM coverage_periods AS p WHERE p.account_id = $1 AND p.organization_id = $2
       AND NOT EXISTS (SELECT FROM billing_periods AS b WHERE b.account_id = p.account_id AND b.period = p.period
         AND b.load_id = p.load_id AND p.rules = $3) RETURNING p.period)
     DELETE FROM coverage_days AS d USING outdated WHERE d.account_id = $1 AND d.organization_id = $2
     AND d.billing_period = outdated.period`,
    [...owner, currentRules],
  );
  const { rows } = await pool.query<{ period: string }>(
    `/* missingMonths */ SELECT b.period::text FROM billing_periods AS b
     LEFT JOIN coverage_periods AS p ON p.account_id = b.account_id AND p.period = b.period
     WHERE b.account_id = $1 AND b.organization_id = $2 AND p.period IS NULL ORDER BY b.period DESC`,
    owner,
  );
  return rows.map(({ period }) => period);
}

/** Under the account's lock, so that no load comes between the charges that are read and the load that is noted. */
async function fillMonth(pool: Pool, scope: OrgScope, accountId: string, month: string): Promise<void> {
  const { organizationId } = scope;
  const months = Prisma.sql`SELECT account_id, period, data_from AS first, data_to AS last FROM billing_periods
    WHERE account_id = ${accountId}::uuid AND organization_id = ${organizationId}::uuid AND period = ${month}::date`;
  const lines = Prisma.sql`/* fillMonth */ INSERT INTO coverage_days (${lineColumns})
    ${linesOfMonths({ organizationId, accountIds: [accountId] }, months)}`;
  await inTransaction(pool, async (client) => {
    await lockAccount(client, accountId);
    await client.query('SET LOCAL enable_nestloop = off; SET LOCAL enable_mergejoin = off');
    const { rowCount } = await client.query(
      `/* fillMonth */ INSERT INTO coverage_periods (account_id, organization_id, period, load_id, rules)
       SELECT account_id, organization_id, period, load_id, $4 FROM billing_periods
       WHERE account_id = $1 AND organization_id = $2 AND period = $3 ON CONFLICT DO NOTHING`,
      [accountId, organizationId, month, currentRules],
    );
    // Somebody else was faster.
    if (rowCount === 1) await client.query(lines.text, lines.values);
  });
}
