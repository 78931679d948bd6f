import type { Pool, QueryResultRow } from 'pg';
import { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Amount } from '../../kit/money.ts';
import { parseAmount } from '../../kit/money.ts';
import type { Day, DayRange } from '../../kit/period.ts';
import type { Books, Sql } from '../costs/scan.ts';
import { inSnapshot } from '../costs/store.ts';
import { currentRules, lineColumns, linesOfMonths } from './lines.ts';

/** Which charges are read. Null lists do not filter. */
export interface CoverageFilter {
  /** Charge days, half-open. */
  readonly range: DayRange;
  readonly providers: readonly string[] | null;
  readonly services: readonly string[] | null;
  readonly regions: readonly string[] | null;
}

/** What is read of the charges. */
export interface Reading {
  readonly grouping: Grouping;
  /** True: of usage that open recommendations would end, instead of all. */
  readonly isFlagged?: boolean;
  /** Commitments whose last day, as the inventory lists it, is not after this one are expiring. */
  readonly expiringBy?: Day;
}

/** What an answer is grouped by, beside the pricing kind and whether a commitment covers the charges or could. */
export type Grouping = 'split' | 'daily' | 'gaps' | 'planner';

/** Charges of one group. What they are not grouped by is null. */
export interface CoverageCell {
  /** As in `cost_facts`: 1 on demand, 2 spot, 3 reserved, 4 savings plan, 5 other, 6 and 7 of the two the unused part. */
  readonly pricingKind: number;
  /** True: usage that a commitment covers, or could. */
  readonly isEligible: boolean;
  readonly date: Day | null;
  readonly accountId: string | null;
  readonly provider: string | null;
  readonly service: string | null;
  readonly region: string | null;
  /** Id of the program; empty where none fits. */
  readonly program: string | null;
  readonly pool: string | null;
  /** True: covered by a commitment that is about to end. */
  readonly isExpiring: boolean;
  /** The billing currency of costs that have no exchange rate: amounts are then in it. Null: converted. */
  readonly unconverted: string | null;
  readonly effective: Amount;
  /** What eligible usage costs on demand. */
  readonly equivalent: Amount;
  /** The part of `equivalent` whose hours are not known, but that ran all day. */
  readonly steady: Amount;
  /** The part of `equivalent` whose hours are known, in each of the day, in whole units: no longer exact. Null: none is, or
   *  they were not asked for. */
  readonly hourly: readonly number[] | null;
  /** The part of `hourly` of which more may have run in some of its hours than in others. */
  readonly uneven: Amount;
}

const columnsOf: Record<Grouping, readonly string[]> = {
  split: [],
  daily: ['date'],
  gaps: ['date', 'account_id', 'provider', 'service', 'region', 'program'],
  planner: ['date', 'account_id', 'provider', 'service', 'region', 'program', 'pool', 'is_expiring'],
};

const sources: Record<string, string> = {
  service: `coalesce(v.name, '')`,
  region: `coalesce(g.code, '')`,
  is_expiring: 'x.id IS NOT NULL',
};

interface CellRow extends QueryResultRow {
  pricing_kind: number;
  is_eligible: boolean;
  date?: Day;
  account_id?: string;
  provider?: string;
  service?: string;
  region?: string;
  program?: string;
  pool?: string;
  is_expiring?: boolean;
  unconverted: string | null;
  effective: string;
  equivalent: string;
  steady: string;
  uneven: string;
  hourly?: number[] | null;
}

/** Of rows whose hours are known: sums by hour. */
const hourlySums = `CASE WHEN count(hourly) > 0 THEN ARRAY[${Array.from(
  { length: 24 },
  (_, hour) => `coalesce(sum(hourly[${hour + 1}] * coalesce(rate, 1)::float8), 0)`,
).join(', ')}] END AS hourly`;

/** Reads the cells of an answer: exact, converted by the charge month's rate. */
export async function readCoverage(
  pool: Pool,
  books: Books,
  filter: CoverageFilter,
  { grouping, expiringBy, isFlagged = false }: Reading,
): Promise<CoverageCell[]> {
  const columns = columnsOf[grouping];
  const named = Prisma.raw(columns.map((column) => `, ${sources[column] ?? `l.${column}`} AS ${column}`).join(''));
  const keys = Prisma.raw(['pricing_kind', 'is_eligible', 'unconverted', ...columns].join(', '));
  const shown = Prisma.raw(
    columns.map((column) => (column === 'date' ? `, to_char(date, 'YYYY-MM-DD') AS date` : `, ${column}`)).join(''),
  );
  const plans = grouping === 'gaps' || grouping === 'planner';
  const usesOnly = plans ? Prisma.raw('AND is_eligible') : Prisma.empty;
  const hours = plans ? Prisma.raw(`, ${hourlySums}`) : Prisma.empty;
  const { text, values } = Prisma.sql`/* coverage: ${Prisma.raw(grouping)} */
WITH lines AS (${linesOf(books, filter, isFlagged)}), named AS (
  SELECT l.pricing_kind, l.pricing_kind IN (3, 4) OR l.program <> '' AS is_eligible, l.currency,
    l.date - extract(day FROM l.date)::int + 1 AS month, l.effective, l.equivalent, l.steady,
    l.hourly, l.uneven${named}
  FROM lines AS l
  ${columns.includes('service') ? dictionary('services', 'v', 'service_id') : Prisma.empty}
  ${columns.includes('region') ? dictionary('regions', 'g', 'region_id') : Prisma.empty}
  ${columns.includes('is_expiring') ? expiring(books, expiringBy ?? null) : Prisma.empty}
), rated AS (
  SELECT named.*, CASE WHEN named.currency = ${books.currency} THEN 1 ELSE r.rate END AS rate
  FROM named LEFT JOIN exchange_rates AS r ON r.organization_id = ${books.organizationId}
  AND r.month = named.month AND r.from_currency = named.currency AND r.to_currency = ${books.currency}
  WHERE true ${usesOnly}
), converted AS (
  SELECT rated.*, CASE WHEN rate IS NULL THEN currency END AS unconverted FROM rated
)
SELECT pricing_kind, is_eligible, unconverted${shown}, sum(effective * coalesce(rate, 1)) AS effective,
  sum(equivalent * coalesce(rate, 1)) AS equivalent, sum(steady * coalesce(rate, 1)) AS steady,
  sum(uneven * coalesce(rate, 1)) AS uneven${hours}
FROM converted GROUP BY ${keys}`;
  const { rows } = await inSnapshot(pool, (reader) => reader.query<CellRow>(text, values));
  return rows.map(cellOf);
}

/** The charges that are asked for: those of months that `coverage_days` has, and from the facts the others'. */
function linesOf(books: Books, { range, providers, services, regions }: CoverageFilter, isFlagged: boolean): Sql {
  const own = (alias: string) =>
    Prisma.sql`${Prisma.raw(alias)}.organization_id = ${books.organizationId} AND ${Prisma.raw(alias)}.account_id = ANY(${books.accountIds})`;
  const summed = Prisma.sql`LEFT JOIN coverage_periods AS p ON p.account_id = b.account_id AND p.period = b.period
    AND p.load_id = b.load_id AND p.rules = ${currentRules} AND ${own('p')}
  WHERE ${own('b')} AND b.data_from < ${range.end} AND b.data_to >= ${range.start}`;
  const months = Prisma.sql`SELECT b.account_id, b.period, greatest(b.data_from, ${range.start}::date) AS first,
    least(b.data_to, ${range.end}::date - 1) AS last FROM billing_periods AS b ${summed} AND p.period IS NULL`;
  const named = (column: string, table: string, key: string, values: readonly string[] | null) =>
    values === null
      ? Prisma.empty
      : Prisma.sql`AND ${Prisma.raw(column)} IN (SELECT id FROM ${Prisma.raw(table)} AS n
    WHERE ${own('n')} AND n.${Prisma.raw(key)} = ANY(${values}))`;
  const days = Prisma.sql`WHERE ${own('d')} AND d.date >= ${range.start} AND d.date < ${range.end}`;
  const all = Prisma.sql`SELECT ${lineColumns} FROM coverage_days AS d ${days}
    AND (d.account_id, d.billing_period) IN (SELECT b.account_id, b.period FROM billing_periods AS b ${summed} AND p.period IS NOT NULL)
  UNION ALL SELECT ${lineColumns} FROM (${linesOfMonths(books, months)}) AS charges`;
  const flagged = Prisma.sql`SELECT ${lineColumns} FROM coverage_flagged_days AS d ${days}`;
  return Prisma.sql`SELECT * FROM (${isFlagged ? flagged : all}) AS lines WHERE true
  ${providers === null ? Prisma.empty : Prisma.sql`AND provider = ANY(${providers})`}
  ${named('service_id', 'services', 'name', services)} ${named('region_id', 'regions', 'code', regions)}`;
}

function dictionary(table: string, alias: string, column: string): Sql {
  return Prisma.raw(
    `LEFT JOIN ${table} AS ${alias} ON ${alias}.account_id = l.account_id AND ${alias}.id = l.${column}`,
  );
}

/** Commitments of which a listing tells that they end by a day. */
function expiring(books: Books, by: Day | null): Sql {
  return Prisma.sql`LEFT JOIN (
    SELECT DISTINCT c.account_id, c.id FROM commitments AS c JOIN inventory_listings AS i ON i.account_id = c.account_id
      AND lower(i.native_id) = lower(c.code) AND i.organization_id = ${books.organizationId}
    WHERE c.organization_id = ${books.organizationId} AND c.account_id = ANY(${books.accountIds})
      AND left(i.metadata ->> 'endsAt', 10) <= ${by}
  ) AS x ON x.account_id = l.account_id AND x.id = l.commitment_id`;
}

function cellOf(row: CellRow): CoverageCell {
  return {
    pricingKind: row.pricing_kind,
    isEligible: row.is_eligible,
    date: row.date ?? null,
    accountId: row.account_id ?? null,
    provider: row.provider ?? null,
    service: row.service ?? null,
    region: row.region ?? null,
    program: row.program ?? null,
    pool: row.pool ?? null,
    isExpiring: row.is_expiring ?? false,
    unconverted: row.unconverted,
    effective: parseAmount(row.effective),
    equivalent: parseAmount(row.equivalent),
    steady: parseAmount(row.steady),
    hourly: row.hourly ?? null,
    uneven: parseAmount(row.uneven),
  };
}
