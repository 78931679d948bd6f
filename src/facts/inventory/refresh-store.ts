import type pg from 'pg';
import type { Day } from '../../kit/period.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import type { ReadAccount } from '../consistent.ts';
import { goneDays, mergeStatement } from './merge.ts';

/** What PostgreSQL may use for each sort and hash of a large account; by default they would go through files. */
const workMemory = `SET LOCAL work_mem = '64MB'; SET LOCAL enable_nestloop = off`;
/** Rows that change before the planner's statistics are refreshed at once. */
const notableChange = 10_000;

const raiseVersion =
  '/* raiseVersion */ UPDATE accounts SET inventory_version = inventory_version + 1 WHERE id = $1 AND organization_id = $2';

/** Replaces an account's inventory, with the counts that lists are answered with.
 *  @param client an open transaction that holds the account's lock and has the tables of `billed.ts`
 *  @param account with its last complete day
 *  @returns how many resources there are, gone ones included */
export async function refreshResources(
  client: pg.ClientBase,
  scope: OrgScope,
  { id, currency, last, now }: ReadAccount & { last: Day; now: Date },
): Promise<number> {
  const owner = [id, scope.organizationId];
  await client.query(workMemory);
  const listedAt = await latestListing(client, owner);
  const { rowCount } = await client.query(mergeStatement, [...owner, last, now, listedAt, currency]);
  const { rowCount: forgotten } = await client.query(forgetStatement, [...owner, now, last]);
  const changed = (rowCount ?? 0) + (forgotten ?? 0);
  if (changed > notableChange) await client.query('ANALYZE inventory_resources');
  if (changed > 0) await client.query(raiseVersion, owner);
  return countResources(client, owner);
}

/** What is gone leaves, unless it is billed still though no listing has it any more: forgotten, it would be taken for something
 *  new. Daily charges that ended when it went ended 28 days before the last complete day, which is two days behind. A charge or
 *  two in 34 days are monthly ones, and are waited for as the merge does. */
const forgetStatement = `/* forgetGone */ DELETE FROM inventory_resources WHERE account_id = $1 AND organization_id = $2
  AND gone_at <= $3::timestamptz - interval '${goneDays} days' AND (listed_at IS NULL OR resource_id NOT IN (
    SELECT resource_id FROM billed_lately WHERE used_on > $4::date - 28 OR used_days <= 2))`;

async function latestListing(client: pg.ClientBase, owner: readonly string[]): Promise<Date | null> {
  const { rows } = await client.query<{ at: Date | null }>(
    '/* latestListing */ SELECT max(listed_at) AS at FROM inventory_listings WHERE account_id = $1 AND organization_id = $2',
    [...owner],
  );
  return rows[0]?.at ?? null;
}

async function countResources(client: pg.ClientBase, owner: readonly string[]): Promise<number> {
  await client.query(
    '/* countResources */ DELETE FROM inventory_counts WHERE account_id = $1 AND organization_id = $2',
    [...owner],
  );
  const { rows } = await client.query<{ resources: number }>(
    `/* countResources */ INSERT INTO inventory_counts
       (account_id, organization_id, provider, resource_type, service, region, currency, is_gone, resources)
     SELECT account_id, organization_id, provider, resource_type, service, region, currency, gone_at IS NOT NULL, count(*)
     FROM inventory_resources WHERE account_id = $1 AND organization_id = $2 GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
     RETURNING resources`,
    [...owner],
  );
  return rows.reduce((sum, { resources }) => sum + resources, 0);
}
