import type { PricingKind } from '../../../engine/codebook.ts';
import type { FactQuery } from '../../../engine/engine.ts';
import { addDays, type Day } from '../../../kit/time/period.ts';
import type { Subject, Window } from '../detectors/subject.ts';

type About = Subject['about'];

/** A subject's usage on one SKU with one pricing and billing currency in the window. Sums are exact decimals. */
export interface UsageRow {
  readonly provider: string;
  readonly currency: string;
  readonly service: string;
  readonly category: string;
  readonly region: string;
  readonly subAccount: string;
  /** ResourceId or CommitmentDiscountId; empty for a scope. */
  readonly nativeId: string;
  /** Only for commitments; otherwise empty. */
  readonly name: string;
  readonly type: string;
  readonly meter: string;
  readonly description: string;
  readonly unit: string;
  readonly kind: PricingKind;
  readonly cost: string;
  readonly quantity: string;
  readonly weekend: string;
  readonly recent: string;
  /** One bit per day with a charge; the lowest is the window's last day. */
  readonly dayMask: number;
  /** For resources over all loaded months; otherwise in the window. */
  readonly firstSeen: Day;
}

/** The columns that identify the subject of a usage row. */
export const subjectKeys: Readonly<Record<About, readonly (keyof UsageRow)[]>> = {
  resource: ['nativeId', 'provider'],
  commitment: ['nativeId', 'provider'],
  scope: ['subAccount', 'service', 'category', 'region', 'provider'],
};

const unused = `x_PricingKind IN ('unused_reservation', 'unused_savings_plan')`;
/** Usage in the window, without corrections of earlier months. */
const inWindow = `ChargeCategory = 'Usage' AND ChargeClass IS NULL
  AND ChargePeriodStart >= $start::TIMESTAMP AND ChargePeriodStart < $end::TIMESTAMP`;
const quantity = 'coalesce(PricingQuantity, ConsumedQuantity, 0)';
const sku = 'SkuId, SkuPriceId, SkuMeter, PricingUnit, ConsumedUnit';

interface Part {
  readonly id: string;
  readonly where: string;
  readonly name: string;
  readonly type: string;
}

const parts: Readonly<Record<About, Part>> = {
  resource: { id: 'ResourceId', where: `ResourceId IS NOT NULL AND NOT ${unused}`, name: `''`, type: `''` },
  commitment: {
    id: 'CommitmentDiscountId',
    where: `CommitmentDiscountId IS NOT NULL AND ${unused}`,
    name: `coalesce(arg_max(CommitmentDiscountName, ChargePeriodStart), '')`,
    type: `coalesce(arg_max(CommitmentDiscountType, ChargePeriodStart), '')`,
  },
  scope: { id: `''`, where: `ResourceId IS NULL AND NOT ${unused}`, name: `''`, type: `''` },
};

const usage = ({ id, where, name, type }: Part) => `
  SELECT x_Provider AS provider, BillingCurrency AS currency, ServiceName AS service, ServiceCategory AS category,
    RegionId AS region, SubAccountId AS subAccount, ${id} AS nativeId, ${name} AS name, ${type} AS type,
    coalesce(SkuMeter, '') AS meter, coalesce(min(ChargeDescription), '') AS description, coalesce(PricingUnit, '') AS unit,
    x_PricingKind AS kind, sum(EffectiveCost) AS cost, sum(${quantity}) AS quantity,
    coalesce(sum(${quantity}) FILTER (WHERE isodow(ChargePeriodStart) >= 6), 0) AS weekend,
    coalesce(sum(${quantity}) FILTER (WHERE ChargePeriodStart >= $recent::TIMESTAMP), 0) AS recent,
    bit_or((1 << (date_diff('day', ChargePeriodStart, $end::TIMESTAMP) - 1))::INTEGER) AS dayMask,
    min(ChargePeriodStart) AS firstDay
  FROM facts WHERE ${inWindow} AND ${where}
  GROUP BY x_Provider, BillingCurrency, ServiceName, ServiceCategory, RegionId, SubAccountId, ${id === `''` ? '' : `${id},`}
    ${sku}, x_PricingKind`;

/** Returns the query for the usage of all subjects of a kind, ordered by subject and descending cost. */
export function usageQuery(about: About, window: Window): FactQuery {
  const order = [
    ...subjectKeys[about].map((key) => `u.${key}`),
    'u.cost DESC',
    'u.meter',
    'u.unit',
    'u.kind',
    'u.currency',
  ].join(', ');
  const seen = `(SELECT x_Provider, ResourceId, min(ChargePeriodStart) AS firstDay FROM facts
    WHERE ResourceId IS NOT NULL GROUP BY x_Provider, ResourceId)`;
  const sql =
    about === 'resource'
      ? `SELECT u.* EXCLUDE (firstDay), s.firstDay::DATE AS firstSeen FROM (${usage(parts.resource)}) u
         JOIN ${seen} s ON s.x_Provider = u.provider AND s.ResourceId = u.nativeId ORDER BY ${order}`
      : `SELECT u.* EXCLUDE (firstDay), u.firstDay::DATE AS firstSeen FROM (${usage(parts[about])}) u ORDER BY ${order}`;
  const parameters = { ...rangeOf(window), recent: addDays(window.end, -14) };
  return { name: 'readSubjects', sql, parameters, lane: 'job' };
}

/** Returns the query for on-demand cost and quantity of each SKU in each region. */
export function priceQuery(window: Window): FactQuery {
  const sql = `SELECT x_Provider AS provider, RegionId AS region, BillingCurrency AS currency, ServiceName AS service,
      coalesce(SkuMeter, '') AS meter, coalesce(min(ChargeDescription), '') AS description, coalesce(PricingUnit, '') AS unit,
      sum(${quantity}) AS quantity, sum(EffectiveCost) AS cost
    FROM facts WHERE ${inWindow} AND x_PricingKind = 'on_demand'
    GROUP BY x_Provider, RegionId, BillingCurrency, ServiceName, ServiceCategory, ${sku}`;
  return { name: 'readPrices', sql, parameters: rangeOf(window), lane: 'job' };
}

function rangeOf({ start, end }: Window): { start: Day; end: Day } {
  return { start, end };
}
