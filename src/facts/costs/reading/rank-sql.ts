import { literal } from '../../../engine/sql.ts';
import type { Day } from '../../../kit/period.ts';
import type { CostQuery } from '../query.ts';
import {
  bucketColumn,
  chargesSql,
  convertedSql,
  foreignColumns,
  isTagged,
  keyNames,
  metricColumns,
  ratesRelation,
  rawColumns,
  usesTags,
  where,
  type FactBasis,
} from './fact-sql.ts';
import { rowFilter, tagFilter, valueSql } from './fact-values.ts';
import type { Ranking } from './ranking.ts';

/** How rows are chosen inside the engine. */
export interface FactRanking extends Ranking {
  /** Readable names of the accounts in question, by id. */
  readonly accountNames: ReadonlyMap<string, string>;
}

/** The first groups of a question, and sums of all: a row for each, whose `part` says what it is.
 *  `row`: a group that is shown; `total`: all groups; `matching`: those that match the search; `unconverted`: costs of a currency
 *  without a rate; `point`: a group's cost in a day or month; `rest`: that of all groups that are not shown. */
export function rankingSql(basis: FactBasis, query: CostQuery, ranking: FactRanking): string {
  const keys = keyNames(query);
  const extras = extrasOf(query, ranking);
  const charges = chargesSql(basis, query, [
    ...extras.map(({ sql, name }) => `${sql} AS ${name}`),
    ...costMeasures(query, ranking),
  ]);
  const matches = matchSql(query, ranking);
  const type = basis.rates.length > 0 ? 'DECIMAL(38,24)' : 'DECIMAL(38,12)';
  const parts = [
    partSql('row', 'shown', type, {
      ...same(keys),
      cost: 'cost',
      previous: 'previous',
      quantity: 'quantity',
      unit: 'unit',
    }),
    partSql('total', `(${totalSql(query)})`, type, { cost: 'cost', previous: 'previous', count: 'count' }),
    partSql('matching', `(SELECT count(*) AS count FROM grouped WHERE ${matches})`, type, { count: 'count' }),
    ...(basis.rates.length === 0
      ? []
      : [
          partSql('unconverted', 'converted WHERE unconverted IS NOT NULL GROUP BY unconverted', type, {
            unconverted: 'unconverted',
            cost: 'sum(cost)',
          }),
        ]),
    ...(query.bucket === 'none' ? [] : pointParts(keys, type)),
  ];
  return `WITH charges AS MATERIALIZED (${charges}),
${ratesRelation(basis)} converted AS (${convertedSql(basis, query, { kept: extras.map(({ name }) => name), money: ['cost', 'previous'] })}),
grouped AS MATERIALIZED (${groupedSql(basis, query, ranking)}),
shown AS MATERIALIZED (SELECT *, row_number() OVER () AS place FROM (
  FROM grouped WHERE ${matches} ORDER BY ${orderSql(query, ranking)} LIMIT ${ranking.limit})),
${pointRelations(basis, query, ranking)}parts AS (${parts.join('\nUNION ALL ')})
FROM parts`;
}

/** What charges have beside keys and costs. */
function extrasOf(query: CostQuery, ranking: Ranking): { name: string; sql: string }[] {
  return [
    ...(hasUnits(query)
      ? [
          { name: 'unit', sql: 'ConsumedUnit' },
          { name: 'quantity', sql: measure('ConsumedQuantity', query, ranking) },
        ]
      : []),
    ...(hasNames(query, ranking) ? [{ name: 'name', sql: 'max(ResourceName)' }] : []),
    // The months of a group are few, unlike its days: their points need no second pass over the facts.
    ...(query.bucket === 'month' ? bucketColumn(query) : []).map((column) => ({
      name: 'date',
      sql: column.replace(/ AS date$/, ''),
    })),
  ];
}

function hasUnits({ dimensions }: CostQuery): boolean {
  return dimensions.includes('meter') || dimensions.includes('sku');
}

/** Whether a search goes through the names of resources, too. */
function hasNames({ dimensions }: CostQuery, { search }: Ranking): boolean {
  return search !== null && dimensions.includes('resource');
}

function costMeasures(query: CostQuery, ranking: Ranking): string[] {
  const column = metricColumns[query.costMetric];
  const previous = `sum(${column}) FILTER (WHERE ChargePeriodStart < TIMESTAMP ${literal(query.range.start)})`;
  return [
    `coalesce(${measure(column, query, ranking)}, 0) AS cost`,
    `${ranking.previous === null ? '0::DECIMAL(38,12)' : `coalesce(${previous}, 0)`} AS previous`,
  ];
}

/** The sum of a column over the range; facts of the range compared with lie before it. */
function measure(column: string, query: CostQuery, { previous }: Ranking): string {
  const filter = ` FILTER (WHERE ChargePeriodStart >= TIMESTAMP ${literal(query.range.start)})`;
  return `sum(${column})${previous === null ? '' : filter}`;
}

/** A row for each group. Quantities are added up where all of them have one unit. */
function groupedSql({ rates }: FactBasis, query: CostQuery, ranking: Ranking): string {
  const names = hasNames(query, ranking) ? ['name'] : [];
  // Charges are grouped by nothing but the dimensions then.
  if (!usesTags(query) && rates.length === 0 && !hasUnits(query) && query.bucket !== 'month')
    return `SELECT ${[...keyNames(query), 'cost', 'previous', 'NULL AS quantity', 'NULL AS unit', ...names].join(', ')} FROM converted`;
  const sums = ['coalesce(sum(cost), 0) AS cost', 'coalesce(sum(previous), 0) AS previous'];
  if (query.dimensions[0] === 'tag') {
    const keys =
      'SELECT unnest(json_keys(k0)) AS spelling, cost, previous FROM converted WHERE unconverted IS NULL AND k0 IS NOT NULL';
    return `SELECT min(spelling) AS k0, ${sums.join(', ')}, NULL AS quantity, NULL AS unit FROM (${keys}) GROUP BY lower(spelling)`;
  }
  const isCounted = 'FILTER (WHERE quantity IS NOT NULL)';
  const isOneUnit = `min(coalesce(unit, '')) ${isCounted} = max(coalesce(unit, '')) ${isCounted} AND max(unit) ${isCounted} IS NOT NULL`;
  const units = hasUnits(query)
    ? [
        `CASE WHEN ${isOneUnit} THEN sum(quantity) END AS quantity`,
        `CASE WHEN ${isOneUnit} THEN max(unit) ${isCounted} END AS unit`,
      ]
    : ['NULL AS quantity', 'NULL AS unit'];
  const largest = names.map((name) => `max(${name}) AS ${name}`);
  return `SELECT ${[...keyNames(query), ...sums, ...units, ...largest].join(', ')} FROM converted WHERE unconverted IS NULL GROUP BY ALL`;
}

/** Charges with several tag keys count once. */
function totalSql({ dimensions }: CostQuery): string {
  const sums = 'coalesce(sum(cost), 0) AS cost, coalesce(sum(previous), 0) AS previous';
  if (dimensions[0] !== 'tag') return `SELECT count(*) AS count, ${sums} FROM grouped`;
  return `SELECT (SELECT count(*) FROM grouped) AS count, ${sums} FROM converted WHERE unconverted IS NULL`;
}

function matchSql({ dimensions }: CostQuery, { search, accountNames }: FactRanking): string {
  if (search === null) return 'true';
  const ids = [...accountNames]
    .filter((entry) => entry.some((text) => text.toLowerCase().includes(search)))
    .map(([id]) => id);
  if (dimensions[0] === 'account') return ids.length === 0 ? 'false' : `k0 IN (${ids.map(literal).join(', ')})`;
  const texts = dimensions[0] === 'resource' ? ['k0', 'name'] : ['k0'];
  return `(${texts.map((text) => `contains(lower(coalesce(${text}, '')), ${literal(search)})`).join(' OR ')})`;
}

/** As `rowOrder`: a total order, so that the same rows are shown each time. */
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

/** The relations that lead to `points`: costs by the place of a row that is shown, or null, and date. */
function pointRelations(basis: FactBasis, query: CostQuery, ranking: Ranking): string {
  if (query.bucket === 'none') return '';
  if (query.bucket === 'day') return dayRelations(basis, query, ranking);
  const on = keyNames(query).map((key) => `converted.${key} IS NOT DISTINCT FROM shown.${key}`);
  return `points AS MATERIALIZED (SELECT place, date, sum(converted.cost) AS cost FROM converted
  LEFT JOIN shown ON ${on.join(' AND ') || 'true'} WHERE unconverted IS NULL GROUP BY ALL),
`;
}

/** Days need a second pass over the facts: groups of every day, of which there can be as many as charges, never exist. */
function dayRelations(basis: FactBasis, query: CostQuery, ranking: Ranking): string {
  const hasTags = usesTags(query);
  const on = rawColumns(query).map(({ sql }, at) => `${sql} IS NOT DISTINCT FROM m${at}`);
  const days = ranking.previous === null ? [] : [`ChargePeriodStart >= TIMESTAMP ${literal(query.range.start)}`];
  const columns = [
    'place',
    ...bucketColumn(query),
    ...foreignColumns(basis),
    `sum(${metricColumns[query.costMetric]}) AS cost`,
  ];
  const bucketed = `SELECT ${columns.join(', ')} FROM facts ${hasTags ? 'JOIN' : 'LEFT JOIN'} members ON ${on.join(' AND ') || 'true'}`;
  const plain: CostQuery = { ...query, dimensions: [], include: [], exclude: [] };
  const rated = convertedSql(basis, plain, { from: 'bucketed', kept: ['place', 'date'], money: ['cost'] });
  return `members AS MATERIALIZED (${hasTags ? taggedMembers(basis, query) : shownMembers(query)}),
bucketed AS (${bucketed}${where([...rowFilter(query), ...days])} GROUP BY ALL),
points AS MATERIALIZED (SELECT place, date, sum(cost) AS cost FROM (${rated}) WHERE unconverted IS NULL GROUP BY ALL),
`;
}

function shownMembers(query: CostQuery): string {
  return `SELECT ${['place', ...keyNames(query).map((key, at) => `${key} AS m${at}`)].join(', ')} FROM shown`;
}

/** Which raw combinations belong to the rows that are shown; with null for the others that pass the filters. */
function taggedMembers({ spellings }: FactBasis, query: CostQuery): string {
  const raw = rawColumns(query).map(({ alias }, at) => `charges.${alias} AS m${at}`);
  const on = query.dimensions.map((dimension, at) => {
    const value = isTagged(dimension) ? valueSql(dimension, spellings, 'charges.tags') : `charges.r${at}`;
    return `${value} IS NOT DISTINCT FROM shown.k${at}`;
  });
  return `SELECT DISTINCT ${[...raw, 'place'].join(', ')} FROM charges LEFT JOIN shown ON ${on.join(' AND ') || 'true'}${where(tagFilter(query, spellings, 'charges.tags'))}`;
}

function pointParts(keys: readonly string[], type: string): string[] {
  const shownKeys = Object.fromEntries(keys.map((key) => [key, `shown.${key}`]));
  return [
    partSql('point', 'points JOIN shown ON points.place = shown.place', type, {
      ...shownKeys,
      date: 'points.date',
      cost: 'points.cost',
    }),
    partSql('rest', 'points WHERE place IS NULL', type, { date: 'date', cost: 'cost' }),
  ];
}

function same(keys: readonly string[]): Record<string, string> {
  return Object.fromEntries(keys.map((key) => [key, key]));
}

/** A row of the answer. */
export interface AnswerRow {
  readonly part: 'row' | 'total' | 'matching' | 'unconverted' | 'point' | 'rest';
  readonly k0: string | null;
  readonly k1: string | null;
  readonly k2: string | null;
  readonly date: Day | null;
  readonly unconverted: string | null;
  readonly cost: string | null;
  readonly previous: string | null;
  readonly quantity: string | null;
  readonly unit: string | null;
  readonly count: string | null;
}

function partSql(
  part: AnswerRow['part'],
  from: string,
  money: string,
  columns: Readonly<Record<string, string>>,
): string {
  const types = {
    k0: 'VARCHAR',
    k1: 'VARCHAR',
    k2: 'VARCHAR',
    date: 'DATE',
    unconverted: 'VARCHAR',
    cost: money,
    previous: money,
    quantity: 'DECIMAL(38,12)',
    unit: 'VARCHAR',
    count: 'BIGINT',
  };
  const values = Object.entries(types).map(([name, type]) => `(${columns[name] ?? 'NULL'})::${type} AS ${name}`);
  return `SELECT ${literal(part)} AS part, ${values.join(', ')} FROM ${from}`;
}
