import type pg from 'pg';
import { lockAccount } from '../../kit/database/account-lock.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';

interface Listing {
  readonly accountId: string;
  readonly rows: readonly object[];
  readonly listedAt: Date;
}

/** Rows per statement: a listing of any length is sent in pieces that fit in memory. */
const batch = 5_000;

/** Replaces an account's listing, unless the one that is there is later.
 *  @param client a connection with an open transaction
 *  @returns `missing` when there is no such account */
export async function replaceListing(
  client: pg.ClientBase,
  scope: OrgScope,
  { accountId, rows, listedAt }: Listing,
): Promise<'replaced' | 'outdated' | 'missing'> {
  const owner = [accountId, scope.organizationId];
  await lockAccount(client, accountId);
  const { rows: found } = await client.query<{ before: Date | null }>(
    `/* replaceListing */ SELECT (SELECT max(listed_at) FROM inventory_listings WHERE account_id = $1 AND organization_id = $2) AS before
     FROM accounts WHERE id = $1 AND organization_id = $2`,
    owner,
  );
  const [account] = found;
  if (!account) return 'missing';
  if (account.before && account.before > listedAt) return 'outdated';
  await client.query(
    '/* replaceListing */ DELETE FROM inventory_listings WHERE account_id = $1 AND organization_id = $2',
    owner,
  );
  for (let at = 0; at < rows.length; at += batch) {
    await client.query(
      `/* replaceListing */ INSERT INTO inventory_listings (account_id, organization_id, resource_id, provider, native_id,
         name, resource_type, service, region, tags, metadata, listed_at)
       SELECT $1, $2, resource_id, provider, native_id, name, resource_type, service, region, tags, metadata, $3
       FROM jsonb_populate_recordset(null::inventory_listings, $4)`,
      [...owner, listedAt, JSON.stringify(rows.slice(at, at + batch))],
    );
  }
  return 'replaced';
}
