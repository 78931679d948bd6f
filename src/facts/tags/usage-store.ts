import type pg from 'pg';
import { tagKeyName } from '../../kit/tag-key.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { taggable } from './taggable.ts';

/** An account whose bills and inventory are looked at. */
export interface EvaluatedAccount {
  readonly id: string;
  /** First and last of the 30 days that count, `YYYY-MM-DD`; null before the first load. */
  readonly days: { readonly first: string; readonly last: string } | null;
}

/** Keys beyond this are no tags: no cloud takes more, and an index could not hold them. */
const keyCharacters = 512;

/** Finds an account and keeps others from loading or deleting its figures until the transaction ends.
 *  @returns null when it is gone */
export async function findEvaluated(
  client: pg.ClientBase,
  scope: OrgScope,
  accountId: string,
): Promise<EvaluatedAccount | null> {
  const { rows } = await client.query<{ first: string | null; last: string | null }>(
    `/* tags: account */ SELECT (complete_through - 29)::text AS first, complete_through::text AS last
     FROM accounts WHERE id = $1 AND organization_id = $2`,
    [accountId, scope.organizationId],
  );
  const [row] = rows;
  if (row === undefined) return null;
  return { id: accountId, days: row.first && row.last ? { first: row.first, last: row.last } : null };
}

/** Writes anew how an account's resources and its charges of the last 30 days use tag keys.
 *  @param client a connection with an open transaction */
export async function replaceUsage(client: pg.ClientBase, scope: OrgScope, account: EvaluatedAccount): Promise<void> {
  const owner = [account.id, scope.organizationId];
  for (const table of ['tag_key_usage', 'tag_key_costs', 'taggable_costs'])
    await client.query(`/* tags: usage */ DELETE FROM ${table} WHERE account_id = $1 AND organization_id = $2`, owner);
  const [charged, owned] = [await chargedKeys(client, scope, account.id), await ownedKeys(client, scope, account.id)];
  const keys = [...new Set([...charged, ...owned].map(({ folded }) => folded))];
  const places = new Map(keys.map((folded, place) => [folded, place]));
  const placeOf = ({ folded }: WrittenKey) => places.get(folded);
  const bills = [charged.map(({ id }) => id), charged.map(placeOf)];
  // Before the first load no charge is of any day.
  const days = [account.days?.first ?? 'infinity', account.days?.last ?? '-infinity'];
  const written = [owned.map(({ key }) => key), owned.map(placeOf), owned.map(({ key }) => tagKeyName(key))];
  const twofold = ambiguous(owned).map((folded) => places.get(folded));
  const spelled = charged.map(({ key }) => key);
  await insertUsage(client, [...owner, ...days, ...bills, spelled, ...written, keys, twofold]);
  await client.query(insertKeyCosts, [...owner, ...days, ...bills, keys]);
  await client.query(insertTaggableCosts, [...owner, ...days]);
}

/** A tag key as it is written somewhere. */
interface WrittenKey {
  /** Of tag_keys; null on resources. */
  readonly id: string | null;
  readonly key: string;
  readonly folded: string;
}

/** Folded keys that resources spell in several ways: one may carry two of them, and counts once. */
function ambiguous(owned: readonly WrittenKey[]): string[] {
  const spellings = Map.groupBy(owned, ({ folded }) => folded);
  return [...spellings].filter(([, keys]) => keys.length > 1).map(([folded]) => folded);
}

/** The keys of the bills. */
async function chargedKeys(client: pg.ClientBase, scope: OrgScope, accountId: string): Promise<WrittenKey[]> {
  const { rows } = await client.query<{ id: string; key: string }>(
    `/* tags: keys of bills */ SELECT id::text AS id, min(key) AS key FROM tag_keys
     WHERE account_id = $1 AND organization_id = $2 GROUP BY 1`,
    [accountId, scope.organizationId],
  );
  return rows.filter(isKey).map(({ id, key }) => ({ id, key, folded: key.toLowerCase() }));
}

/** The keys of the resources. They are folded here, because databases differ in what they take for the lower case of letters
 *  beyond ASCII. */
async function ownedKeys(client: pg.ClientBase, scope: OrgScope, accountId: string): Promise<WrittenKey[]> {
  const { rows } = await client.query<{ key: string }>(
    `/* tags: keys of resources */ SELECT DISTINCT jsonb_object_keys(tags) AS key FROM inventory_resources
     WHERE account_id = $1 AND organization_id = $2 AND gone_at IS NULL`,
    [accountId, scope.organizationId],
  );
  return rows.filter(isKey).map(({ key }) => ({ id: null, key, folded: tagKeyName(key).toLowerCase() }));
}

function isKey({ key }: { readonly key: string }): boolean {
  return tagKeyName(key).trim() !== '' && key.length <= keyCharacters;
}

/** The first 63 bits of the MD5 of a value: its id in `tag_values`. */
const valueId = `((('x' || left(md5(t.value), 16))::bit(64)::bigint >> 1) & 9223372036854775807)`;

const ofLast30Days = `f.account_id = $1 AND f.organization_id = $2 AND f.charge_date BETWEEN $3::date AND $4::date`;

/** Keys stand in arrays, and rows name them by their place there: numbers are joined and grouped faster than texts. */
async function insertUsage(client: pg.ClientBase, parameters: readonly unknown[]): Promise<void> {
  await client.query(
    `/* tags: usage */ INSERT INTO tag_key_usage
       (account_id, folded_key, organization_id, provider, key, value_count, value_ids, resource_count)
     WITH owned AS MATERIALIZED (
       SELECT r.provider, k.place, k.spelled, r.resource_id, ${valueId} AS value_id
       FROM inventory_resources r CROSS JOIN LATERAL jsonb_each_text(r.tags) AS t
       JOIN unnest($8::text[], $9::int[], $10::text[]) AS k (key, place, spelled) ON k.key = t.key
       WHERE r.account_id = $1 AND r.organization_id = $2 AND r.gone_at IS NULL
     ), charged AS MATERIALIZED (
       SELECT DISTINCT f.provider, f.tag_set_id FROM cost_facts f WHERE ${ofLast30Days} AND f.tag_set_id <> 0
     ), carried AS (
       SELECT provider, place, value_id FROM owned
       UNION SELECT c.provider, k.place, p.value_id FROM charged c
       JOIN tag_pairs p ON p.account_id = $1 AND p.organization_id = $2 AND p.tag_set_id = c.tag_set_id
       JOIN unnest($5::bigint[], $6::int[]) AS k (id, place) ON k.id = p.key_id
     ), valued AS (
       SELECT provider, place, array_agg(value_id) AS ids FROM carried GROUP BY 1, 2
     ), spellings AS (
       SELECT provider, place, spelled, count(*) AS resources FROM owned GROUP BY 1, 2, 3
     ), spelled AS (
       SELECT provider, place, (array_agg(spelled ORDER BY resources DESC, spelled))[1] AS key,
         sum(resources) AS resources FROM spellings GROUP BY 1, 2
     ), told_apart AS (
       SELECT provider, place, count(DISTINCT resource_id) AS resources FROM owned
       WHERE place = ANY($12::int[]) GROUP BY 1, 2
     ), billed AS (
       SELECT place, min(key) AS key FROM unnest($6::int[], $7::text[]) AS b (place, key) GROUP BY 1
     )
     SELECT $1, ($11::text[])[v.place + 1], $2, v.provider, coalesce(s.key, b.key), cardinality(v.ids), v.ids,
       coalesce(t.resources, s.resources, 0)
     FROM valued v LEFT JOIN spelled s ON s.provider = v.provider AND s.place = v.place
     LEFT JOIN told_apart t ON t.provider = v.provider AND t.place = v.place LEFT JOIN billed b ON b.place = v.place`,
    [...parameters],
  );
}

const insertKeyCosts = `/* tags: costs by key */ INSERT INTO tag_key_costs
    (account_id, folded_key, organization_id, provider, currency, month, cost, taggable_cost)
  WITH sets AS MATERIALIZED (
    SELECT f.tag_set_id, f.provider, f.currency, date_trunc('month', f.charge_date::timestamp)::date AS month,
      sum(f.effective) AS cost, coalesce(sum(f.effective) FILTER (WHERE ${taggable}), 0) AS taggable_cost
    FROM cost_facts f WHERE ${ofLast30Days} AND f.tag_set_id <> 0 GROUP BY 1, 2, 3, 4
  )
  SELECT $1, ($7::text[])[k.place + 1], $2, s.provider, s.currency, s.month, sum(s.cost), sum(s.taggable_cost)
  FROM sets s JOIN tag_pairs p ON p.account_id = $1 AND p.organization_id = $2 AND p.tag_set_id = s.tag_set_id
  JOIN unnest($5::bigint[], $6::int[]) AS k (id, place) ON k.id = p.key_id
  GROUP BY k.place, s.provider, s.currency, s.month`;

const insertTaggableCosts = `/* tags: taggable costs */ INSERT INTO taggable_costs
    (account_id, organization_id, provider, currency, month, cost)
  SELECT $1, $2, f.provider, f.currency, date_trunc('month', f.charge_date::timestamp)::date, sum(f.effective)
  FROM cost_facts f WHERE ${ofLast30Days} AND ${taggable} GROUP BY 3, 4, 5`;
