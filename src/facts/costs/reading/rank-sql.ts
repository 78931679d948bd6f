import { costColumns } from '../../../engine/codebook.ts';
import { aliasedTexts } from '../../../kit/text/service-aliases.ts';
import { literal, tagKeysSql } from '../../../engine/sql.ts';
import type { CostQuery } from '../query.ts';
import { convertedRelation, keyNames, type Carried, type FactBasis } from './fact-sql.ts';
import type { Ranking } from './ranking.ts';

/** Ranking options for the engine. */
export interface FactRanking extends Ranking {
  /** Display names of the accounts in the question, by id. */
  readonly accountNames: ReadonlyMap<string, string>;
}

/** A row of the answer: a displayed group with the sums over all groups. */
export interface AnswerRow {
  /** Null if no group is displayed, as are all other group columns then. */
  readonly place: number | null;
  readonly k0?: string | null;
  readonly k1?: string | null;
  readonly k2?: string | null;
  readonly cost: string | null;
  readonly previous: string | null;
  readonly quantity: string | null;
  readonly unit: string | null;
  readonly row_count: string;
  /** Number of groups that match the search. */
  readonly match_count: string;
  /** Null without a group. */
  readonly total: string | null;
  readonly previous_total: string | null;
}

/** Returns SQL for the top groups of a query and the sums over all groups: at least one row. */
export function rankingSql(basis: FactBasis, query: CostQuery, ranking: FactRanking): string {
  const matches = matchSql(query, ranking);
  return `WITH ${convertedRelation(basis, query, carriedBy(query, ranking))},
grouped AS MATERIALIZED (${groupedSql(query, ranking)}),
whole AS (SELECT count(*) AS row_count, count(*) FILTER (WHERE ${matches}) AS match_count, sum(cost) AS total,
  sum(previous) AS previous_total FROM grouped),
shown AS (SELECT 1 AS place, * FROM grouped WHERE ${matches} ORDER BY ${orderSql(query, ranking)} LIMIT ${ranking.limit})
SELECT whole.*, ${['place', ...keyNames(query), 'cost', 'previous', 'quantity', 'unit'].join(', ')}
FROM whole LEFT JOIN shown ON true`;
}

function carriedBy(query: CostQuery, ranking: Ranking): Carried[] {
  const column = costColumns[query.costMetric];
  const previous = `coalesce(sum(${column}) FILTER (WHERE ChargePeriodStart < TIMESTAMP ${literal(query.range.start)}), 0)`;
  return [
    ...(hasUnits(query)
      ? [
          { name: 'unit', sql: 'ConsumedUnit', isMoney: false },
          { name: 'quantity', sql: measure('ConsumedQuantity', query, ranking), isMoney: false },
        ]
      : []),
    ...(hasNames(query, ranking) ? [{ name: 'name', sql: 'max(ResourceName)', isMoney: false }] : []),
    { name: 'cost', sql: `coalesce(${measure(column, query, ranking)}, 0)`, isMoney: true },
    { name: 'previous', sql: ranking.previous === null ? '0::DECIMAL(38,12)' : previous, isMoney: true },
  ];
}

/** Returns SQL that sums a column over the range. Facts of the comparison range lie before it. */
function measure(column: string, query: CostQuery, { previous }: Ranking): string {
  const filter = ` FILTER (WHERE ChargePeriodStart >= TIMESTAMP ${literal(query.range.start)})`;
  return `sum(${column})${previous === null ? '' : filter}`;
}

function hasUnits({ dimensions }: CostQuery): boolean {
  return dimensions.includes('meter') || dimensions.includes('sku');
}

/** Returns whether the search also covers resource names. */
function hasNames({ dimensions }: CostQuery, { search }: Ranking): boolean {
  return search !== null && dimensions.includes('resource');
}

/** Returns SQL with one row per group. Quantities are summed only if all have the same unit. */
function groupedSql(query: CostQuery, ranking: Ranking): string {
  const sums = 'sum(cost) AS cost, sum(previous) AS previous';
  if (query.dimensions[0] === 'tag') {
    const keys = `SELECT unnest(${tagKeysSql('k0')}) AS spelling, cost, previous FROM converted WHERE unconverted IS NULL AND k0 IS NOT NULL`;
    return `SELECT min(spelling) AS k0, ${sums}, NULL AS quantity, NULL AS unit FROM (${keys}) GROUP BY lower(spelling)`;
  }
  // Taxes and credits consume nothing; facts written by earlier versions have 0 there.
  const isCounted = 'FILTER (WHERE quantity <> 0)';
  const isOneUnit = `min(coalesce(unit, '')) ${isCounted} = max(coalesce(unit, '')) ${isCounted} AND max(unit) ${isCounted} IS NOT NULL`;
  const units = hasUnits(query)
    ? [
        `CASE WHEN ${isOneUnit} THEN sum(quantity) END AS quantity`,
        `CASE WHEN ${isOneUnit} THEN max(unit) ${isCounted} END AS unit`,
      ]
    : ['NULL AS quantity', 'NULL AS unit'];
  const names = hasNames(query, ranking) ? ['max(name) AS name'] : [];
  return `SELECT ${[...keyNames(query), sums, ...units, ...names].join(', ')} FROM converted WHERE unconverted IS NULL
  GROUP BY ${keyNames(query).join(', ') || 'ALL'}`;
}

function matchSql({ dimensions }: CostQuery, { search, accountNames }: FactRanking): string {
  if (search === null) return 'true';
  const ids = [...accountNames]
    .filter((entry) => entry.some((text) => text.toLowerCase().includes(search)))
    .map(([id]) => id);
  if (dimensions[0] === 'account') return ids.length === 0 ? 'false' : `k0 IN (${ids.map(literal).join(', ')})`;
  const texts = dimensions[0] === 'resource' ? ['k0', 'name'] : ['k0'];
  const searches = [search, ...(dimensions[0] === 'service' ? aliasedTexts(search) : [])];
  const conditions = texts.flatMap((text) =>
    searches.map((one) => `contains(lower(coalesce(${text}, '')), ${literal(one)})`),
  );
  return `(${conditions.join(' OR ')})`;
}

/** Total order, same as `rowOrder`, so that repeated queries return the same rows. */
function orderSql(query: CostQuery, ranking: FactRanking): string {
  const { field, direction } = ranking.sort;
  const keys = keyNames(query);
  const main =
    field === 'name' && keys.length > 0
      ? keys.map((key, at) => nameSql(key, query, at, ranking))
      : [field === 'change' ? 'cost - previous' : 'cost'];
  return [...main.map((sql) => `${sql} ${direction.toUpperCase()}`), ...keys.map((key) => `${key} NULLS LAST`)].join(
    ', ',
  );
}

function nameSql(key: string, { dimensions }: CostQuery, at: number, { accountNames }: FactRanking): string {
  if (dimensions[at] !== 'account' || accountNames.size === 0) return `coalesce(lower(${key}), chr(65535))`;
  const cases = [...accountNames].map(([id, name]) => `WHEN ${literal(id)} THEN ${literal(name.toLowerCase())}`);
  return `CASE ${key} ${cases.join(' ')} ELSE ${key} END`;
}
