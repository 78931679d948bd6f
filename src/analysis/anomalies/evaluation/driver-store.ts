import type { FactSet } from '../../../engine/fact-set.ts';
import type { Deps } from '../../../kit/deps.ts';
import type { Finding } from './finding.ts';

/** Dimension of a cost breakdown. `usage_type`: the meter (FOCUS SkuMeter); `pricing`: the pricing kind. */
export type DriverDimension = 'region' | 'sub_account' | 'virtual_tag' | 'resource' | 'usage_type' | 'pricing';

/** Cost of one value of a dimension on the days of an anomaly, and on the usual days before. */
export interface DriverSums {
  readonly dimension: DriverDimension;
  /** Key of the virtual tag; absent for other dimensions. */
  readonly key?: string;
  /** Region id, sub-account id, native id of the resource, meter, pricing kind, or value of the virtual tag; empty: charges without one. */
  readonly value: string;
  /** Display name; empty without one. */
  readonly name: string;
  /** Exact decimals. */
  readonly cost: string;
  readonly usualCost: string;
  /** Priced quantity of a usage type; null for several units. */
  readonly quantity: string | null;
  readonly usualQuantity: string | null;
  /** FOCUS PricingUnit of a usage type. */
  readonly unit: string;
}

/** Breakdown of an anomaly. */
export interface DriverReading {
  readonly sums: readonly DriverSums[];
  /** Resources without cost on the usual days; `cost` is an exact decimal. */
  readonly newResources: { readonly count: number; readonly cost: string };
}

/** Values read per dimension: those that grew most, and half as many of those that shrank most. */
export const mostPerDimension = 8;

/** Breaks an anomaly down by the excess of its days over the usual days, whose costs are scaled to the expectation.
 *  @param facts the account's daily facts */
export async function readDrivers(
  { engine }: Pick<Deps, 'engine'>,
  facts: FactSet,
  finding: Finding,
): Promise<DriverReading> {
  const parameters = findingParameters(finding);
  const rows = await engine.rows<Row>(facts, { name: 'readDrivers', sql: query, parameters, lane: 'job' });
  const resource = rows.find(({ dimension }) => dimension === 'resource');
  return {
    sums: rows.map(({ newCount: _count, newCost: _cost, ...sums }) => sums),
    newResources: { count: resource?.newCount ?? 0, cost: resource?.newCost ?? '0' },
  };
}

/** Parameters of queries about a finding. */
export function findingParameters({ provider, service, currency, days, usualDays, expected }: Finding) {
  const all = [...days, ...usualDays].toSorted();
  const range = { all, first: all[0] ?? null, last: all.at(-1) ?? null };
  return { provider, service, currency, days, expected: Number(expected) / 1_000_000, ...range };
}

/** DuckDB condition of the charges of a finding, on its days and the usual days before. */
export const inFinding = `x_Provider = $provider AND ServiceName = $service AND BillingCurrency = $currency
      AND ChargePeriodStart >= $first::TIMESTAMP AND ChargePeriodStart <= $last::TIMESTAMP
      AND list_contains($all::TIMESTAMP[], ChargePeriodStart) AND ChargeCategory = 'Usage' AND ChargeClass IS NULL`;

interface Row extends DriverSums {
  /** Number of values of the dimension without cost on the usual days. */
  readonly newCount: number;
  readonly newCost: string | null;
}

const sku = 'SkuId, SkuPriceId, SkuMeter, PricingUnit, ConsumedUnit';

/** Ranks the values of each dimension by change. `charges` sums the days first, so that the grouping sets process few rows.
 *  Changes are compared as doubles, for ranking only; ties are ordered by value, then by SKU. */
const query = `WITH charges AS MATERIALIZED (
    SELECT list_contains($days::TIMESTAMP[], ChargePeriodStart) AS isNow, RegionId, SubAccountId, ResourceId, ${sku}, x_PricingKind,
      arg_max(RegionName, ChargePeriodStart) AS regionName, arg_max(SubAccountName, ChargePeriodStart) AS subAccountName,
      arg_max(ResourceName, ChargePeriodStart) AS resourceName, min(ChargeDescription) AS description,
      max(ChargePeriodStart) AS lastDay, sum(EffectiveCost) AS cost, sum(coalesce(PricingQuantity, ConsumedQuantity)) AS quantity
    FROM facts
    WHERE ${inFinding}
    GROUP BY isNow, RegionId, SubAccountId, ResourceId, ${sku}, x_PricingKind
  ), scale AS (
    SELECT coalesce($expected / nullif(sum(cost) FILTER (WHERE NOT isNow), 0), 0) AS factor FROM charges
  ), sets AS (
    SELECT CASE GROUPING(RegionId, SubAccountId, ResourceId, SkuMeter, x_PricingKind)
        WHEN 15 THEN 'region' WHEN 23 THEN 'sub_account' WHEN 27 THEN 'resource' WHEN 29 THEN 'usage_type' ELSE 'pricing' END AS dimension,
      RegionId, SubAccountId, ResourceId, ${sku}, x_PricingKind, arg_max(regionName, lastDay) AS regionName,
      arg_max(subAccountName, lastDay) AS subAccountName, arg_max(resourceName, lastDay) AS resourceName,
      min(description) AS description, coalesce(sum(cost) FILTER (WHERE isNow), 0) AS cost,
      coalesce(sum(cost) FILTER (WHERE NOT isNow), 0) AS usual, coalesce(sum(quantity) FILTER (WHERE isNow), 0) AS quantity,
      coalesce(sum(quantity) FILTER (WHERE NOT isNow), 0) AS usualQuantity
    FROM charges GROUP BY GROUPING SETS ((RegionId), (SubAccountId), (ResourceId), (${sku}), (x_PricingKind))
  ), named AS (
    SELECT *, coalesce(CASE dimension WHEN 'region' THEN RegionId WHEN 'sub_account' THEN SubAccountId WHEN 'resource' THEN ResourceId
        WHEN 'usage_type' THEN coalesce(SkuMeter, description) ELSE x_PricingKind END, '') AS value,
      coalesce(CASE dimension WHEN 'region' THEN regionName WHEN 'sub_account' THEN subAccountName WHEN 'resource' THEN resourceName
        WHEN 'usage_type' THEN description END, '') AS name
    FROM sets
  ), ranked AS (
    SELECT named.*, row_number() OVER (PARTITION BY dimension ORDER BY cost - usual * factor DESC, value, ${sku}) AS place,
      row_number() OVER (PARTITION BY dimension ORDER BY cost - usual * factor, value, ${sku}) AS fromEnd,
      (count(*) FILTER (WHERE usual = 0 AND cost > 0 AND value <> '') OVER (PARTITION BY dimension))::INTEGER AS newCount,
      sum(cost) FILTER (WHERE usual = 0 AND cost > 0 AND value <> '') OVER (PARTITION BY dimension) AS newCost
    FROM named, scale
  )
  SELECT dimension, value, name, cost, usual AS usualCost, quantity, usualQuantity, coalesce(PricingUnit, '') AS unit, newCount, newCost
  FROM ranked WHERE place <= ${mostPerDimension} OR fromEnd <= ${mostPerDimension} / 2 ORDER BY dimension, place`;
