import type { Pool } from 'pg';
import { Prisma } from '../../../prisma/generated/client/client.ts';
import { lockAccount } from '../../kit/database/account-lock.ts';
import { inTransaction } from '../../kit/database/transaction.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { lineColumns, linesOfMonths } from './lines.ts';

/** Makes `coverage_flagged_days` hold what resources of an account use on demand, of what commitments could cover.
 *  @param days so many, up to the account's last complete one
 *  @param resourceIds ids of the account's `resources`, as decimal text */
export async function replaceFlagged(
  pool: Pool,
  scope: OrgScope,
  { accountId, days, resourceIds }: { accountId: string; days: number; resourceIds: readonly string[] },
): Promise<void> {
  const { organizationId } = scope;
  const months = Prisma.sql`SELECT b.account_id, b.period, greatest(b.data_from, a.complete_through - ${days}::int) AS first,
      b.data_to AS last
    FROM accounts AS a JOIN billing_periods AS b ON b.account_id = a.id AND b.organization_id = a.organization_id
    WHERE a.id = ${accountId}::uuid AND a.organization_id = ${organizationId}::uuid
    AND b.data_to >= a.complete_through - ${days}::int`;
  const resources = Prisma.sql`SELECT unnest(${resourceIds}::bigint[])`;
  const lines = Prisma.sql`/* replaceFlagged */ INSERT INTO coverage_flagged_days (${lineColumns})
    ${linesOfMonths({ organizationId, accountIds: [accountId] }, months, resources)}`;
  await inTransaction(pool, async (client) => {
    await lockAccount(client, accountId);
    await client.query(
      '/* replaceFlagged */ DELETE FROM coverage_flagged_days WHERE account_id = $1 AND organization_id = $2',
      [accountId, organizationId],
    );
    if (resourceIds.length === 0) return;
    await client.query('SET LOCAL enable_nestloop = off; SET LOCAL enable_mergejoin = off');
    await client.query(lines.text, lines.values);
  });
}
