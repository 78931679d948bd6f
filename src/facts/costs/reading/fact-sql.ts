import { costColumns } from '../../../engine/codebook.ts';
import { literal } from '../../../engine/sql.ts';
import type { Day } from '../../../kit/time/period.ts';
import type { CostQuery } from '../query.ts';
import { dimensionsIn, ruledValueSql } from '../../allocation/rule-sql.ts';
import { isNamed, virtualKeyOf, type Dimension } from '../dimensions.ts';
import { rowFilter, tagFilter, valueSql, type TagBasis } from './fact-values.ts';
import { virtualKeysOf } from './planner.ts';

// Builds DuckDB SQL for cost queries. Charges are first grouped by columns of the files; tags are extracted and exchange rates
// applied afterwards, on the few resulting groups.

/** Inputs of the SQL besides the query. */
export interface FactBasis extends TagBasis {
  /** ISO 4217: target currency of conversions. */
  readonly currency: string;
  /** Other currencies in the facts, with their rate in each charge month. Empty: there are none. */
  readonly rates: readonly ForeignRate[];
}

/** A currency in the facts other than the answer's. */
export interface ForeignRate {
  readonly currency: string;
  /** First day of the charge month. */
  readonly month: Day;
  /** A decimal; null if neither the month nor an earlier one has a rate. */
  readonly rate: string | null;
}

/** A column carried along with the dimension values. */
export interface Carried {
  readonly name: string;
  /** SQL over the columns of a fact file. */
  readonly sql: string;
  /** Whether it is a monetary amount, to be converted. */
  readonly isMoney: boolean;
}

const chargeMonth = `date_trunc('month', ChargePeriodStart)::DATE`;

/** Returns SQL for all cells of a query: columns k0 …, date, unconverted, cost. */
export function cellsSql(basis: FactBasis, query: CostQuery): string {
  const dates = { none: 'NULL::DATE', day: 'ChargePeriodStart::DATE', month: chargeMonth };
  const carried = [
    ...(query.bucket === 'none' ? [] : [{ name: 'date', sql: dates[query.bucket], isMoney: false }]),
    { name: 'cost', sql: `sum(${costColumns[query.costMetric]})`, isMoney: true },
  ];
  const date = query.bucket === 'none' ? 'NULL::DATE AS date' : 'date';
  return `WITH ${convertedRelation(basis, query, carried)}
SELECT ${[...keyNames(query), date, 'unconverted'].join(', ')}, sum(cost) AS cost FROM converted GROUP BY ALL`;
}

/** Returns the names of the dimension value columns. */
export function keyNames({ dimensions }: Pick<CostQuery, 'dimensions'>): string[] {
  return dimensions.map((_, at) => `k${at}`);
}

/** Builds the relation `converted` and those it depends on: charges in one currency with the dimension values as k0 …,
 *  `unconverted` (the currency without a rate, else null) and the carried columns, grouped by all of these. */
export function convertedRelation(basis: FactBasis, query: CostQuery, carried: readonly Carried[]): string {
  // Materialized so that tags are extracted per group; pushed down to the facts, it would happen for each charge.
  const virtual = virtualTagColumns(basis, virtualKeysOf(query));
  const charges = chargeRelations(virtual, chargesSql(basis, query, carried, virtual));
  const valueOf = (dimension: Dimension) =>
    virtualKeyOf(dimension) === null ? valueSql(dimension, basis, 'tags') : virtualTagValue(virtual, dimension);
  const condition = where(tagFilter(query, valueOf));
  const keys = query.dimensions.map((dimension, at) =>
    isNamed(dimension) ? `r${at} AS k${at}` : `${valueOf(dimension)} AS k${at}`,
  );
  const names = carried.map(({ name }) => name);
  if (basis.rates.length === 0)
    return `${charges},\nconverted AS (SELECT ${[...keys, 'NULL::VARCHAR AS unconverted', ...names].join(', ')} FROM charges${condition})`;
  const isOwn = `charges.currency = ${literal(basis.currency)}`;
  // Stored costs and rates have 12 decimals each, so products with 24 decimals are exact.
  const inOne = carried.map(({ name, isMoney }) =>
    isMoney
      ? `CASE WHEN ${isOwn} THEN ${name}::DECIMAL(38,24) ELSE ${name} * coalesce(rate, 1::DECIMAL(38,12)) END AS ${name}`
      : name,
  );
  const unconverted = `CASE WHEN NOT ${isOwn} AND rate IS NULL THEN charges.currency END AS unconverted`;
  return `${charges},\n${ratesRelation(basis)},
converted AS (SELECT ${[...keys, unconverted, ...inOne].join(', ')} FROM charges
  LEFT JOIN rates ON rates.currency = charges.currency AND rates.month = charges.month${condition})`;
}

/** The virtual tags of a query: the columns of charges that their rules use, and SQL of their values over these. */
export interface VirtualTagColumns {
  /** Over the columns of a fact file. */
  readonly attributes: readonly { readonly name: string; readonly sql: string }[];
  /** Values of tags, over the attributes. */
  readonly tags: readonly { readonly name: string; readonly sql: string }[];
  /** By key. */
  readonly values: ReadonlyMap<string, { readonly name: string; readonly sql: string }>;
}

/** Returns the columns that evaluate these virtual tags. */
export function virtualTagColumns(basis: TagBasis, keys: readonly string[]): VirtualTagColumns {
  const ruled = keys.flatMap((key) => {
    const rules = basis.virtualTags.get(key);
    return rules ? [{ key, rules }] : [];
  });
  const used = [...new Set(ruled.flatMap(({ rules }) => dimensionsIn(rules.rules)))];
  const names = new Map(used.map((dimension, at) => [dimension, isNamed(dimension) ? `a${at}` : `t${at}`]));
  const named = (dimension: Dimension) => names.get(dimension) ?? '';
  const tags = used.filter((dimension) => !isNamed(dimension));
  return {
    attributes: [
      ...used.filter(isNamed).map((dimension) => ({ name: named(dimension), sql: valueSql(dimension) })),
      ...(tags.length === 0 ? [] : [{ name: 'tags', sql: 'Tags' }]),
    ],
    tags: tags.map((dimension) => ({ name: named(dimension), sql: valueSql(dimension, basis, 'tags') })),
    values: new Map(ruled.map(({ key, rules }, at) => [key, { name: `v${at}`, sql: ruledValueSql(rules, named) }])),
  };
}

/** Builds the relation `charges`, with the values of virtual tags, and those it depends on. Rules are evaluated once for each
 *  distinct combination of attributes.
 *  @param select selects grouped charges with the attributes */
export function chargeRelations({ attributes, tags, values }: VirtualTagColumns, select: string): string {
  if (values.size === 0) return `charges AS MATERIALIZED (${select})`;
  const list = attributes.map(({ name }) => name).join(', ');
  const aliased = (columns: Iterable<{ name: string; sql: string }>) =>
    [...columns].map(({ name, sql }) => `, ${sql} AS ${name}`).join('');
  const isSame = attributes.map(({ name }) => `combinations.${name} IS NOT DISTINCT FROM sums.${name}`);
  return `sums AS MATERIALIZED (${select}),
combinations AS MATERIALIZED (SELECT ${list}${aliased(values.values())}
  FROM (SELECT ${list}${aliased(tags)} FROM (SELECT DISTINCT ${list} FROM sums))),
charges AS MATERIALIZED (SELECT sums.*, ${[...values.values()].map(({ name }) => name).join(', ')}
  FROM sums JOIN combinations ON ${isSame.join(' AND ')})`;
}

/** Returns the column of a virtual tag's value in `charges`. */
function virtualTagValue({ values }: VirtualTagColumns, dimension: Dimension): string {
  return values.get(virtualKeyOf(dimension) ?? '')?.name ?? 'NULL::VARCHAR';
}

/** Charges grouped by columns of the files. */
function chargesSql(
  { rates, currency }: FactBasis,
  query: CostQuery,
  carried: readonly Carried[],
  { attributes }: VirtualTagColumns,
): string {
  const usesTags = [
    ...query.dimensions,
    ...[...query.include, ...query.exclude].map(({ dimension }) => dimension),
  ].some((dimension) => !isNamed(dimension) && virtualKeyOf(dimension) === null);
  const columns = [
    ...query.dimensions.flatMap((dimension, at) => (isNamed(dimension) ? [`${valueSql(dimension)} AS r${at}`] : [])),
    ...attributes.map(({ name, sql }) => `${sql} AS ${name}`),
    ...(usesTags && !attributes.some(({ name }) => name === 'tags') ? ['Tags AS tags'] : []),
    ...(rates.length === 0
      ? []
      : [
          'BillingCurrency AS currency',
          `CASE WHEN BillingCurrency <> ${literal(currency)} THEN ${chargeMonth} END AS month`,
        ]),
    ...carried.map(({ name, sql }) => `${sql} AS ${name}`),
  ];
  return `SELECT ${columns.join(', ')} FROM facts${where(rowFilter(query))} GROUP BY ALL`;
}

/** Builds a WHERE clause; empty without conditions. */
function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
}

function ratesRelation({ rates }: FactBasis): string {
  const known = rates.flatMap(({ currency, month, rate }) =>
    rate === null ? [] : [`(${literal(currency)}, DATE ${literal(month)}, ${literal(rate)}::DECIMAL(38,12))`],
  );
  const none = '(NULL::VARCHAR, NULL::DATE, NULL::DECIMAL(38,12))';
  return `rates(currency, month, rate) AS (VALUES ${[none, ...known].join(', ')})`;
}
