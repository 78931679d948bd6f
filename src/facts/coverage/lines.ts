import { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Books, Sql } from '../costs/scan.ts';
import { rules, rulesDigest } from './programs.ts';

/** Columns of a line, in the order of `coverage_days`. */
export const lineColumns =
  Prisma.raw(`account_id, organization_id, billing_period, date, provider, currency, pricing_kind,
  service_id, region_id, commitment_id, program, pool, effective, equivalent, steady`);

/** Usage that a commitment covers or could: on demand, reserved, savings plan. */
const coverable = 'charge_category = 1 AND pricing_kind IN (1, 3, 4)';
const hourly = `'(^|[^a-z])h(ou)?(rs?)?($|[^a-z])'`;

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

const unitsSql = `SELECT account_id, id, consumed_unit ~* ${hourly} AS is_consumed_hourly, pricing_unit ~* ${hourly} AS is_priced_hourly
  FROM skus`;

const classesSql = `SELECT p.account_id, p.service_id, p.sku_id, r.id AS program,
    lower(concat_ws(' ', (regexp_match(${meterText}, r.meter, 'i'))[CASE WHEN r.captures THEN 1 END],
      (regexp_match(v.name || ' ' || k.description, r.variant, 'i'))[1])) AS pool
  FROM pairs AS p
  JOIN services AS v ON v.account_id = p.account_id AND v.id = p.service_id
  JOIN skus AS k ON k.account_id = p.account_id AND k.id = p.sku_id
  JOIN LATERAL (
    SELECT rule.id, rule.meter, rule.variant, rule.meter ~ '\\((?!\\?)' AS captures FROM rules AS rule
    WHERE rule.provider = v.provider AND v.name ~* rule.service
      AND (rule.but_not IS NULL OR ${meterText} !~* rule.but_not)
      AND (${meterText} ~* rule.meter OR (rule.by_the_hour AND k.meter = ''
        AND (k.pricing_unit ~* ${hourly} OR k.consumed_unit ~* ${hourly}) AND k.description !~* ${noInstance}))
    ORDER BY rule.position LIMIT 1
  ) AS r ON true`;

/** Digest of everything that decides what `coverage_days` holds. */
export const currentRules = rulesDigest([coverable, equivalent, isSteady, unitsSql, classesSql].join('\n'));

/** The charges of billing months, told apart by the program that covers them or could, and added up. Wants
 *  joins by hash: PostgreSQL expects few rows of what it cannot know, and would look up each of millions of charges.
 *  @param months SQL of the months: account_id, period, first and last (charge days, inclusive) */
export function linesOfMonths(books: Pick<Books, 'organizationId' | 'accountIds'>, months: Sql): Sql {
  const facts = Prisma.sql`FROM months AS m JOIN cost_facts AS f ON f.account_id = m.account_id
    AND f.billing_period = m.period AND f.charge_date >= m.first AND f.charge_date <= m.last
    AND f.charge_date >= (SELECT min(first) FROM months) AND f.charge_date <= (SELECT max(last) FROM months)
    AND f.organization_id = ${books.organizationId} AND f.account_id = ANY(${books.accountIds})`;
  return Prisma.sql`WITH months AS MATERIALIZED (${months}),
rules AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset(${rules}::jsonb)
    AS rule(id text, position int, provider text, service text, meter text, variant text, but_not text, by_the_hour boolean)
), pairs AS MATERIALIZED (
  SELECT DISTINCT f.account_id, f.service_id, f.sku_id ${facts} AND ${Prisma.raw(coverable)}
), classes AS MATERIALIZED (${Prisma.raw(classesSql)}
), units AS MATERIALIZED (${Prisma.raw(unitsSql)}
  WHERE organization_id = ${books.organizationId} AND account_id = ANY(${books.accountIds})
)
SELECT f.account_id, f.organization_id, f.billing_period, f.charge_date AS date, f.provider, f.currency, f.pricing_kind,
  f.service_id, f.region_id, f.commitment_id, coalesce(c.program, '') AS program, coalesce(c.pool, '') AS pool,
  sum(f.effective) AS effective,
  sum(CASE WHEN f.${Prisma.raw(coverable)} THEN ${Prisma.raw(equivalent)} ELSE 0 END) AS equivalent,
  sum(CASE WHEN f.${Prisma.raw(coverable)} AND ${Prisma.raw(isSteady)} THEN ${Prisma.raw(equivalent)} ELSE 0 END) AS steady
${facts}
LEFT JOIN classes AS c ON c.account_id = f.account_id AND c.service_id = f.service_id AND c.sku_id = f.sku_id
  AND f.${Prisma.raw(coverable)}
LEFT JOIN units AS u ON u.account_id = f.account_id AND u.id = f.sku_id
GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12`;
}
