import { costColumns } from '../../../engine/codebook.ts';
import { literal } from '../../../engine/sql.ts';
import type { Day } from '../../../kit/period.ts';
import type { CostQuery } from '../query.ts';
import { rowFilter, tagFilter, valueSql, type Spellings } from './fact-values.ts';
import { tagKeysOf } from './planner.ts';

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

/** A column that is carried along beside the values of the dimensions. */
export interface Carried {
  readonly name: string;
  /** SQL over the columns of a fact file. */
  readonly sql: string;
  /** Whether it is money, which is converted. */
  readonly isMoney: boolean;
}

const chargeMonth = `date_trunc('month', ChargePeriodStart)::DATE`;

/** All cells of a question: columns k0 …, date, unconverted, cost. */
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

/** The columns of the values of the dimensions. */
export function keyNames({ dimensions }: Pick<CostQuery, 'dimensions'>): string[] {
  return dimensions.map((_, at) => `k${at}`);
}

/** The relation `converted` and those that it is made of: charges in one currency with the values of the dimensions as k0 …,
 *  `unconverted` (the currency that has no rate, else null) and the carried columns, by all of which they are grouped. */
export function convertedRelation(basis: FactBasis, query: CostQuery, carried: readonly Carried[]): string {
  // Judged per group: pushed down to the facts, tags would be taken apart on each of them.
  const charges = `charges AS MATERIALIZED (${chargesSql(basis, query, carried)})`;
  const condition = where(tagFilter(query, basis.spellings, 'tags'));
  const keys = query.dimensions.map((dimension, at) =>
    isTagged(dimension) ? `${valueSql(dimension, basis.spellings, 'tags')} AS k${at}` : `r${at} AS k${at}`,
  );
  const names = carried.map(({ name }) => name);
  if (basis.rates.length === 0)
    return `${charges},\nconverted AS (SELECT ${[...keys, 'NULL::VARCHAR AS unconverted', ...names].join(', ')} FROM charges${condition})`;
  const isOwn = `charges.currency = ${literal(basis.currency)}`;
  // Stored costs and rates have 12 decimals each, so that products with 24 are exact.
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

/** Charges grouped by columns of the files. */
function chargesSql({ rates, currency }: FactBasis, query: CostQuery, carried: readonly Carried[]): string {
  const usesTags = query.dimensions.includes('tag') || tagKeysOf(query).length > 0;
  const columns = [
    ...query.dimensions.flatMap((dimension, at) =>
      isTagged(dimension) ? [] : [`${valueSql(dimension, new Map())} AS r${at}`],
    ),
    ...(usesTags ? ['Tags AS tags'] : []),
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

/** Whether the values of a dimension stand in tags. */
function isTagged(dimension: string): boolean {
  return dimension === 'tag' || dimension.startsWith('tag:');
}

/** A WHERE clause, if there is anything to require. */
function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
}

function ratesRelation({ rates }: FactBasis): string {
  const known = rates.flatMap(({ currency, month, rate }) =>
    month === null || rate === null
      ? []
      : [`(${literal(currency)}, DATE ${literal(month)}, ${literal(rate)}::DECIMAL(38,12))`],
  );
  const none = '(NULL::VARCHAR, NULL::DATE, NULL::DECIMAL(38,12))';
  return `rates(currency, month, rate) AS (VALUES ${[none, ...known].join(', ')})`;
}
