import type pg from 'pg';
import { tagKeyName } from '../../../kit/tag-key.ts';
import type { OrgScope } from '../../../tenancy/auth/scope.ts';
import { foldedTagKey } from '../../costs/dimensions.ts';
import { copyFacts } from '../../staged.ts';
import type { ChargedTags } from './charged.ts';

/** Maximum characters of a tag key: no cloud accepts more, and an index could not hold longer ones. */
const keyCharacters = 512;

/** Replaces the tag key usage of an account's resources and of its charges in the last 30 complete days.
 *  @param client a connection with an open transaction */
export async function replaceUsage(
  client: pg.ClientBase,
  scope: OrgScope,
  accountId: string,
  { costs, values }: ChargedTags,
): Promise<void> {
  const owner = [accountId, scope.organizationId];
  for (const table of ['tag_key_usage', 'tag_key_costs', 'taggable_costs'])
    await client.query(`/* tags: usage */ DELETE FROM ${table} WHERE account_id = $1 AND organization_id = $2`, owner);
  await copyFacts(client, values);
  const keyed = costs.filter(({ key }) => key === null || isKey(key));
  const written = new Set([...keyed.flatMap(({ key }) => key ?? []), ...(await ownedKeys(client, owner))]);
  const places = new Map([...new Set([...written].map(foldedTagKey))].map((folded, place) => [folded, place]));
  const keys = [...written].map((key) => {
    const folded = foldedTagKey(key);
    return { key, spelled: tagKeyName(key), folded, place: places.get(folded) };
  });
  await client.query(insertUsage, [...owner, JSON.stringify(keys)]);
  const rows = JSON.stringify(keyed.map((each) => ({ ...each, key: each.key && foldedTagKey(each.key) })));
  await client.query(insertKeyCosts, [...owner, rows]);
  await client.query(insertTaggableCosts, [...owner, rows]);
}

/** Reads the tag keys of the resources, as spelled there. */
async function ownedKeys(client: pg.ClientBase, owner: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ key: string }>(
    `/* tags: keys of resources */ SELECT DISTINCT jsonb_object_keys(tags) AS key FROM inventory_resources
     WHERE account_id = $1 AND organization_id = $2 AND gone_at IS NULL`,
    [...owner],
  );
  return rows.map(({ key }) => key).filter(isKey);
}

function isKey(key: string): boolean {
  return tagKeyName(key).trim() !== '' && key.length <= keyCharacters;
}

/** The first 63 bits of a value's MD5, the same as `idOf`. */
const valueId = `((('x' || left(md5(t.value), 16))::bit(64)::bigint >> 1) & 9223372036854775807)`;

/** Inserts the usage of each key. Rows refer to keys by number, because numbers are grouped faster than texts. A resource with
 *  two spellings of a key counts once. */
const insertUsage = `/* tags: usage */ INSERT INTO tag_key_usage
    (account_id, folded_key, organization_id, provider, key, value_count, value_ids, resource_count)
  WITH written AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($3) AS k (key text, spelled text, folded text, place int)
  ), owned AS MATERIALIZED (
    SELECT r.provider, k.place, k.spelled, r.resource_id, ${valueId} AS value_id
    FROM inventory_resources r CROSS JOIN LATERAL jsonb_each_text(r.tags) AS t JOIN written k ON k.key = t.key
    WHERE r.account_id = $1 AND r.organization_id = $2 AND r.gone_at IS NULL
  ), charged AS MATERIALIZED (
    SELECT c.provider, k.place, c.key, c.value_id FROM charged_values c JOIN written k ON k.key = c.key
  ), valued AS (
    SELECT provider, place, array_agg(value_id) AS ids
    FROM (SELECT provider, place, value_id FROM owned UNION SELECT provider, place, value_id FROM charged) AS carried GROUP BY 1, 2
  ), spellings AS (
    SELECT provider, place, spelled, count(*) AS resources FROM owned GROUP BY 1, 2, 3
  ), spelled AS (
    SELECT provider, place, (array_agg(spelled ORDER BY resources DESC, spelled))[1] AS key,
      sum(resources) AS resources FROM spellings GROUP BY 1, 2
  ), distinguished AS (
    SELECT provider, place, count(DISTINCT resource_id) AS resources FROM owned
    WHERE place IN (SELECT place FROM written GROUP BY 1 HAVING count(*) > 1) GROUP BY 1, 2
  ), billed AS (
    SELECT place, min(key) AS key FROM charged GROUP BY 1
  ), named AS (
    SELECT place, min(folded) AS folded FROM written GROUP BY 1
  )
  SELECT $1, n.folded, $2, v.provider, coalesce(s.key, b.key), cardinality(v.ids), v.ids,
    coalesce(t.resources, s.resources, 0)
  FROM valued v JOIN named n ON n.place = v.place LEFT JOIN spelled s ON s.provider = v.provider AND s.place = v.place
  LEFT JOIN distinguished t ON t.provider = v.provider AND t.place = v.place LEFT JOIN billed b ON b.place = v.place`;

const sums = `jsonb_to_recordset($3)
  AS c (key text, provider text, currency text, month date, cost numeric, "taggableCost" numeric)`;

const insertKeyCosts = `/* tags: costs by key */ INSERT INTO tag_key_costs
    (account_id, organization_id, folded_key, provider, currency, month, cost, taggable_cost)
  SELECT $1, $2, key, provider, currency, month, sum(cost), coalesce(sum("taggableCost"), 0)
  FROM ${sums} WHERE key IS NOT NULL GROUP BY key, provider, currency, month`;

const insertTaggableCosts = `/* tags: taggable costs */ INSERT INTO taggable_costs
    (account_id, organization_id, provider, currency, month, cost)
  SELECT $1, $2, provider, currency, month, "taggableCost" FROM ${sums} WHERE key IS NULL AND "taggableCost" IS NOT NULL`;
