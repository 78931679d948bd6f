import type pg from 'pg';
import type { Day } from '../../kit/time/period.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import type { ReadAccount } from '../consistent.ts';
import { hasOtherCosts } from '../currencies.ts';
import { billedDaily } from './billed.ts';
import { searchText, tagTerms } from './search.ts';

// Joins the tables of billed.ts. Parameters: $1 account, $2 organization, $3 the last complete day, $4 now, $5 time of the
// latest listing (null: none), $6 default currency of resources without cost.

/** Maximum lengths, in characters: longer texts do not fit into an index. Cost figures keep the full texts. */
const maxName = 500;
const maxText = 150;
/** Days that gone resources are kept. */
const goneDays = 30;

/** All candidate resources: billed recently, listed, or already known. `seen` is the last day of usage or purchase; recent
 *  credits and corrections are not sufficient evidence. */
const candidates = `
ids AS (
  SELECT resource_id FROM billed_lately
  UNION SELECT resource_id FROM inventory_listings WHERE account_id = $1 AND organization_id = $2
  UNION SELECT resource_id FROM inventory_resources WHERE account_id = $1 AND organization_id = $2
), seen AS MATERIALIZED (
  SELECT *, CASE WHEN service IS NULL THEN last_seen ELSE used_on END AS seen
  FROM ids LEFT JOIN billed USING (resource_id) LEFT JOIN billed_lately USING (resource_id)
)`;

/** Whether it exists: listed, or billed recently, unless a later listing lacks what an earlier one had. */
const isThere = `coalesce(l.resource_id IS NOT NULL OR (
    $3::date - s.seen <= coalesce(s.days, ${billedDaily})
    AND (p.listed_at IS NULL OR $5::timestamptz IS NULL OR s.seen > ($5::timestamptz AT TIME ZONE 'UTC')::date)), false)`;

const merged = `
merged AS (
  SELECT s.resource_id, p.resource_id IS NULL AS is_new, coalesce(p.id, ${uuidv7()}) AS id,
    coalesce(l.provider, s.provider, p.provider) AS provider,
    coalesce(l.native_id, s.native_id, p.native_id) AS native_id,
    coalesce(nullif(l.name, ''), CASE WHEN p.listed_at IS NOT NULL THEN p.name END, s.name) AS name,
    coalesce(nullif(l.resource_type, ''), CASE WHEN p.listed_at IS NOT NULL THEN nullif(p.resource_type, '') END,
      s.resource_type, p.resource_type, '') AS resource_type,
    coalesce(s.service, p.service, nullif(l.service, ''), 'Unknown') AS service,
    coalesce(s.region, p.region, nullif(l.region, ''), 'global') AS region,
    coalesce(s.sub_account, p.sub_account, '') AS sub_account,
    coalesce(l.tags, s.tags, p.tags, '{}') AS tags, p.tags AS old_tags, p.tag_terms AS old_terms,
    coalesce(l.metadata, p.metadata, '{}') AS metadata,
    coalesce(s.currency, p.currency, $6) AS currency,
    coalesce(s.cost, 0) AS cost_last_30_days, coalesce(s.month_costs, '{}') AS month_costs,
    least(s.first_seen, p.first_seen_at, (l.listed_at AT TIME ZONE 'UTC')::date) AS first_seen_at,
    coalesce(greatest(s.seen, (coalesce(l.listed_at, p.listed_at) AT TIME ZONE 'UTC')::date), p.last_seen_at, s.first_seen) AS last_seen_at,
    coalesce(l.listed_at, p.listed_at) AS listed_at,
    CASE WHEN ${isThere} THEN NULL WHEN p.resource_id IS NULL THEN (s.seen + 1)::timestamp AT TIME ZONE 'UTC'
      ELSE coalesce(p.gone_at, $4) END AS gone_at,
    ${isThere} AS is_there
  FROM seen s
  LEFT JOIN inventory_resources p ON p.account_id = $1 AND p.organization_id = $2 AND p.resource_id = s.resource_id
  LEFT JOIN inventory_listings l ON l.account_id = $1 AND l.organization_id = $2 AND l.resource_id = s.resource_id
), named AS (
  SELECT resource_id, id, provider, native_id, left(coalesce(name, nullif(tags->>'Name', ''), nullif(regexp_replace(native_id, '^.*[/:]', ''), ''), native_id), ${maxName}) AS name,
    left(resource_type, ${maxText}) AS resource_type, left(service, ${maxText}) AS service, left(region, ${maxText}) AS region,
    sub_account, tags, CASE WHEN old_tags = tags THEN old_terms
      ELSE (SELECT coalesce(array_agg(term), '{}') FROM ${tagTerms('merged.tags')}) END AS tag_terms,
    metadata, currency, cost_last_30_days, month_costs, first_seen_at, last_seen_at, listed_at, gone_at
  FROM merged WHERE is_there OR NOT is_new OR gone_at > $4::timestamptz - interval '${goneDays} days'
), searchable AS (
  SELECT *, ${searchText('name', 'native_id')} AS search_text FROM named
)`;

/** UUIDv7 per RFC 9562: milliseconds, version, and the random part of a v4 UUID. PostgreSQL has a built-in one from version
 *  18. */
function uuidv7(): string {
  const ms = `lpad(to_hex((extract(epoch FROM $4::timestamptz) * 1000)::bigint), 12, '0')`;
  return `overlay(overlay(overlay(gen_random_uuid()::text PLACING left(${ms}, 8) FROM 1) PLACING right(${ms}, 4) FROM 10) PLACING '7' FROM 15)::uuid`;
}

const columns = `id, provider, native_id, name, resource_type, service, region, sub_account, tags, tag_terms, search_text, metadata,
  currency, cost_last_30_days, month_costs, first_seen_at, last_seen_at, listed_at, gone_at`;

const of = (row: string) => columns.replaceAll(/\w+/g, `${row}.$&`);

/** Merges bills and listing: new, changed and gone resources. Unchanged rows are filtered out before the upsert, which would
 *  lock each of them. */
const mergeStatement = `/* mergeInventory */ WITH ${candidates}, ${merged}
INSERT INTO inventory_resources AS i (account_id, organization_id, resource_id, ${columns})
SELECT $1, $2, n.resource_id, ${of('n')} FROM searchable n
LEFT JOIN inventory_resources o ON o.account_id = $1 AND o.organization_id = $2 AND o.resource_id = n.resource_id
WHERE (${of('o')}) IS DISTINCT FROM (${of('n')})
ON CONFLICT (account_id, resource_id) DO UPDATE SET (${columns}) = (${of('excluded')})`;

/** Memory per sort and hash for large accounts; with the default, they would spill to disk. */
const workMemory = `SET LOCAL work_mem = '64MB'; SET LOCAL enable_nestloop = off; SET LOCAL jit = off`;
/** Minimum changed rows to refresh planner statistics immediately, because the next steps join this table. */
const notableChange = 500;

const raiseVersion =
  '/* raiseVersion */ UPDATE accounts SET inventory_version = inventory_version + 1 WHERE id = $1 AND organization_id = $2';

/** Replaces an account's inventory and the counts of its lists.
 *  @param client an open transaction that holds the account's lock and has the tables of `billed.ts`
 *  @param account with its last complete day
 *  @returns the number of resources, including gone ones */
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

/** Deletes resources that are gone, unless they are still billed although no listing has them: once deleted, they would be
 *  taken for new. The daily charges of a deleted resource stopped at least 28 days before the last complete day, which lags
 *  by two days. Resources with one or two charges in 34 days count as billed monthly
 *  and are kept, as in the merge. */
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
       (account_id, organization_id, provider, resource_type, service, region, currency, is_gone, resources, has_other_costs)
     SELECT account_id, organization_id, provider, resource_type, service, region, currency, gone_at IS NOT NULL, count(*), bool_or(${hasOtherCosts})
     FROM inventory_resources WHERE account_id = $1 AND organization_id = $2 GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
     RETURNING resources`,
    [...owner],
  );
  return rows.reduce((sum, { resources }) => sum + resources, 0);
}
