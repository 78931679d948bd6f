import type { Pool } from 'pg';
import { Prisma } from '../../../prisma/generated/client/client.ts';
import { among, type PageRequest } from '../../kit/page.ts';
import type { Sort } from '../../kit/sort.ts';
import { ownership, type LedgerSlice } from '../costs/reading/sql.ts';
import { holdsIn, monthlyRates } from '../currencies.ts';

type Sql = Prisma.Sql;

/** Sort fields of tag key lists, in REST spelling. */
export const keySortFields = ['key', 'cost_last_30_days'] as const;

/** Filters of a tag key list; null means any. */
export interface KeyFilter {
  readonly search: string | null;
  readonly providers: readonly string[] | null;
  /** Null: largest cost first. */
  readonly sort: Sort<(typeof keySortFields)[number]> | null;
}

/** Usage of a tag key. Amounts are exact decimals in the currency of `LedgerSlice`. */
export interface KeyRow {
  readonly foldedKey: string;
  readonly key: string;
  readonly resourceCount: number;
  /** Number of (account, provider) pairs that have it. */
  readonly places: number;
  /** Version of the data that its values are counted from: changes when any of these accounts is evaluated again. */
  readonly version: string;
  /** Number of values in the account and provider with the most. */
  readonly mostValues: number;
  readonly cost: string;
  readonly taggableCost: string;
}

/** Returns a page of tag keys and their total number. */
export async function listKeys(
  pool: Pool,
  slice: LedgerSlice,
  filter: KeyFilter,
  page: PageRequest,
): Promise<{ rows: KeyRow[]; total: number }> {
  const shown = keyConditions(slice, filter);
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
  FROM ${rated(slice, 'spent')} GROUP BY folded_key
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

/** Counts the distinct values of keys across accounts and providers.
 *  @param keys folded */
export async function countValues(
  pool: Pool,
  slice: LedgerSlice,
  filter: KeyFilter,
  keys: readonly string[],
): Promise<Record<string, number>> {
  const rows = await run<{ key: string; values: number }>(
    pool,
    Prisma.sql`/* tags: count values */ WITH carried AS MATERIALIZED (
  SELECT DISTINCT folded_key, unnest(value_ids) AS value_id FROM tag_key_usage
  WHERE ${keyConditions(slice, filter)} AND folded_key = ANY(${[...keys]}::text[])
)
SELECT folded_key AS key, count(*)::int AS values FROM carried GROUP BY folded_key`,
  );
  return Object.fromEntries(rows.map(({ key, values }) => [key, values]));
}

/** Reads the cost of taggable charges in the last 30 days, as an exact decimal. */
export async function readTaggableCost(
  pool: Pool,
  slice: LedgerSlice,
  providers: readonly string[] | null,
): Promise<string> {
  const [row] = await run<{ cost: string }>(
    pool,
    Prisma.sql`/* tags: taggable cost */ WITH spent AS MATERIALIZED (
  SELECT currency, month, sum(cost) AS cost FROM taggable_costs
  WHERE ${Prisma.join([ownership(slice), ...among('provider', providers)], ' AND ')} GROUP BY currency, month
)
SELECT coalesce(sum(cost * rate), 0)::text AS cost FROM ${rated(slice, 'spent')}`,
  );
  return row?.cost ?? '0';
}

function keyOrder(sort: KeyFilter['sort']): Sql {
  const columns = { key: 'u.folded_key', cost_last_30_days: 'coalesce(c.cost, 0)' };
  return Prisma.raw(sort ? `${columns[sort.field]} ${sort.direction}` : `${columns.cost_last_30_days} DESC`);
}

function keyConditions(slice: LedgerSlice, { search, providers }: KeyFilter): Sql {
  const found = search === null ? [] : [Prisma.sql`strpos(folded_key, ${search.toLowerCase()}) > 0`];
  return Prisma.join([ownership(slice), ...among('provider', providers), ...found], ' AND ');
}

/** Joins sums by currency and month with the month's exchange rate; sums without a rate are left out. */
function rated({ organizationId, currency }: LedgerSlice, table: string): Sql {
  return Prisma.sql`(
  SELECT s.*, CASE WHEN s.currency = ${currency} THEN 1 ELSE x.rate END AS rate
  FROM ${Prisma.raw(table)} s LEFT JOIN ${monthlyRates(organizationId)} x
  ON x.currency = s.currency AND x.to_currency = ${currency} AND ${holdsIn('x', 's.month')}
  WHERE s.currency = ${currency} OR x.rate IS NOT NULL
) AS rated`;
}

/** Runs a statement and returns its rows. */
export async function run<Row extends object>(pool: Pool, sql: Sql): Promise<Row[]> {
  const { rows } = await pool.query(sql.text, sql.values);
  return rows as Row[];
}
