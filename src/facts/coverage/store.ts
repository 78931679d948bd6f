import { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Deps } from '../../kit/deps.ts';
import { type Amount, parseAmount } from '../../kit/money.ts';
import type { Day, DayRange } from '../../kit/time/period.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { inSnapshot, type LedgerSlice, type Reader, type Sql } from '../costs/reading/sql.ts';
import { listMissing, type MissingMonth } from './days-store.ts';
import { unrecognized } from './match.ts';
import { currentRules, lineColumns, openLineFacts, queryLines, tableOf, type Line } from './lines.ts';
import { holdsIn, monthlyRates } from '../currencies.ts';

/** Selects charges. Null lists do not filter. */
export interface CoverageFilter {
  /** Charge days, half-open. */
  readonly range: DayRange;
  readonly providers: readonly string[] | null;
  readonly services: readonly string[] | null;
  readonly regions: readonly string[] | null;
  /** CommitmentDiscountIds, in lower case. */
  readonly commitments?: readonly string[];
}

/** Options of a read. */
export interface Reading {
  readonly grouping: Grouping;
  /** True: only usage that open recommendations would end. */
  readonly isFlagged?: boolean;
  /** Commitments whose last day, according to the inventory, is on or before this day count as expiring. */
  readonly expiringBy?: Day;
}

/** Grouping of an answer, in addition to pricing kind and eligibility. */
export type Grouping = 'split' | 'daily' | 'gaps' | 'planner' | 'commitments';

/** Charges of one group. Columns that are not grouped by are null. */
export interface CoverageCell {
  /** 1-based index into `pricingKinds`. */
  readonly pricingKind: number;
  /** Whether a commitment covers the usage or could. */
  readonly isEligible: boolean;
  readonly date: Day | null;
  readonly accountId: string | null;
  readonly provider: string | null;
  readonly service: string | null;
  readonly region: string | null;
  /** Program id; empty if none matches. */
  readonly program: string | null;
  readonly pool: string | null;
  /** CommitmentDiscountId in lower case; empty for none. */
  readonly commitment: string | null;
  /** Whether the covering commitment is about to end. */
  readonly isExpiring: boolean;
  /** Whether it is unknown if a commitment could cover the usage. */
  readonly isUnrecognized: boolean;
  /** Billing currency of the amounts if it has no exchange rate. Null: converted. */
  readonly unconverted: string | null;
  readonly effective: Amount;
  /** On-demand cost of eligible usage. */
  readonly equivalent: Amount;
  /** The part of `equivalent` that ran all day but whose hours are unknown. */
  readonly steady: Amount;
  /** The part of `equivalent` with known hours, for each hour of the day, in whole units and therefore no longer exact.
   *  Null: none, or not requested. */
  readonly hourly: readonly number[] | null;
  /** The part of `hourly` that can vary between its hours. */
  readonly uneven: Amount;
}

const columnsOf: Record<Grouping, readonly (keyof typeof sources)[]> = {
  split: ['isUnrecognized'],
  daily: ['date'],
  gaps: ['date', 'accountId', 'provider', 'service', 'region', 'program'],
  commitments: ['accountId', 'service', 'commitment'],
  planner: ['date', 'accountId', 'provider', 'service', 'region', 'program', 'pool', 'isExpiring'],
};

/** Columns that cells can be grouped by, with their value if they are not. */
const sources = {
  date: ['l.date', 'NULL::date'],
  accountId: ['l.account_id', 'NULL'],
  provider: ['l.provider', 'NULL'],
  service: [`coalesce(v.name, '')`, 'NULL'],
  region: [`coalesce(g.code, '')`, 'NULL'],
  program: ['l.program', 'NULL'],
  pool: ['l.pool', 'NULL'],
  commitment: ['lower(l.commitment)', 'NULL'],
  isExpiring: ['x.commitment IS NOT NULL', 'false'],
  isUnrecognized: [`l.program = '${unrecognized}'`, 'false'],
} as const;

const measures = ['effective', 'equivalent', 'steady', 'uneven'] as const;
type Measure = (typeof measures)[number];

/** A cell as stored in the database. */
type CellRow = Omit<CoverageCell, Measure> & Record<Measure, string>;

const keys = ['pricingKind', 'isEligible', 'unconverted', ...Object.keys(sources)]
  .map((name) => `"${name}"`)
  .join(', ');
const keyColumns = Prisma.raw(keys);
const shownColumns = Prisma.raw(keys.replace('"date"', `to_char("date", 'YYYY-MM-DD') AS "date"`));
const sums = Prisma.raw(measures.map((measure) => `sum(${measure} * coalesce(rate, 1)) AS ${measure}`).join(', '));

/** Hourly sums of rows with known hours. */
const hourlySums = Prisma.raw(
  `CASE WHEN count(hourly) > 0 THEN ARRAY[${Array.from(
    { length: 24 },
    (_, hour) => `coalesce(sum(hourly[${hour + 1}] * coalesce(rate, 1)::float8), 0)`,
  ).join(', ')}] END AS hourly`,
);

/** Parameters of a read. */
interface Request {
  readonly scope: OrgScope;
  readonly slice: LedgerSlice;
  readonly filter: CoverageFilter;
  readonly reading: Reading;
}

/** Reads exact cells, converted at the charge month's rate. Billing months missing from `coverage_days` are first read from
 *  the facts without a transaction, then everything in one snapshot; an intervening load restarts it. */
export async function readCoverage(deps: Pick<Deps, 'pool' | 'engine'>, request: Request): Promise<CoverageCell[]> {
  const { scope, slice, filter, reading } = request;
  const loads = new Map<string, readonly Line[]>();
  for (;;) {
    const next = await inSnapshot(deps.pool, async (reader) => {
      const missing = reading.isFlagged ? [] : await listMissing(reader, slice, filter.range);
      const months = missing.filter((month) => !loads.has(keyOf(month)));
      const lines = missing.flatMap((month) => loads.get(keyOf(month)) ?? []);
      if (months.length === 0) return { cells: await readCells(reader, request, lines) };
      const accountIds = [...new Set(months.map(({ accountId }) => accountId))];
      return { months, facts: await openLineFacts(reader, scope, { accountIds, ...filter.range }) };
    });
    if (next.cells) return next.cells;
    const { months, facts } = next;
    const lines = await deps.engine.rows<Line>(
      facts.days,
      await queryLines(deps.engine, facts, { lane: 'request', months }),
    );
    const byMonth = Map.groupBy(lines, (line) => `${line.account_id} ${line.billing_period}`);
    for (const month of months) loads.set(keyOf(month), byMonth.get(`${month.accountId} ${month.period}`) ?? []);
  }
}

function keyOf({ accountId, period, loadId }: MissingMonth): string {
  return `${accountId} ${period} ${loadId}`;
}

/** Reads the cells of a request.
 *  @param lines lines of the billing months missing from `coverage_days` */
async function readCells(
  reader: Reader,
  { slice, filter, reading }: Request,
  lines: readonly Line[],
): Promise<CoverageCell[]> {
  const { grouping, expiringBy, isFlagged = false } = reading;
  const columns: readonly string[] = columnsOf[grouping];
  const hasHours = grouping === 'gaps' || grouping === 'planner';
  const named = Object.entries(sources).map(
    ([name, [by, none]]) => `${columns.includes(name) ? by : none} AS "${name}"`,
  );
  const { text, values } = Prisma.sql`/* coverage: ${Prisma.raw(grouping)} */
WITH lines AS (${isFlagged ? daysOf('coverage_flagged_days', slice, filter) : linesOf(slice, filter, lines)}), named AS (
  SELECT l.pricing_kind AS "pricingKind", l.pricing_kind IN (3, 4) OR l.program <> '' AS "isEligible", l.currency,
    l.date - extract(day FROM l.date)::int + 1 AS month, l.effective, l.equivalent, l.steady, l.hourly, l.uneven,
    ${Prisma.raw(named.join(', '))}
  FROM lines AS l
  ${columns.includes('service') ? dictionary('services', 'v', 'service_id') : Prisma.empty}
  ${columns.includes('region') ? dictionary('regions', 'g', 'region_id') : Prisma.empty}
  ${columns.includes('isExpiring') ? expiring(slice, expiringBy ?? null) : Prisma.empty}
), rated AS (
  SELECT named.*, CASE WHEN named.currency = ${slice.currency} THEN 1 ELSE r.rate END AS rate
  FROM named LEFT JOIN ${monthlyRates(slice.organizationId)} AS r
  ON r.currency = named.currency AND r.to_currency = ${slice.currency} AND ${holdsIn('r', 'named.month')}
  WHERE "isEligible" OR NOT ${hasHours}
), converted AS (
  SELECT rated.*, CASE WHEN rate IS NULL THEN currency END AS unconverted FROM rated
)
SELECT ${shownColumns}, ${sums}, ${hasHours ? hourlySums : Prisma.raw('NULL AS hourly')} FROM converted
GROUP BY ${keyColumns}`;
  const { rows } = await reader.query<CellRow>(text, values);
  return rows.map(cellOf);
}

const own = (alias: string, { organizationId, accountIds }: LedgerSlice) =>
  Prisma.sql`${Prisma.raw(alias)}.organization_id = ${organizationId} AND ${Prisma.raw(alias)}.account_id = ANY(${accountIds})`;

/** Joins the lines of months that `coverage_days` has for the current load with those of missing months. */
function linesOf(slice: LedgerSlice, filter: CoverageFilter, lacking: readonly Line[]): Sql {
  const held = Prisma.sql`SELECT b.account_id, b.period FROM billing_periods AS b
    JOIN coverage_periods AS p ON p.account_id = b.account_id AND p.period = b.period AND p.load_id = b.load_id
    WHERE p.rules = ${currentRules} AND ${own('p', slice)} AND ${own('b', slice)}`;
  const days = Prisma.sql`${daysOf('coverage_days', slice, filter)} AND (d.account_id, d.billing_period) IN (${held})`;
  if (lacking.length === 0) return days;
  return Prisma.sql`${days} UNION ALL ${daysOf(tableOf(lacking), slice, filter)}`;
}

/** Selects the lines of a filter.
 *  @param source a table of lines */
function daysOf(source: string | Sql, slice: LedgerSlice, filter: CoverageFilter): Sql {
  const { range, providers, services, regions, commitments } = filter;
  const named = (column: string, table: string, key: string, values: readonly string[] | null) =>
    values === null
      ? Prisma.empty
      : Prisma.sql`AND ${Prisma.raw(column)} IN (SELECT id FROM ${Prisma.raw(table)} AS n
    WHERE ${own('n', slice)} AND n.${Prisma.raw(key)} = ANY(${values}))`;
  return Prisma.sql`SELECT ${Prisma.raw(lineColumns)} FROM ${typeof source === 'string' ? Prisma.raw(source) : source} AS d
  WHERE ${own('d', slice)} AND d.date >= ${range.start} AND d.date < ${range.end}
  ${providers === null ? Prisma.empty : Prisma.sql`AND provider = ANY(${providers})`}
  ${commitments ? Prisma.sql`AND lower(commitment) = ANY(${commitments})` : Prisma.empty}
  ${named('service_id', 'services', 'name', services)} ${named('region_id', 'regions', 'code', regions)}`;
}

function dictionary(table: string, alias: string, column: string): Sql {
  return Prisma.raw(
    `LEFT JOIN ${table} AS ${alias} ON ${alias}.account_id = l.account_id AND ${alias}.id = l.${column}`,
  );
}

/** Selects commitments that end by a day, according to their listing. */
function expiring(slice: LedgerSlice, by: Day | null): Sql {
  return Prisma.sql`LEFT JOIN (
    SELECT DISTINCT i.account_id, lower(i.native_id) AS commitment FROM inventory_listings AS i
    WHERE ${own('i', slice)} AND left(i.metadata ->> 'endsAt', 10) <= ${by}
  ) AS x ON x.account_id = l.account_id AND x.commitment = lower(l.commitment)`;
}

function cellOf(row: CellRow): CoverageCell {
  const { effective, equivalent, steady, uneven } = row;
  return {
    ...row,
    effective: parseAmount(effective),
    equivalent: parseAmount(equivalent),
    steady: parseAmount(steady),
    uneven: parseAmount(uneven),
  };
}
