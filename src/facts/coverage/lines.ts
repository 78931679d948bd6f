import { Prisma } from '../../../prisma/generated/client/client.ts';
import { factColumns, idSql, pricingKinds } from '../../engine/codebook.ts';
import type { FactEngine, FactQuery, Lane } from '../../engine/engine.ts';
import { openFacts, type FactRange, type FactSet, type Reader } from '../../engine/fact-set.ts';
import { literal } from '../../engine/sql.ts';
import type { Day } from '../../kit/time/period.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import type { Sql } from '../costs/reading/sql.ts';
import { coveredServices, describedServices, digestOf, matchUsage, type Usage } from './match.ts';

/** Sum of a day's charges with equal keys: a row of `coverage_days`. */
export interface Line {
  readonly account_id: string;
  readonly billing_period: Day;
}

/** Columns of a line, in the engine's order. */
export const lineColumns = `account_id, organization_id, billing_period, date, provider, currency, pricing_kind, service_id,
  region_id, commitment, program, pool, effective, equivalent, steady, hourly, uneven`;

/** The facts that lines are built from. */
export interface LineFacts {
  readonly days: FactSet;
  /** The same charges by month: a few rows that show which usage exists. */
  readonly months: FactSet;
}

/** Selects the files of a range, from one moment if the reader is a snapshot. */
export async function openLineFacts(
  reader: Reader,
  scope: OrgScope,
  range: Omit<FactRange, 'grain'>,
): Promise<LineFacts> {
  const days = await openFacts(reader, scope, { ...range, grain: 'day' });
  return { days, months: await openFacts(reader, scope, { ...range, grain: 'month' }) };
}

/** Selects the lines to read. */
interface LineQuery {
  readonly lane: Lane;
  /** Null: all facts. */
  readonly months: readonly { readonly accountId: string; readonly period: Day }[] | null;
  /** Limits the lines to on-demand usage of these resources (`idOf`) that a program could cover. */
  readonly resourceIds?: readonly string[];
}

/** Defines a table that a query takes as one JSON text: one list per column, a third the size of one object per row. */
function usageTableOf(columns: Readonly<Record<string, string>>): string {
  const types = Object.fromEntries(Object.entries(columns).map(([name, type]) => [name, [type]]));
  const lists = Object.keys(columns).map((name) => `unnest(lists.${name}) AS ${name}`);
  return `usage AS (SELECT ${lists.join(', ')} FROM (SELECT from_json($usage, ${literal(JSON.stringify(types))}) AS lists))`;
}

const hasDescription = `SkuMeter IS NULL OR regexp_matches(ServiceName, ${literal(describedServices)}, 'i')`;

/** SQL of the facts, with instances that were divided among containers combined again: only the whole instance shows whether
 *  usage ran all day, and in whole units. */
const undivided = (where: string) => {
  const kept = factColumns.filter(({ name }) => !containers.has(name));
  const sums = kept.map(({ name, role }) => {
    if (role !== 'measure') return name;
    return `${name === 'x_StartHours' ? 'bit_or' : 'sum'}(${name}) AS ${name}`;
  });
  const names = kept.map(({ name }) => name).join(', ');
  return `(SELECT ${names} FROM facts WHERE x_Cluster IS NULL${where}
    UNION ALL SELECT ${sums.join(', ')} FROM facts WHERE x_Cluster IS NOT NULL${where} GROUP BY ALL)`;
};
const containers = new Set(['x_Cluster', 'x_Namespace', 'x_Workload']);

/** SQL of the months' charges; `is_coverable` marks usage at prices that a commitment covers or could cover. Descriptions
 *  are null unless a program depends on them, because bills have many. */
const chargesOf = (months: LineQuery['months']) => `charges AS NOT MATERIALIZED (
  SELECT * REPLACE (CASE WHEN ${hasDescription} THEN ChargeDescription END AS ChargeDescription),
    ChargeCategory = 'Usage' AND x_PricingKind IN ('on_demand', 'reserved', 'savings_plan') AS is_coverable
  FROM ${undivided(months ? ` AND ${monthFilter(months)}` : '')})`;

/** Filters by literals, which allow DuckDB to skip files. */
function monthFilter(months: NonNullable<LineQuery['months']>): string {
  const each = months.map(
    ({ accountId, period }) =>
      `x_AccountId = ${literal(accountId)} AND BillingPeriodStart = TIMESTAMP ${literal(period)}`,
  );
  return each.length === 0 ? 'false' : `(${each.join(' OR ')})`;
}

/** A bill has hours if its usage starts at more than two hours of the day. A daily bill starts all usage at midnight in UTC
 *  or in the provider's time zone; the latter is at two UTC hours in a month with a clock change. */
const hasHours = (starts: string) => `bit_count(${starts}) > 2`;

const usageKeys = {
  x_AccountId: 'VARCHAR',
  BillingPeriodStart: 'TIMESTAMP',
  x_Provider: 'VARCHAR',
  ServiceName: 'VARCHAR',
  ServiceCategory: 'VARCHAR',
  ServiceSubcategory: 'VARCHAR',
  SkuMeter: 'VARCHAR',
  ChargeDescription: 'VARCHAR',
  PricingUnit: 'VARCHAR',
  ConsumedUnit: 'VARCHAR',
  is_coverable: 'BOOLEAN',
};
const usageColumns = Object.keys(usageKeys);

/** SQL of distinct usage of services that programs cover, and of other services' usage that commitments cover. */
const usageSql = `SELECT ${usageColumns.join(', ')}, bool_or(x_PricingKind <> 'on_demand') AS is_committed,
    ${hasHours('bit_or(x_StartHours)')} AS has_hours,
    ${hasHours('bit_or(bit_or(x_StartHours)) OVER (PARTITION BY x_AccountId, BillingPeriodStart, x_Provider)')} AS bill_has_hours
  FROM charges WHERE is_coverable GROUP BY ${usageColumns.join(', ')}
  QUALIFY is_committed OR regexp_matches(ServiceName, ${literal(coveredServices)}, 'i')`;

const usageTypes = {
  ...usageKeys,
  has_hours: 'BOOLEAN',
  bill_has_hours: 'BOOLEAN',
  program: 'VARCHAR',
  pool: 'VARCHAR',
  hours: 'VARCHAR',
};
const usageTable = usageTableOf(usageTypes);

/** On-demand equivalent of eligible usage: EffectiveCost of on-demand usage; for covered usage ContractedCost, else
 *  ListCost, else EffectiveCost. */
const equivalent = `CASE WHEN is_eligible THEN CASE WHEN x_PricingKind = 'on_demand' THEN EffectiveCost
  WHEN ContractedCost <> 0 THEN ContractedCost WHEN ListCost <> 0 THEN ListCost ELSE EffectiveCost END END`;

/** Maximum distance from a whole number that still counts as whole: 0.001 for rounding in bills, plus floating-point error. */
const tolerance = '0.001000001';
const isWhole = (number: string) => `abs(${number} - round(${number})) <= ${tolerance}`;

/** SQL condition of usage that ran all day: a whole number of units has a multiple of 24 hours. */
const isSteady = `ran > 23.9 AND ${isWhole('ran / 24')}`;

/** The hours in which a charge ran, as a 24-bit mask; 0 if unknown. Hourly bills can contain daily line items, and facts do
 *  not have end times. A charge that starts only at midnight counts as hourly if it has at most one hour per line item or,
 *  if not measured in hours, if its meter starts at several hours elsewhere in the bill. Otherwise it is daily. */
const knownHours = `CASE WHEN is_eligible AND bill_has_hours AND (x_StartHours <> 1
    OR coalesce(ran <= 1.001 * x_LineItems, has_hours)) THEN x_StartHours ELSE 0 END`;

/** True for usage that is constant over its hours: one resource, or a whole number of units. Several resources under one
 *  name, and usage not measured in hours, can vary from hour to hour. */
const isEven = `coalesce(ResourceId IS NOT NULL AND units <= 1 + ${tolerance} OR units > 0.9 AND ${isWhole('units')}, false)`;

const hourlySums = Array.from(
  { length: 24 },
  (_, hour) => `coalesce(sum(share) FILTER (hours & ${1 << hour} <> 0), 0)`,
).join(', ');

const flagged = `WHERE x_PricingKind = 'on_demand' AND program IS NOT NULL AND ResourceId IS NOT NULL
    AND ${idSql('x_Provider', 'ResourceId')} IN (SELECT unnest($resources)::BIGINT)`;

const keys = `x_AccountId, BillingPeriodStart, ChargePeriodStart, x_Provider, BillingCurrency, x_PricingKind, ServiceName,
  ServiceCategory, RegionId, CommitmentDiscountId, program, pool`;

const linesSql = (only: string) => `${usageTable}, measured AS (
  SELECT charges.*, bill_has_hours, has_hours, program, pool,
    u.is_coverable IS NOT NULL AND (program IS NOT NULL OR x_PricingKind <> 'on_demand') AS is_eligible,
    (CASE hours WHEN 'consumed' THEN coalesce(ConsumedQuantity, 0) WHEN 'priced' THEN coalesce(PricingQuantity, 0) END)::DOUBLE AS ran
  FROM charges LEFT JOIN usage AS u
    ON ${usageColumns.map((column) => `u.${column} IS NOT DISTINCT FROM charges.${column}`).join(' AND ')}
), timed AS (
  SELECT *, ${equivalent} AS equivalent, ${knownHours} AS hours, ran / nullif(bit_count(x_StartHours), 0) AS units
  FROM measured ${only}
), alike AS (
  SELECT ${keys}, hours, sum(EffectiveCost) AS effective, sum(equivalent) AS equivalent,
    sum(equivalent) FILTER (hours = 0 AND ${isSteady}) AS steady,
    sum(equivalent)::DOUBLE / nullif(bit_count(hours), 0) AS share,
    sum(equivalent) FILTER (hours <> 0 AND NOT ${isEven}) AS uneven
  FROM timed GROUP BY ${keys}, hours
)
SELECT x_AccountId AS account_id, $organization AS organization_id, BillingPeriodStart::DATE AS billing_period,
  ChargePeriodStart::DATE AS date, x_Provider AS provider, BillingCurrency AS currency,
  list_position([${pricingKinds.map(literal).join(', ')}], x_PricingKind) AS pricing_kind,
  ${idSql('x_Provider', 'ServiceName', 'ServiceCategory')} AS service_id, ${idSql('x_Provider', 'RegionId')} AS region_id,
  coalesce(CommitmentDiscountId, '') AS commitment, coalesce(program, '') AS program, coalesce(pool, '') AS pool,
  sum(effective) AS effective, coalesce(sum(equivalent), 0) AS equivalent, coalesce(sum(steady), 0) AS steady,
  CASE WHEN bool_or(hours <> 0) THEN '{' || array_to_string([${hourlySums}], ',') || '}' END AS hourly,
  coalesce(sum(uneven), 0) AS uneven
FROM alike GROUP BY ${keys}`;

/** Digest of all rules that determine the content of `coverage_days`. */
export const currentRules = digestOf(chargesOf(null), usageSql, linesSql(''));

/** Distinct usage, as the engine returns it. */
type UsageRow = Usage &
  Record<keyof typeof usageKeys | 'has_hours' | 'bill_has_hours', unknown> & { is_committed: boolean };

/** Matches the usage in facts with programs.
 *  @returns the query for the days' lines: rows of `lineColumns` */
export async function queryLines(engine: FactEngine, facts: LineFacts, reading: LineQuery): Promise<FactQuery> {
  const { lane, months, resourceIds } = reading;
  const charges = chargesOf(months);
  const usage = await engine.rows<UsageRow>(facts.months, {
    name: 'coverage usage',
    sql: `WITH ${charges} ${usageSql}`,
    lane,
  });
  const matched = usage
    .map((row) => ({ ...row, ...matchUsage(row) }))
    .filter((row) => row.program !== null || row.is_committed);
  return {
    name: 'coverage lines',
    sql: `WITH ${charges}, ${linesSql(resourceIds ? flagged : '')}`,
    parameters: {
      ...(resourceIds && { resources: resourceIds }),
      organization: facts.days.organizationId,
      usage: listsOf(matched),
    },
    lane,
  };
}

/** Formats rows as the JSON text that `usageTable` reads. */
function listsOf(rows: readonly Record<keyof typeof usageTypes, unknown>[]): string {
  const names = Object.keys(usageTypes) as (keyof typeof usageTypes)[];
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, rows.map((row) => row[name])])));
}

/** Returns lines as a PostgreSQL table. */
export function tableOf(lines: readonly Line[]): Sql {
  return Prisma.sql`jsonb_populate_recordset(null::coverage_days, ${JSON.stringify(lines)}::jsonb)`;
}
