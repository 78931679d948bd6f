import type { Pool } from 'pg';
import { pricingKindOf } from '../../facts/costs/pricing-kind.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import type { Finding } from './finding.ts';

/** What the cost of a service is taken apart by. `usage_type`: what is metered (FOCUS SkuMeter); `pricing`: how it is priced. */
export type DriverDimension = 'region' | 'sub_account' | 'resource' | 'usage_type' | 'pricing';

/** One value of a dimension: what it cost on the days of an anomaly, and on the usual days before. */
export interface DriverSums {
  readonly dimension: DriverDimension;
  /** Region id, sub-account id, native id of the resource, meter, or pricing kind; empty: charges that have none. */
  readonly value: string;
  /** Its display name; empty where it has none. */
  readonly name: string;
  /** Exact decimals. */
  readonly cost: string;
  readonly usualCost: string;
  /** Quantity priced, of one usage type; null where it is not known of every charge. */
  readonly quantity: string | null;
  readonly usualQuantity: string | null;
  /** FOCUS PricingUnit, of a usage type. */
  readonly unit: string;
}

/** Values of a dimension that cost nothing on the usual days. */
export interface Newcomers {
  readonly dimension: DriverDimension;
  readonly count: number;
  /** Exact decimal. */
  readonly cost: string;
}

/** What an anomaly is taken apart into. */
export interface DriverReading {
  readonly sums: readonly DriverSums[];
  readonly newcomers: readonly Newcomers[];
}

/** Values read of a dimension: those that grew most, and those that shrank most. */
const each = 8;

/** Takes an anomaly apart by what its days cost beyond the usual days, whose costs are scaled to what was expected.
 *  Reads the facts of some thirty days of one service. */
export async function readDrivers(
  pool: Pool,
  scope: OrgScope,
  accountId: string,
  finding: Finding,
): Promise<DriverReading> {
  const { rows } = await pool.query<Row>(query, [
    scope.organizationId,
    accountId,
    finding.provider,
    finding.service,
    finding.currency,
    finding.days,
    finding.usualDays,
    (Number(finding.expected) / 1_000_000).toFixed(6),
  ]);
  const sums = rows.filter(({ place }) => place !== null);
  return {
    sums: sums.map(({ place: _place, newcomers: _newcomers, ...row }) => ({
      ...row,
      value: row.dimension === 'pricing' ? pricingKindOf(Number(row.value)) : row.value,
    })),
    newcomers: rows
      .filter(({ place }) => place === null)
      .map(({ dimension, newcomers, cost }) => ({ dimension, count: newcomers, cost })),
  };
}

interface Row extends DriverSums {
  /** Null: the row counts the newcomers of its dimension. */
  readonly place: number | null;
  readonly newcomers: number;
}

const query = `/* readDrivers */ WITH own AS (
    SELECT id FROM services WHERE organization_id = $1 AND account_id = $2 AND provider = $3 AND name = $4
  ), f AS MATERIALIZED (
    SELECT charge_date = ANY($6::date[]) AS is_now, region_id, sub_account_id, resource_id, sku_id, pricing_kind::bigint AS pricing_kind,
      effective, coalesce(pricing_quantity, consumed_quantity) AS quantity
    FROM cost_facts WHERE organization_id = $1 AND account_id = $2 AND charge_date = ANY($6::date[] || $7::date[])
      AND provider = $3 AND currency = $5 AND service_id IN (SELECT id FROM own) AND charge_category = 1 AND charge_class = 0
  ), scale AS (
    SELECT coalesce($8::numeric / nullif(sum(effective) FILTER (WHERE NOT is_now), 0), 0) AS factor FROM f
  ), sums AS (
    SELECT CASE GROUPING(region_id, sub_account_id, resource_id, sku_id, pricing_kind)
        WHEN 15 THEN 'region' WHEN 23 THEN 'sub_account' WHEN 27 THEN 'resource' WHEN 29 THEN 'usage_type' ELSE 'pricing' END AS dimension,
      coalesce(region_id, sub_account_id, resource_id, sku_id, pricing_kind) AS id,
      coalesce(sum(effective) FILTER (WHERE is_now), 0) AS cost,
      coalesce(sum(effective) FILTER (WHERE NOT is_now), 0) AS usual,
      CASE WHEN count(*) = count(quantity) THEN coalesce(sum(quantity) FILTER (WHERE is_now), 0) END AS quantity,
      CASE WHEN count(*) = count(quantity) THEN coalesce(sum(quantity) FILTER (WHERE NOT is_now), 0) END AS usual_quantity
    FROM f GROUP BY GROUPING SETS ((region_id), (sub_account_id), (resource_id), (sku_id), (pricing_kind))
  ), ranked AS (
    SELECT s.*, row_number() OVER (PARTITION BY dimension ORDER BY cost - usual * factor DESC, id)::int AS place,
      row_number() OVER (PARTITION BY dimension ORDER BY cost - usual * factor, id)::int AS from_end
    FROM sums s, scale
  )
  SELECT dimension, place, 0 AS newcomers,
    coalesce(CASE dimension WHEN 'region' THEN r.code WHEN 'sub_account' THEN a.code WHEN 'resource' THEN x.native_id
      WHEN 'usage_type' THEN coalesce(nullif(k.meter, ''), k.description) ELSE k0.id::text END, '') AS value,
    coalesce(CASE dimension WHEN 'region' THEN r.name WHEN 'sub_account' THEN a.name WHEN 'resource' THEN x.name
      WHEN 'usage_type' THEN k.description END, '') AS name,
    k0.cost::text AS cost, k0.usual::text AS "usualCost", k0.quantity::text AS quantity, k0.usual_quantity::text AS "usualQuantity",
    coalesce(k.pricing_unit, '') AS unit
  FROM ranked k0
  LEFT JOIN regions r ON dimension = 'region' AND r.organization_id = $1 AND r.account_id = $2 AND r.id = k0.id
  LEFT JOIN sub_accounts a ON dimension = 'sub_account' AND a.organization_id = $1 AND a.account_id = $2 AND a.id = k0.id
  LEFT JOIN resources x ON dimension = 'resource' AND x.organization_id = $1 AND x.account_id = $2 AND x.id = k0.id
  LEFT JOIN skus k ON dimension = 'usage_type' AND k.organization_id = $1 AND k.account_id = $2 AND k.id = k0.id
  WHERE place <= ${each} OR from_end <= ${each} / 2
  UNION ALL
  SELECT dimension, null, count(*)::int, '', '', sum(cost)::text, '0', null, null, '' FROM sums
  WHERE usual = 0 AND cost > 0 AND NOT (dimension = 'resource' AND id = 0) GROUP BY dimension
  ORDER BY 1, 2 NULLS LAST`;
