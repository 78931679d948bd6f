import { literal } from '../../../engine/sql.ts';
import type { Day } from '../../../kit/period.ts';
import { rowFilter, tagFilter, valueSql, type Spellings } from './fact-values.ts';
import { tagKeysOf } from './planner.ts';
import type { CostMetric, CostQuery } from '../query.ts';

// Questions as SQL of the engine. Charges are grouped first by the columns of the files; tags are taken apart and exchange rates
// applied afterwards, on groups, of which there are few.

/** What the SQL depends on beside the question. */
export interface FactBasis {
  /** ISO 4217: what costs are converted to. */
  readonly currency: string;
  /** The other currencies that the facts have, with a rate for each charge month that has one. Empty: there are none. */
  readonly rates: readonly ForeignRate[];
  readonly spellings: Spellings;
}

/** A currency of the facts that is not the answer's. */
export interface ForeignRate {
  readonly currency: string;
  /** First day of the charge month; null where the currency has no rate. */
  readonly month: Day | null;
  /** A decimal; null as the month is. */
  readonly rate: string | null;
}

/** The column of each metric. */
export const metricColumns = {
  effective: 'EffectiveCost',
  billed: 'BilledCost',
  list: 'ListCost',
  contracted: 'ContractedCost',
} satisfies Record<CostMetric, string>;

const chargeMonth = `date_trunc('month', ChargePeriodStart)::DATE`;

/** All cells of a question: columns k0 …, date, unconverted, cost. */
export function cellsSql(basis: FactBasis, query: CostQuery): string {
  const bucket = bucketColumn(query);
  const charges = chargesSql(basis, query, [...bucket, `sum(${metricColumns[query.costMetric]}) AS cost`]);
  const keys = keyNames(query);
  const date = bucket.length === 0 ? 'NULL::DATE AS date' : 'date';
  return `WITH charges AS MATERIALIZED (${charges}),
${ratesRelation(basis)} converted AS (${convertedSql(basis, query, { kept: [date], money: ['cost'] })})
SELECT ${[...keys, 'date', 'unconverted'].join(', ')}, sum(cost) AS cost FROM converted GROUP BY ALL`;
}

/** The columns of the values of the dimensions. */
export function keyNames({ dimensions }: Pick<CostQuery, 'dimensions'>): string[] {
  return dimensions.map((_, at) => `k${at}`);
}

/** Whether the tags of charges are read. */
export function usesTags(query: CostQuery): boolean {
  return query.dimensions.includes('tag') || tagKeysOf(query).length > 0;
}

/** The column `date`, where the question has a bucket. */
export function bucketColumn({ bucket }: CostQuery): string[] {
  if (bucket === 'none') return [];
  return [`${bucket === 'day' ? 'ChargePeriodStart::DATE' : chargeMonth} AS date`];
}

/** The columns of the files by which charges are grouped, as r0 …, and `tags`. */
export function rawColumns(query: CostQuery): { sql: string; alias: string }[] {
  const named = query.dimensions.flatMap((dimension, at) =>
    isTagged(dimension) ? [] : [{ sql: valueSql(dimension, new Map()), alias: `r${at}` }],
  );
  return usesTags(query) ? [...named, { sql: 'Tags', alias: 'tags' }] : named;
}

/** Whether the values of a dimension stand in tags. */
export function isTagged(dimension: string): boolean {
  return dimension === 'tag' || dimension.startsWith('tag:');
}

/** The columns by which charges in other currencies find their rate. */
export function foreignColumns({ rates, currency }: FactBasis): string[] {
  if (rates.length === 0) return [];
  return [
    'BillingCurrency AS currency',
    `CASE WHEN BillingCurrency <> ${literal(currency)} THEN ${chargeMonth} END AS month`,
  ];
}

/** Charges grouped by the columns of the files. */
export function chargesSql(basis: FactBasis, query: CostQuery, columns: readonly string[]): string {
  const raw = rawColumns(query).map(({ sql, alias }) => `${sql} AS ${alias}`);
  return `SELECT ${[...raw, ...foreignColumns(basis), ...columns].join(', ')} FROM facts${where(rowFilter(query))} GROUP BY ALL`;
}

/** A WHERE clause, if there is anything to require. */
export function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
}

/** The relation `rates`, where there are other currencies. */
export function ratesRelation({ rates }: FactBasis): string {
  if (rates.length === 0) return '';
  const known = rates.flatMap(({ currency, month, rate }) =>
    month === null || rate === null
      ? []
      : [`(${literal(currency)}, DATE ${literal(month)}, ${literal(rate)}::DECIMAL(38,12))`],
  );
  const none = '(NULL::VARCHAR, NULL::DATE, NULL::DECIMAL(38,12))';
  return `rates(currency, month, rate) AS (VALUES ${[none, ...known].join(', ')}),\n`;
}

/** Charges with the values of the dimensions, in one currency. Stored costs and rates have 12 decimals each, so that products
 *  with 24 are exact. */
export function convertedSql(
  { rates, currency, spellings }: FactBasis,
  query: CostQuery,
  { from = 'charges', kept, money }: { from?: string; kept: readonly string[]; money: readonly string[] },
): string {
  const keys = query.dimensions.map((dimension, at) =>
    isTagged(dimension) ? `${valueSql(dimension, spellings, 'tags')} AS k${at}` : `r${at} AS k${at}`,
  );
  const condition = where(tagFilter(query, spellings, 'tags'));
  if (rates.length === 0)
    return `SELECT ${[...keys, ...kept, 'NULL::VARCHAR AS unconverted', ...money].join(', ')} FROM ${from}${condition}`;
  const isOwn = `${from}.currency = ${literal(currency)}`;
  const amounts = money.map(
    (name) =>
      `CASE WHEN ${isOwn} THEN ${name}::DECIMAL(38,24) ELSE ${name} * coalesce(rate, 1::DECIMAL(38,12)) END AS ${name}`,
  );
  const unconverted = `CASE WHEN NOT ${isOwn} AND rate IS NULL THEN ${from}.currency END AS unconverted`;
  return `SELECT ${[...keys, ...kept, unconverted, ...amounts].join(', ')} FROM ${from}
LEFT JOIN rates ON rates.currency = ${from}.currency AND rates.month = ${from}.month${condition}`;
}
