import type pg from 'pg';
import { lockAccount } from '../../kit/database/account-lock.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';

/** Which account's inventory is made anew, and when that is. */
export interface RefreshTarget {
  readonly accountId: string;
  readonly now: Date;
}

/** Replaces the counts that lists are answered with.
 *  @param client a connection with an open transaction
 *  @returns how many resources there are, gone ones included */
export async function refreshResources(
  client: pg.ClientBase,
  scope: OrgScope,
  { accountId }: RefreshTarget,
): Promise<number> {
  const owner = [accountId, scope.organizationId];
  await lockAccount(client, accountId);
  await client.query(
    '/* refreshCounts */ DELETE FROM inventory_counts WHERE account_id = $1 AND organization_id = $2',
    owner,
  );
  await client.query(
    `/* refreshCounts */ INSERT INTO inventory_counts
       (account_id, organization_id, provider, resource_type, service, region, is_gone, resources)
     SELECT account_id, organization_id, provider, resource_type, service, region, gone_at IS NOT NULL, count(*)
     FROM inventory_resources WHERE account_id = $1 AND organization_id = $2 GROUP BY 1, 2, 3, 4, 5, 6, 7`,
    owner,
  );
  const { rows } = await client.query<{ total: string }>(
    `/* refreshResources */ SELECT coalesce(sum(resources), 0) AS total FROM inventory_counts
     WHERE account_id = $1 AND organization_id = $2`,
    owner,
  );
  return Number(rows[0]?.total ?? 0);
}
