import type pg from 'pg';
import { lockAccount } from '../../kit/database/account-lock.ts';

export interface ListingOwner {
  readonly accountId: string;
  readonly organizationId: string;
}

interface NewListing {
  readonly listedAt: Date;
  readonly unread: readonly string[];
}

/** Deletes an account's listing, unless the existing one is newer. Keeps items of provider lists that could not be read this
 *  time.
 *  @param client a connection with an open transaction, which holds the account's lock from then on
 *  @returns `missing` if there is no such account */
export async function beginListing(
  client: pg.ClientBase,
  { accountId, organizationId }: ListingOwner,
  { listedAt, unread }: NewListing,
): Promise<'begun' | 'outdated' | 'missing'> {
  const owner = [accountId, organizationId];
  await lockAccount(client, accountId);
  const { rows: found } = await client.query<{ before: Date | null }>(
    `/* beginListing */ SELECT (SELECT max(listed_at) FROM inventory_listings WHERE account_id = $1 AND organization_id = $2) AS before
     FROM accounts WHERE id = $1 AND organization_id = $2`,
    owner,
  );
  const [account] = found;
  if (!account) return 'missing';
  if (account.before && account.before > listedAt) return 'outdated';
  await client.query(
    `/* beginListing */ DELETE FROM inventory_listings WHERE account_id = $1 AND organization_id = $2
     AND (list = '' OR list !~ ALL ($3::text[]))`,
    [...owner, unread],
  );
  return 'begun';
}

/** Adds rows to a new listing. No call may contain a resource twice; later calls overwrite the rows of earlier ones. */
export async function addListed(
  client: pg.ClientBase,
  { accountId, organizationId }: ListingOwner,
  rows: readonly object[],
  listedAt: Date,
): Promise<void> {
  if (rows.length === 0) return;
  await client.query(
    `/* addListed */ INSERT INTO inventory_listings (account_id, organization_id, resource_id, provider, native_id,
       name, resource_type, service, region, tags, metadata, list, listed_at)
     SELECT $1, $2, resource_id, provider, native_id, name, resource_type, service, region, tags, metadata, list, $3
     FROM jsonb_populate_recordset(null::inventory_listings, $4)
     ON CONFLICT (account_id, resource_id) DO UPDATE SET name = excluded.name, resource_type = excluded.resource_type,
       service = excluded.service, region = excluded.region, tags = excluded.tags, metadata = excluded.metadata,
       list = excluded.list, listed_at = excluded.listed_at`,
    [accountId, organizationId, listedAt, JSON.stringify(rows)],
  );
}

/** Returns which of the ids are in the account's bills, as a resource or as a commitment.
 *  @param client a transaction that has the table `billedNames` of `billed.ts` */
export async function knownIds(
  client: pg.ClientBase,
  names: readonly { readonly resource_id: string }[],
): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const { rows } = await client.query<{ id: string }>(
    `/* knownIds */ SELECT id::text AS id FROM billed_names WHERE id = ANY($1::bigint[])`,
    [names.map(({ resource_id }) => resource_id)],
  );
  return new Set(rows.map(({ id }) => id));
}
