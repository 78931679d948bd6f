import { idSql } from '../../engine/codebook.ts';
import { addDays, type Day } from '../../kit/time/period.ts';
import type { FactTable } from '../staged.ts';

/** Days without a charge after which a daily-billed resource counts as gone. */
export const billedDaily = 3;
/** Days without a charge after which a monthly-billed resource counts as gone: one with a single charge that is on the first of
 *  a month or a purchase. */
const billedMonthly = 34;
/** Longest billing interval to wait for, in days. */
const longestRhythm = 31;
/** Days of charges from which the billing interval is derived. */
const rhythmDays = 100;

const key = 'x_Provider, ResourceId';
const id = idSql('x_Provider', 'ResourceId');

/** Usage and purchases other than corrections: evidence that a resource exists. */
const isUse = `ChargeCategory IN ('Usage', 'Purchase') AND ChargeClass IS NULL`;

/** All resources of the loaded months: latest name and type, first and last charge day. */
const everBilled: FactTable = {
  name: 'billed',
  columns:
    'resource_id bigint, provider text, native_id text, name text, resource_type text, first_seen date, last_seen date',
  range: { start: null, end: null, grain: 'month' },
  query: {
    name: 'billedResources',
    // Grouping by name yields few rows and makes the latest name deterministic across evaluations.
    sql: `WITH named AS (
  SELECT ${key}, ResourceName AS name, ResourceType AS type, min(ChargePeriodStart) AS start, max(ChargePeriodEnd) AS stop
  FROM facts WHERE ResourceId IS NOT NULL GROUP BY ALL
)
SELECT ${id}, ${key}, max_by(name, (stop, name)) FILTER (name IS NOT NULL), max_by(type, (stop, type)) FILTER (type IS NOT NULL),
  min(start)::DATE, max(stop)::DATE - 1
FROM named GROUP BY ${key}`,
  },
};

const isCounted = 'ChargePeriodStart BETWEEN $last::TIMESTAMP - INTERVAL 29 DAY AND $last::TIMESTAMP';
/** Calendar months in which 30 days can lie, counted back from that of the last day. */
const costMonths = [0, 1, 2];
const monthBack = (back: number) => `date_trunc('month', $last::TIMESTAMP) - INTERVAL ${back} MONTH`;
/** A JSON member: a month's cost in a currency as text, because DuckDB's JSON numbers are binary fractions. */
const monthPart = (back: number) => `CASE WHEN sum(cost_${back}) <> 0 THEN
    concat('"', BillingCurrency, ' ', strftime(${monthBack(back)}, '%Y-%m'), '":"', sum(cost_${back})::DECIMAL(38,12), '"') END`;

/** Resources with charges since 34 days before the last complete day: last day of use, cost and main location over the last
 *  30 complete days, the cost by currency and month too, and latest tags. For those without recent use also how many days after the last use
 *  they still count as present, and on how many of the 34 days they were used. A bill may have millions of resources: ids take less
 *  memory than names, and the least of a few values (nulls are the greatest) less than `DISTINCT ON`, which keeps and sorts all of
 *  them. */
const latelySql = `WITH parts AS MATERIALIZED (
  SELECT ${id} AS id, BillingCurrency, ServiceName, RegionId, SubAccountId, Tags,
    sum(EffectiveCost) FILTER (${isCounted}) AS cost,
    ${costMonths.map((back) => `sum(EffectiveCost) FILTER (${isCounted} AND date_trunc('month', ChargePeriodStart) = ${monthBack(back)}) AS cost_${back}`).join(', ')},
    max(ChargePeriodStart) FILTER (${isUse}) AS used_on
  FROM facts WHERE ResourceId IS NOT NULL AND ChargePeriodStart >= $lately::TIMESTAMP GROUP BY ALL
), used AS (
  SELECT id, max(used_on) AS used_on, min({ 'used': -epoch_us(least(used_on, $last::TIMESTAMP)), 'cost': -abs(cost), 'Tags': Tags }) AS latest
  FROM parts GROUP BY id
), costs AS (
  SELECT id, min({ 'cost': -abs(cost), 'BillingCurrency': BillingCurrency, 'signed': cost }) AS main, string_agg(nullif(months, ''), ',') AS months
  FROM (SELECT id, BillingCurrency, sum(cost) AS cost, concat_ws(',', ${costMonths.map(monthPart).join(', ')}) AS months FROM parts GROUP BY id, BillingCurrency) GROUP BY id
), places AS (
  SELECT id, min({ 'cost': -cost, 'ServiceName': ServiceName, 'RegionId': RegionId, 'SubAccountId': SubAccountId }) AS main
  FROM (SELECT id, ServiceName, RegionId, SubAccountId, sum(abs(cost)) AS cost FROM parts GROUP BY ALL) GROUP BY id
), resting AS (
  SELECT id FROM used WHERE used_on < $last::TIMESTAMP - INTERVAL ${billedDaily} DAY
), use_days AS (
  SELECT id, ChargePeriodStart AS day, bool_or(ChargeCategory = 'Purchase') AS is_purchase,
    date_diff('day', lag(day) OVER (PARTITION BY id ORDER BY day), day) AS gap
  FROM (SELECT ${id} AS id, * FROM facts WHERE ${isUse} AND ResourceId IS NOT NULL) SEMI JOIN resting USING (id)
  GROUP BY id, ChargePeriodStart
), rhythms AS (
  SELECT id, count(*) FILTER (day >= $lately::TIMESTAMP) AS used_days, CASE
    WHEN count(*) = 1 AND (bool_or(is_purchase) OR extract(day FROM min(day)) = 1) THEN ${billedMonthly}
    ELSE greatest(${billedDaily}, 2 + least(coalesce(max(gap), 1), ${longestRhythm})) END AS days
  FROM use_days GROUP BY ALL
)
SELECT id, used_on::DATE, costs.main.BillingCurrency, costs.main.signed::DECIMAL(38,12),
  concat('{', costs.months, '}'), places.main.ServiceName, places.main.RegionId,
  places.main.SubAccountId, coalesce(latest.Tags, '{}'), days, used_days
FROM used JOIN costs USING (id) JOIN places USING (id) LEFT JOIN rhythms USING (id)`;

/** Returns the billing data of an account's resources, as tables for the merge.
 *  @param last the last complete day */
export function billedTables(last: Day): FactTable[] {
  const lately: FactTable = {
    name: 'billed_lately',
    columns: `resource_id bigint, used_on date, currency text, cost numeric, month_costs jsonb, service text, region text, sub_account text,
      tags jsonb, days int, used_days int`,
    range: { start: addDays(last, 1 - rhythmDays), end: null, grain: 'day' },
    query: { name: 'latelyBilled', sql: latelySql, parameters: { last, lately: addDays(last, -billedMonthly) } },
  };
  return [everBilled, lately];
}

/** All ids in the account's bills, as a resource or as a commitment. */
export const billedNames: FactTable = {
  name: 'billed_names',
  columns: 'id bigint',
  range: { start: null, end: null, grain: 'month' },
  query: {
    name: 'billedNames',
    sql: `WITH names AS (
  SELECT x_Provider, ResourceId AS name FROM facts WHERE ResourceId IS NOT NULL
  UNION SELECT x_Provider, CommitmentDiscountId FROM facts WHERE CommitmentDiscountId IS NOT NULL
)
SELECT ${idSql('x_Provider', 'name')} FROM names`,
  },
};
