import type { QueryResultRow } from 'pg';
import { Prisma } from '../../../../prisma/generated/client/client.ts';
import { chargeCategories, idOf } from '../../../engine/codebook.ts';
import { parseAmount } from '../../../kit/money.ts';
import type { Day } from '../../../kit/time/period.ts';
import type { CostCell } from '../cells.ts';
import { dimensionInfo, foldedTagKey, isNamed, tagKeyOf, virtualKeyOf, type Dimension } from '../dimensions.ts';
import { tagKeysOf, virtualKeysOf, type LiveVirtualTag, type RollupSpan } from './planner.ts';
import { selects, type CostQuery, type Filter } from '../query.ts';
import type { ValueRules } from '../../allocation/rule-sql.ts';
import { ownership, run, type LedgerSlice, type Reader, type Sql } from './sql.ts';
import { holdsIn, monthlyRates } from '../../currencies.ts';

/** Reads exact cells of a query from rollups, converted at the charge month's rate. */
export async function readRollups(
  reader: Reader,
  slice: LedgerSlice,
  query: CostQuery,
  spans: readonly RollupSpan[],
): Promise<CostCell[]> {
  if (spans.length === 0) return [];
  return (await run<CellRow>(reader, selectCells(slice, query, spans))).map((row) => cellOf(row, query));
}

/** Reads cells of a query with tags from rollups, if these hold its tag keys, or the values of its virtual tag, in every
 *  billing period that it touches. Uses one statement, so that no load can intervene between check and read.
 *  @returns null if the rollups leave something out; the facts have it */
export async function readTagRollups(
  reader: Reader,
  slice: TaggedSlice,
  query: CostQuery,
  spans: readonly RollupSpan[],
): Promise<CostCell[] | null> {
  const [virtualKey] = virtualKeysOf(query);
  const live = virtualKey === undefined ? undefined : slice.virtualTags.get(virtualKey);
  const leftOut = live ? selectUnevaluated(slice, query, live) : selectLeftOut(slice, query);
  const isLeftOut = Prisma.sql`SELECT EXISTS (${leftOut}) AS "isLeftOut"`;
  if (spans.length === 0) {
    const [row] = await run<{ isLeftOut: boolean }>(reader, isLeftOut);
    return row?.isLeftOut ? null : [];
  }
  const rows = await run<{ isLeftOut: boolean } & (CellRow | { cost: null })>(
    reader,
    Prisma.sql`SELECT flag."isLeftOut", answer.*
FROM (${isLeftOut}) AS flag LEFT JOIN (${selectCells(slice, query, spans)}) AS answer ON true`,
  );
  if (rows[0]?.isLeftOut) return null;
  return rows.flatMap((row) => (row.cost === null ? [] : [cellOf(row as CellRow, query)]));
}

/** Selects the billing periods touched by the query whose tag rollups leave out one of its keys. A key that no bill of the
 *  period has does not count as left out: no tag set has it. */
function selectLeftOut(slice: LedgerSlice, query: CostQuery): Sql {
  const { start, end } = query.range;
  return Prisma.sql`WITH missing AS MATERIALIZED (
  SELECT account_id, period FROM tag_keys
  WHERE ${ownership(slice)} AND id = ANY(${tagKeysOf(query).map((key) => idOf(key))}) AND NOT rolled_up
)
SELECT 1 FROM missing m LEFT JOIN billing_periods b ON b.account_id = m.account_id AND b.period = m.period
WHERE b.period IS NULL OR (b.data_from < ${end} AND b.data_to >= ${start})`;
}

/** Selects the billing periods touched by the query that have not been evaluated for the virtual tag since their last load. */
function selectUnevaluated(slice: LedgerSlice, query: CostQuery, { id, revision, rollup }: LiveVirtualTag): Sql {
  const { start, end } = query.range;
  return Prisma.sql`WITH evaluated AS MATERIALIZED (
  SELECT account_id, period, load_id FROM virtual_tag_months
  WHERE ${ownership(slice)} AND virtual_tag_id = ${id} AND revision = ${revision} AND rollup = ${rollup} AND rolled_up
), touched AS MATERIALIZED (
  SELECT account_id, period, load_id FROM billing_periods
  WHERE ${ownership(slice)} AND data_from < ${end} AND data_to >= ${start}
)
SELECT 1 FROM touched t LEFT JOIN evaluated e ON e.account_id = t.account_id AND e.period = t.period AND e.load_id = t.load_id
WHERE e.period IS NULL`;
}

/** A slice with the virtual tags of the organization. */
export interface TaggedSlice extends LedgerSlice {
  readonly virtualTags: ReadonlyMap<string, LiveVirtualTag>;
  /** Rules that are tried without being stored, by key. */
  readonly drafts?: ReadonlyMap<string, ValueRules>;
}

interface CellRow extends QueryResultRow {
  period?: Day;
  unconverted: string | null;
  cost: string;
  k0?: string | null;
  k1?: string | null;
  k2?: string | null;
}

function cellOf(row: CellRow, { dimensions }: CostQuery): CostCell {
  return {
    period: row.period ?? null,
    keys: dimensions.map((_, at) => row[`k${at}`] ?? null),
    unconverted: row.unconverted,
    cost: parseAmount(row.cost),
  };
}

/** SQL of the first day of a month. Avoids `date_trunc`, which converts a day through a time zone and back. */
const firstOfMonth = 'c.date - extract(day FROM c.date)::int + 1';

/** Selects the cells of a query, including the costs of ids that are missing from a dictionary, without a name. */
function selectCells(slice: LedgerSlice, query: CostQuery, spans: readonly RollupSpan[]): Sql {
  const { dimensions, bucket } = query;
  const period = bucket === 'none' ? [] : [{ key: 'period', from: bucket === 'day' ? 'c.date' : firstOfMonth }];
  const columns = [
    ...period,
    ...dimensions.map((dimension, at) => ({ key: `k${at}`, from: shownColumn(dimension, query) })),
  ];
  const keys = Prisma.raw([...columns.map(({ key }) => key), 'unconverted'].join(', '));
  const shown = columns.map(({ key }) => (key === 'period' ? `to_char(period, 'YYYY-MM-DD') AS period, ` : `${key}, `));
  return Prisma.sql`/* costs: rollups */
WITH scan AS MATERIALIZED (
  ${scanCells(slice, query, spans)}
), cells AS MATERIALIZED (
  SELECT c.currency, ${Prisma.raw(firstOfMonth)} AS month, c.cost${Prisma.raw(columns.map(({ key, from }) => `, ${from} AS ${key}`).join(''))}
  FROM scan AS c ${dictionaryJoins(slice, query)}
), rated AS (
  SELECT cells.*, CASE WHEN cells.currency = ${slice.currency} THEN 1 ELSE rates.rate END AS rate
  FROM cells LEFT JOIN ${monthlyRates(slice.organizationId)} AS rates
  ON rates.currency = cells.currency AND rates.to_currency = ${slice.currency} AND ${holdsIn('rates', 'cells.month')}
), converted AS (
  SELECT rated.*, CASE WHEN rate IS NULL THEN currency END AS unconverted FROM rated
)
SELECT ${Prisma.raw(shown.join(''))}unconverted, sum(cost * coalesce(rate, 1)) AS cost FROM converted GROUP BY ${keys}`;
}

/** Sums costs by account, currency, dimension ids and day. Costs in the organization's own currency need no rate, and
 *  therefore no day, unless the answer has a bucket. */
function scanCells(slice: LedgerSlice, query: CostQuery, spans: readonly RollupSpan[]): Sql {
  const tags = tagKeysOf(query);
  const ids = idColumns(query);
  const needed = tags.length === 0 ? ids : [...ids, 'tag_set_id'];
  const lines = Prisma.sql`SELECT ${keyColumns(needed)}, sum(cost) AS cost FROM (
  ${Prisma.join(
    spans.map((span) => selectLines(slice, query, span, needed)),
    '\n  UNION ALL ',
  )}
) AS lines GROUP BY ${keyColumns(needed)}`;
  if (tags.length === 0) return lines;
  // Tag sets are aggregated before they are joined with their tags, because there are many times as many lines.
  const values = tags.map((_, at) => `tag_value_${at}`);
  const joins = tags.map((key, at) => joinTag(slice, key, at));
  const conditions = tagFilters(slice, query, tags);
  return Prisma.sql`WITH sets AS MATERIALIZED (${lines})
SELECT ${keyColumns([...ids, ...values])}, sum(cost) AS cost FROM sets ${Prisma.join(joins, '\n')}
${conditions.length === 0 ? Prisma.empty : Prisma.sql`WHERE ${Prisma.join(conditions, ' AND ')}`}
GROUP BY ${keyColumns([...ids, ...values])}`;
}

/** Joins a tag. A tag set has each key at most once, so no cost is counted twice. The few sets in rollups are looked up one
 *  by one, because an account has about as many sets in total as resources. */
function joinTag(slice: LedgerSlice, key: string, at: number): Sql {
  const raw = (text: string) => Prisma.raw(text);
  return Prisma.sql`LEFT JOIN (
  SELECT account_id AS ${raw(`tagged_account_${at}`)}, tag_set_id AS ${raw(`tagged_set_${at}`)}, value_id AS ${raw(`tag_value_${at}`)} FROM tag_pairs
  WHERE ${ownership(slice)} AND key_id = ${idOf(key)} AND tag_set_id = ANY(ARRAY(SELECT tag_set_id FROM sets))
) AS ${raw(`pairs_${at}`)} ON ${raw(`tagged_account_${at}`)} = account_id AND ${raw(`tagged_set_${at}`)} = tag_set_id`;
}

function tagFilters(slice: LedgerSlice, { include, exclude }: CostQuery, tags: readonly string[]): Sql[] {
  const conditionOf = (filter: Filter): Sql[] => {
    const key = tagKeyOf(filter.dimension);
    if (key === null) return [];
    const value = Prisma.raw(`tag_value_${tags.indexOf(foldedTagKey(key))}`);
    const texts = filter.values.filter((each) => each !== null);
    const some = filter.prefixes.filter((prefix) => prefix !== '');
    return anyOf([
      Prisma.sql`${value} = ANY(${texts.map((text) => idOf(text))})`,
      ...(some.length === 0
        ? []
        : [Prisma.sql`${value} IN (SELECT id FROM tag_values WHERE ${ownership(slice)} AND value ^@ ANY(${some}))`]),
      ...(filter.prefixes.includes('') ? [Prisma.sql`${value} IS NOT NULL`] : []),
      ...(filter.values.includes(null) ? [Prisma.sql`${value} IS NULL`] : []),
    ]);
  };
  return [...include.flatMap(conditionOf), ...exclude.flatMap(conditionOf).map(not)];
}

/** Joins conditions with OR. */
function anyOf(conditions: readonly Sql[]): Sql[] {
  return [Prisma.sql`(${Prisma.join([...conditions], ' OR ')})`];
}

/** Negates a condition; unknown (NULL) counts as not met. */
function not(condition: Sql): Sql {
  return Prisma.sql`NOT coalesce(${condition}, false)`;
}

function selectLines(slice: LedgerSlice, query: CostQuery, span: RollupSpan, columns: readonly string[]): Sql {
  const date =
    query.bucket === 'none'
      ? Prisma.sql`CASE WHEN currency = ${slice.currency} THEN NULL ELSE date END`
      : Prisma.sql`date`;
  const tail = Prisma.raw(columns.map((column) => `, ${column}`).join(''));
  return Prisma.sql`SELECT account_id, currency, ${date} AS date${tail}, ${Prisma.raw(query.costMetric)} AS cost FROM cost_rollups
    WHERE rollup = ${Prisma.raw(String(span.rollup))} AND grain = ${Prisma.raw(String(span.grain))}
    AND date >= ${span.start} AND date < ${span.end} AND ${filters(slice, query)}`;
}

function filters(slice: LedgerSlice, { include, exclude }: CostQuery): Sql {
  const conditionOf = (filter: Filter) => filterCondition(slice, filter);
  return Prisma.join(
    [ownership(slice), ...include.flatMap(conditionOf), ...exclude.flatMap(conditionOf).map(not)],
    ' AND ',
  );
}

/** Returns a filter's condition on rollup rows; none for a tag, whose sets are filtered later. */
function filterCondition(slice: LedgerSlice, filter: Filter): Sql[] {
  if (tagKeyOf(filter.dimension) !== null) return [];
  if (virtualKeyOf(filter.dimension) !== null) return [named(slice, 'virtual_value_id', virtualDictionary, filter)];
  const rollup = isNamed(filter.dimension) ? dimensionInfo(filter.dimension).rollup : null;
  if (rollup === null) throw new Error(`no rollup holds ${filter.dimension}`);
  if (rollup.column === 'charge_category') {
    const codes = chargeCategories.flatMap((name, at) => (selects(filter, name.toLowerCase()) ? [at + 1] : []));
    return [Prisma.sql`charge_category = ANY(${codes})`];
  }
  const column = Prisma.raw(rollup.column);
  if (rollup.dictionary === undefined) return anyOf(textConditions(filter, column));
  return [named(slice, rollup.column, rollup.dictionary, filter)];
}

/** The dictionary of the values of virtual tags. */
const virtualDictionary = { table: 'virtual_values', name: 'value' } as const;

/** Returns the condition that the name of an id passes a filter. */
function named(
  slice: LedgerSlice,
  column: string,
  { table, name }: { table: string; name: string },
  filter: Filter,
): Sql {
  const [id, from] = [Prisma.raw(column), Prisma.raw(table)];
  const isSelected = Prisma.join(anyOf(textConditions(filter, Prisma.raw(name))));
  return Prisma.sql`${id} IN (SELECT id FROM ${from} WHERE ${ownership(slice)} AND ${isSelected})`;
}

/** Returns conditions of which one must be met. Without values, it is one that no row meets, and not the constant false, which
 *  Citus refuses in a query with outer joins on PostgreSQL 15 and 16. */
function textConditions({ values, prefixes }: Filter, column: Sql): Sql[] {
  return [
    Prisma.sql`${column} = ANY(${values.filter((value) => value !== null)})`,
    ...(prefixes.length === 0 ? [] : [Prisma.sql`${column} ^@ ANY(${prefixes})`]),
    ...(values.includes(null) ? [Prisma.sql`${column} IS NULL`] : []),
  ];
}

/** Returns the rollup columns that the answer's groups need, apart from account, currency and date. */
function idColumns({ dimensions }: CostQuery): string[] {
  const columns = dimensions.flatMap((dimension) => {
    if (virtualKeyOf(dimension) !== null) return ['virtual_value_id'];
    return isNamed(dimension) ? [dimensionInfo(dimension).rollup?.column ?? ''] : [];
  });
  return [...new Set(columns)].filter((column) => column !== 'account_id');
}

function shownColumn(dimension: Dimension, query: CostQuery): string {
  const key = tagKeyOf(dimension);
  if (key !== null) return `tag_${tagKeysOf(query).indexOf(foldedTagKey(key))}.value`;
  if (virtualKeyOf(dimension) !== null) return 'virtual_values.value';
  const rollup = isNamed(dimension) ? dimensionInfo(dimension).rollup : null;
  if (rollup?.column === 'charge_category') return `(${categoryNames})[c.charge_category]`;
  if (rollup?.dictionary === undefined) return `c.${rollup?.column}`;
  const fallback = dimension === 'service_category' ? 'Other' : '';
  return `coalesce(${rollup.dictionary.table}.${rollup.dictionary.name}, '${fallback}')`;
}

const categoryNames = `ARRAY[${chargeCategories.map((name) => `'${name.toLowerCase()}'`).join(', ')}]`;

function dictionaryJoins(slice: LedgerSlice, query: CostQuery): Sql {
  const tables = new Map<string, string>();
  for (const dimension of query.dimensions) {
    const rollup = isNamed(dimension) ? dimensionInfo(dimension).rollup : null;
    if (rollup?.dictionary) tables.set(rollup.dictionary.table, rollup.column);
    if (virtualKeyOf(dimension) !== null) tables.set(virtualDictionary.table, 'virtual_value_id');
  }
  const shown = query.dimensions.flatMap((dimension) => tagKeyOf(dimension) ?? []).map(foldedTagKey);
  const places = [...new Set(shown)].map((key) => tagKeysOf(query).indexOf(key));
  const joins = [
    ...[...tables].map(([table, column]) => joinDictionary(slice, table, { alias: table, id: column })),
    // An account has about as many values in total as resources, but each key has only a few.
    ...places.map((at) => {
      const [alias, id] = [Prisma.raw(`tag_${at}`), Prisma.raw(`tag_value_${at}`)];
      return Prisma.sql`${joinDictionary(slice, 'tag_values', { alias: `tag_${at}`, id: `tag_value_${at}` })} AND ${alias}.id = ANY(ARRAY(SELECT ${id} FROM scan))`;
    }),
  ];
  return joins.length === 0 ? Prisma.empty : Prisma.join(joins, '\n');
}

function joinDictionary(slice: LedgerSlice, table: string, { alias, id }: { alias: string; id: string }): Sql {
  const as = Prisma.raw(alias);
  return Prisma.sql`LEFT JOIN ${Prisma.raw(table)} AS ${as} ON ${as}.account_id = c.account_id AND ${as}.id = c.${Prisma.raw(id)}
  AND ${as}.organization_id = ${slice.organizationId} AND ${as}.account_id = ANY(${slice.accountIds})`;
}

function keyColumns(columns: readonly string[]): Sql {
  return Prisma.raw(['account_id', 'currency', 'date', ...columns].join(', '));
}
