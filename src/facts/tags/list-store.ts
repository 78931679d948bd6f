import type { Pool } from 'pg';
import { Prisma } from '../../../prisma/generated/client/client.ts';
import type { PageRequest } from '../../kit/page.ts';
import type { Sort } from '../../kit/sort.ts';

type Sql = Prisma.Sql;

/** Whose tags are read, in which currency they are answered. */
export interface TagBooks {
  readonly organizationId: string;
  /** Accounts in the caller's scope and question. */
  readonly accountIds: readonly string[];
  /** The organization's currency, ISO 4217. */
  readonly currency: string;
}

/** Fields that a list of tag keys can be sorted by, as REST spells them. */
export const keySortFields = ['key', 'cost_last_30_days'] as const;

/** Which tag keys a list shows; null means any. */
export interface KeyFilter {
  readonly search: string | null;
  readonly providers: readonly string[] | null;
  /** Null: the largest cost first. */
  readonly sort: Sort<(typeof keySortFields)[number]> | null;
}

/** How a tag key is used. Amounts are exact decimals in the currency of the books. */
export interface KeyRow {
  readonly foldedKey: string;
  readonly key: string;
  readonly resourceCount: number;
  /** Accounts and providers that have it. */
  readonly places: number;
  /** Of what its values are counted from: differs after each evaluation of one of the places. */
  readonly version: string;
  /** Values in the place that has most of them. */
  readonly mostValues: number;
  readonly cost: string;
  readonly taggableCost: string;
}

/** One page of the tag keys, and how many there are in all. */
export async function listKeys(
  pool: Pool,
  books: TagBooks,
  filter: KeyFilter,
  page: PageRequest,
): Promise<{ rows: KeyRow[]; total: number }> {
  const shown = keyConditions(books, filter);
  const [rows, [count]] = await Promise.all([
    run<KeyRow>(
      pool,
      Prisma.sql`/* tags: keys */ WITH used AS MATERIALIZED (
  SELECT folded_key, (array_agg(key ORDER BY resource_count DESC, key))[1] AS key,
    sum(resource_count)::int AS resources, count(*)::int AS places, max(value_count) AS most,
    string_agg(concat_ws(' ', account_id, provider, extract(epoch FROM evaluated_at)), ',' ORDER BY account_id, provider)
      AS version
  FROM tag_key_usage WHERE ${shown} GROUP BY folded_key
), spent AS MATERIALIZED (
  SELECT folded_key, currency, month, sum(cost) AS cost, sum(taggable_cost) AS taggable
  FROM tag_key_costs WHERE ${shown} GROUP BY folded_key, currency, month
), costs AS (
  SELECT folded_key, sum(cost * rate) AS cost, sum(taggable * rate) AS taggable
  FROM ${rated(books, 'spent')} GROUP BY folded_key
)
SELECT u.folded_key AS "foldedKey", u.key, u.resources AS "resourceCount", u.places, u.most AS "mostValues", u.version,
  coalesce(c.cost, 0)::text AS cost, coalesce(c.taggable, 0)::text AS "taggableCost"
FROM used u LEFT JOIN costs c ON c.folded_key = u.folded_key
ORDER BY ${keyOrder(filter.sort)}, u.folded_key LIMIT ${page.take} OFFSET ${page.skip}`,
    ),
    run<{ total: number }>(
      pool,
      Prisma.sql`/* tags: count keys */ SELECT count(DISTINCT folded_key)::int AS total FROM tag_key_usage WHERE ${shown}`,
    ),
  ]);
  return { rows, total: count?.total ?? 0 };
}

/** How many values keys have, those of several accounts and providers counted once.
 *  @param keys folded */
export async function countValues(
  pool: Pool,
  books: TagBooks,
  filter: KeyFilter,
  keys: readonly string[],
): Promise<Record<string, number>> {
  const rows = await run<{ key: string; values: number }>(
    pool,
    Prisma.sql`/* tags: count values */ WITH carried AS MATERIALIZED (
  SELECT DISTINCT folded_key, unnest(value_ids) AS value_id FROM tag_key_usage
  WHERE ${keyConditions(books, filter)} AND folded_key = ANY(${[...keys]}::text[])
)
SELECT folded_key AS key, count(*)::int AS values FROM carried GROUP BY folded_key`,
  );
  return Object.fromEntries(rows.map(({ key, values }) => [key, values]));
}

/** What could carry tags cost in the last 30 days, as an exact decimal. */
export async function readTaggableCost(
  pool: Pool,
  books: TagBooks,
  providers: readonly string[] | null,
): Promise<string> {
  const [row] = await run<{ cost: string }>(
    pool,
    Prisma.sql`/* tags: taggable cost */ WITH spent AS MATERIALIZED (
  SELECT currency, month, sum(cost) AS cost FROM taggable_costs
  WHERE ${Prisma.join([owned(books), ...ofProviders(providers)], ' AND ')} GROUP BY currency, month
)
SELECT coalesce(sum(cost * rate), 0)::text AS cost FROM ${rated(books, 'spent')}`,
  );
  return row?.cost ?? '0';
}

function keyOrder(sort: KeyFilter['sort']): Sql {
  const columns = { key: 'u.folded_key', cost_last_30_days: 'coalesce(c.cost, 0)' };
  return Prisma.raw(sort ? `${columns[sort.field]} ${sort.direction}` : `${columns.cost_last_30_days} DESC`);
}

function keyConditions(books: TagBooks, { search, providers }: KeyFilter): Sql {
  const found = search === null ? [] : [Prisma.sql`strpos(folded_key, ${search.toLowerCase()}) > 0`];
  return Prisma.join([owned(books), ...ofProviders(providers), ...found], ' AND ');
}

/** Those of some providers; null means all. */
export function ofProviders(providers: readonly string[] | null): Sql[] {
  return providers === null ? [] : [Prisma.sql`provider = ANY(${[...providers]}::text[])`];
}

/** In every read: the organization's rows, of the accounts in the caller's scope and question. */
export function owned({ organizationId, accountIds }: TagBooks): Sql {
  return Prisma.sql`organization_id = ${organizationId}::uuid AND account_id = ANY(${[...accountIds]}::uuid[])`;
}

/** Sums by currency and month with the rate of the month; what has none is left out. */
function rated({ organizationId, currency }: TagBooks, table: string): Sql {
  return Prisma.sql`(
  SELECT s.*, CASE WHEN s.currency = ${currency} THEN 1 ELSE x.rate END AS rate
  FROM ${Prisma.raw(table)} s LEFT JOIN exchange_rates x ON x.organization_id = ${organizationId}::uuid
  AND x.month = s.month AND x.from_currency = s.currency AND x.to_currency = ${currency}
  WHERE s.currency = ${currency} OR x.rate IS NOT NULL
) AS rated`;
}

/** The rows of a statement. */
export async function run<Row extends object>(pool: Pool, sql: Sql): Promise<Row[]> {
  const { rows } = await pool.query(sql.text, sql.values);
  return rows as Row[];
}
