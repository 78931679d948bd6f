import { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Books, Sql } from '../costs/scan.ts';
import { rules, rulesDigest } from './programs.ts';

const keys = `account_id, organization_id, billing_period, date, provider, currency, pricing_kind, service_id, region_id,
  commitment_id, program, pool`;
const lineKeys = Prisma.raw(keys);

/** Columns of a line, in the order of `coverage_days`. */
export const lineColumns = Prisma.raw(`${keys}, effective, equivalent, steady, hourly, uneven`);

/** Usage that a commitment covers or could: on demand, reserved, savings plan. */
const coverable = 'charge_category = 1 AND pricing_kind IN (1, 3, 4)';
const perHour = `'(^|[^a-z])h(ou)?(rs?)?($|[^a-z])'`;

/** Text that names the meter: a bill without meters describes its charges. */
const meterText = `CASE WHEN k.meter <> '' THEN k.meter ELSE k.description END`;

/** What of hourly charges without a meter is no instance. */
const noInstance = `'transfer|gateway|balanc|address|storage|snapshot|volume|disk|endpoint|request|spot|licen[cs]e|support|credit|serverless|capacity unit|proxy|marketplace'`;

/** What a covered charge would cost on demand: ContractedCost, else ListCost; a bill that has neither says no more than
 *  what was paid. On demand it is what was paid. */
const equivalent = `CASE WHEN f.pricing_kind = 1 THEN f.effective WHEN f.contracted <> 0 THEN f.contracted
    WHEN f.list <> 0 THEN f.list ELSE f.effective END`;

/** Hours of a charge: a whole number of units that ran all day is a multiple of 24. A thousandth more or less is rounding. */
const hours = `CASE WHEN u.is_consumed_hourly THEN f.consumed_quantity WHEN u.is_priced_hourly THEN f.pricing_quantity END`;
const isSteady = `coalesce(${hours} > 23.9 AND abs(${hours} / 24 - round(${hours} / 24)) <= 0.001, false)`;

const unitsSql = `SELECT account_id, id, consumed_unit ~* ${perHour} AS is_consumed_hourly, pricing_unit ~* ${perHour} AS is_priced_hourly
  FROM skus`;

const bitsOf = (mask: string) => `bit_count(${mask}::bit(24))`;

/** A bill tells hours where its usage starts at several of the day. Where all of it starts at midnight its lines are days:
 *  midnight of UTC or of the provider's own zone, which is at two hours of UTC in the month in which clocks change. */
const tellsHours = (starts: string) => `${bitsOf(`bit_or(${starts})`)} > 2`;

const billsSql = `SELECT account_id, billing_period, provider, ${tellsHours('starts')} AS tells_hours FROM pairs GROUP BY 1, 2, 3`;
const meteredSql = `SELECT account_id, billing_period, provider, sku_id, ${tellsHours('starts')} AS tells_hours FROM pairs GROUP BY 1, 2, 3, 4`;

/** The hours in which a charge ran, a bit each; 0 where the bill does not tell. An hourly bill may have lines of a day too,
 *  and lines do not say here when they end: what starts at midnight alone is of that hour if it shows at most an hour a
 *  line or, where it is not measured in hours, if its SKU starts at several hours elsewhere in the bill. Else it is a day's. */
const knownHours = `CASE WHEN b.tells_hours AND (c.program IS NOT NULL OR f.pricing_kind <> 1)
    AND (f.start_hours <> 1 OR coalesce(${hours} <= 1.001 * f.line_items, s.tells_hours)) THEN f.start_hours ELSE 0 END`;

const unitsPerHour = `${hours} / nullif(${bitsOf('f.start_hours')}, 0)`;

/** True of what runs the same in each of its hours: one resource, or a whole number of units. Of several under one name, and
 *  of what is not measured in hours, more may run in one hour than in another. */
const isEven = `coalesce(f.resource_id <> 0 AND ${unitsPerHour} <= 1.001
    OR ${unitsPerHour} > 0.9 AND abs(${unitsPerHour} - round(${unitsPerHour})) <= 0.001, false)`;

/** What a cost gives to each hour of its mask, of costs that share one. */
const share = `(sum(equivalent) FILTER (WHERE is_coverable))::float8 / nullif(${bitsOf('hours')}, 0)`;
const hourlySums = Array.from({ length: 24 }, (_, hour) => {
  return `coalesce(sum(share) FILTER (WHERE hours & ${1 << hour} <> 0), 0)`;
}).join(', ');

const classesSql = `SELECT p.account_id, p.service_id, p.sku_id, r.id AS program,
    lower(concat_ws(' ', (regexp_match(${meterText}, r.meter, 'i'))[CASE WHEN r.captures THEN 1 END],
      (regexp_match(v.name || ' ' || k.description, r.variant, 'i'))[1])) AS pool
  FROM (SELECT DISTINCT account_id, service_id, sku_id FROM pairs) AS p
  JOIN services AS v ON v.account_id = p.account_id AND v.id = p.service_id
  JOIN skus AS k ON k.account_id = p.account_id AND k.id = p.sku_id
  JOIN LATERAL (
    SELECT rule.id, rule.meter, rule.variant, rule.meter ~ '\\((?!\\?)' AS captures FROM rules AS rule
    WHERE rule.provider = v.provider AND v.name ~* rule.service
      AND (rule.but_not IS NULL OR ${meterText} !~* rule.but_not)
      AND (${meterText} ~* rule.meter OR (rule.by_the_hour AND k.meter = ''
        AND (k.pricing_unit ~* ${perHour} OR k.consumed_unit ~* ${perHour}) AND k.description !~* ${noInstance}))
    ORDER BY rule.position LIMIT 1
  ) AS r ON true`;

/** Digest of everything that decides what `coverage_days` holds. */
export const currentRules = rulesDigest(
  [
    coverable,
    equivalent,
    isSteady,
    unitsSql,
    classesSql,
    billsSql,
    meteredSql,
    knownHours,
    isEven,
    share,
    hourlySums,
  ].join('\n'),
);

/** The charges of billing months, told apart by the program that covers them or could, and added up. Wants
 *  joins by hash: PostgreSQL expects few rows of what it cannot know, and would look up each of millions of charges.
 *  @param months SQL of the months: account_id, period, first and last (charge days, inclusive)
 *  @param resources SQL of resource ids: only what is on demand of these, and could be covered; all charges without it */
export function linesOfMonths(books: Pick<Books, 'organizationId' | 'accountIds'>, months: Sql, resources?: Sql): Sql {
  const only = resources
    ? Prisma.sql`WHERE f.resource_id IN (${resources}) AND f.pricing_kind = 1 AND c.program IS NOT NULL`
    : Prisma.empty;
  const facts = Prisma.sql`FROM months AS m JOIN cost_facts AS f ON f.account_id = m.account_id
    AND f.billing_period = m.period AND f.charge_date >= m.first AND f.charge_date <= m.last
    AND f.charge_date >= (SELECT min(first) FROM months) AND f.charge_date <= (SELECT max(last) FROM months)
    AND f.organization_id = ${books.organizationId} AND f.account_id = ANY(${books.accountIds})`;
  return Prisma.sql`WITH months AS MATERIALIZED (${months}),
rules AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset(${rules}::jsonb)
    AS rule(id text, position int, provider text, service text, meter text, variant text, but_not text, by_the_hour boolean)
), pairs AS MATERIALIZED (
  SELECT f.account_id, f.billing_period, f.provider, f.service_id, f.sku_id, bit_or(f.start_hours) AS starts
  ${facts} AND ${Prisma.raw(coverable)} GROUP BY 1, 2, 3, 4, 5
), classes AS MATERIALIZED (${Prisma.raw(classesSql)}
), units AS MATERIALIZED (${Prisma.raw(unitsSql)}
  WHERE organization_id = ${books.organizationId} AND account_id = ANY(${books.accountIds})
), bills AS MATERIALIZED (${Prisma.raw(billsSql)}
), metered AS MATERIALIZED (${Prisma.raw(meteredSql)}
), charges AS (
  SELECT f.account_id, f.organization_id, f.billing_period, f.charge_date AS date, f.provider, f.currency, f.pricing_kind,
    f.service_id, f.region_id, f.commitment_id, coalesce(c.program, '') AS program, coalesce(c.pool, '') AS pool,
    f.effective, ${Prisma.raw(equivalent)} AS equivalent, f.${Prisma.raw(coverable)} AS is_coverable,
    ${Prisma.raw(knownHours)} AS hours, ${Prisma.raw(isSteady)} AS is_steady, ${Prisma.raw(isEven)} AS is_even
  ${facts}
  LEFT JOIN classes AS c ON c.account_id = f.account_id AND c.service_id = f.service_id AND c.sku_id = f.sku_id
    AND f.${Prisma.raw(coverable)}
  LEFT JOIN units AS u ON u.account_id = f.account_id AND u.id = f.sku_id
  LEFT JOIN bills AS b ON b.account_id = f.account_id AND b.billing_period = f.billing_period AND b.provider = f.provider
    AND f.${Prisma.raw(coverable)}
  LEFT JOIN metered AS s ON s.account_id = f.account_id AND s.billing_period = f.billing_period AND s.provider = f.provider
    AND s.sku_id = f.sku_id AND f.${Prisma.raw(coverable)}
  ${only}
), alike AS (
  SELECT ${lineKeys}, hours, sum(effective) AS effective, sum(equivalent) FILTER (WHERE is_coverable) AS equivalent,
    sum(equivalent) FILTER (WHERE is_coverable AND hours = 0 AND is_steady) AS steady,
    ${Prisma.raw(share)} AS share,
    sum(equivalent) FILTER (WHERE is_coverable AND hours <> 0 AND NOT is_even) AS uneven
  FROM charges GROUP BY ${lineKeys}, hours
)
SELECT ${lineKeys}, sum(effective) AS effective, coalesce(sum(equivalent), 0) AS equivalent, coalesce(sum(steady), 0) AS steady,
  CASE WHEN bool_or(hours <> 0) THEN ARRAY[${Prisma.raw(hourlySums)}] END AS hourly, coalesce(sum(uneven), 0) AS uneven
FROM alike GROUP BY ${lineKeys}`;
}
