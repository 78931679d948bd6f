import { createHash } from 'node:crypto';

// Codes, columns and rollups that the loader writes and the facts read. Imports none of our modules, so that the loader
// process, the engine and the server can share it.

/** Type of a fact file column, as in DuckDB and Parquet. A file may store a decimal with fewer digits if all its values stay
 *  exact. */
export type FactType = 'VARCHAR' | 'TIMESTAMP' | 'DECIMAL(38,12)' | 'BIGINT' | 'INTEGER';

/** Role of a fact file column: owner (one value per file), time, grouping key, name that belongs to a key, or additive
 *  measure. */
export type FactRole = 'owner' | 'time' | 'key' | 'name' | 'measure';

export interface FactColumn {
  readonly name: string;
  readonly type: FactType;
  readonly role: FactRole;
  /** The first version of fact files that has the column; it is null in older files. */
  readonly since: number;
}

/** Version of the fact files that are written. Increase it when you add a column, and give that column the new number as
 *  `since`: older files stay as they are, and stay readable. */
export const factVersion = 3;

/** FOCUS unit prices: decimals as text, because a price per byte or second has more digits than an amount. Charges with different
 *  prices are different charges, so that quantity times price stays the cost. */
export const unitPrices = [
  'ListUnitPrice',
  'ContractedUnitPrice',
  'PricingCurrencyListUnitPrice',
  'PricingCurrencyContractedUnitPrice',
] as const;

const columns = (role: FactRole, type: FactType, ...names: readonly string[]): FactColumn[] =>
  names.map((name) => ({ name, type, role, since: 1 }));

const newer = (since: number, added: readonly FactColumn[]): FactColumn[] => added.map((each) => ({ ...each, since }));

/** The columns of a fact file, in file order: FOCUS 1.2 names, 1.3 names where 1.2 has none, and `x_` for ours.
 *  A row is one distinct charge per UTC day, or in a month file per UTC calendar month; `ChargePeriodStart` is then the first
 *  day with a charge and `ChargePeriodEnd` the day after the last. Missing text is null, except `ServiceName` (`Unknown`),
 *  `ServiceCategory` (`Other`), `RegionId` (`global`) and `SubAccountId` (`unassigned`). */
export const factColumns: readonly FactColumn[] = [
  ...columns('owner', 'VARCHAR', 'x_OrganizationId', 'x_AccountId'),
  ...columns('owner', 'TIMESTAMP', 'BillingPeriodStart', 'BillingPeriodEnd'),
  ...columns('time', 'TIMESTAMP', 'ChargePeriodStart', 'ChargePeriodEnd'),
  // Provider slug: `aws`, `azure`, `gcp`, otherwise the name in lower case.
  ...columns('key', 'VARCHAR', 'x_Provider', 'ProviderName', 'PublisherName', 'InvoiceIssuerName', 'InvoiceId'),
  ...newer(2, columns('key', 'VARCHAR', 'ServiceProviderName', 'HostProviderName', 'PricingCurrency')),
  ...columns('key', 'VARCHAR', 'BillingAccountId'),
  ...columns('name', 'VARCHAR', 'BillingAccountName'),
  ...columns('key', 'VARCHAR', 'BillingCurrency', 'SubAccountId'),
  ...columns('name', 'VARCHAR', 'SubAccountName'),
  ...columns('key', 'VARCHAR', 'ServiceCategory', 'ServiceSubcategory', 'ServiceName', 'RegionId'),
  ...columns('name', 'VARCHAR', 'RegionName'),
  ...columns('key', 'VARCHAR', 'AvailabilityZone', 'ResourceId'),
  ...columns('name', 'VARCHAR', 'ResourceName', 'ResourceType'),
  ...columns('key', 'VARCHAR', 'SkuId', 'SkuPriceId', 'SkuMeter'),
  ...columns('name', 'VARCHAR', 'ChargeDescription'),
  // x_PricingKind: one of `pricingKinds`.
  ...columns('key', 'VARCHAR', 'ChargeCategory', 'ChargeClass', 'PricingCategory', 'x_PricingKind'),
  ...newer(3, columns('key', 'VARCHAR', ...unitPrices)),
  ...columns('key', 'VARCHAR', 'PricingUnit', 'ConsumedUnit', 'CommitmentDiscountId'),
  ...columns('name', 'VARCHAR', 'CommitmentDiscountName'),
  ...columns('key', 'VARCHAR', 'CommitmentDiscountCategory', 'CommitmentDiscountType', 'CommitmentDiscountStatus'),
  ...columns('key', 'VARCHAR', 'CommitmentDiscountUnit', 'CapacityReservationId', 'CapacityReservationStatus'),
  ...columns('key', 'VARCHAR', 'AllocatedMethodId', 'AllocatedMethodDetails', 'AllocatedResourceId'),
  ...columns('name', 'VARCHAR', 'AllocatedResourceName'),
  ...columns('key', 'VARCHAR', 'AllocatedTags'),
  // Container cluster, namespace and workload; `(unused)` is capacity that no container used, `(system)` what the cluster
  // itself needs. Null: not a container's cost, or unknown.
  ...newer(2, columns('key', 'VARCHAR', 'x_Cluster', 'x_Namespace', 'x_Workload')),
  // JSON object of strings with sorted keys; null if empty.
  ...columns('key', 'VARCHAR', 'Tags'),
  ...columns('measure', 'DECIMAL(38,12)', 'BilledCost', 'EffectiveCost', 'ListCost', 'ContractedCost'),
  ...columns('measure', 'DECIMAL(38,12)', 'PricingQuantity', 'ConsumedQuantity', 'CommitmentDiscountQuantity'),
  // In `PricingCurrency`.
  ...newer(2, columns('measure', 'DECIMAL(38,12)', 'PricingCurrencyEffectiveCost')),
  // Number of bill line items in the row.
  ...columns('measure', 'BIGINT', 'x_LineItems'),
  // Bit mask of the UTC hours in which its line items start; bit 0 is the first hour; 0: unknown.
  ...columns('measure', 'INTEGER', 'x_StartHours'),
];

/** Returns the names of the columns with these roles, in file order. */
export function factNames(...roles: readonly FactRole[]): string[] {
  return factColumns.filter(({ role }) => roles.includes(role)).map(({ name }) => name);
}

/** FOCUS ChargeCategory; the 1-based position is the code in `cost_rollups.charge_category`. */
export const chargeCategories = ['Usage', 'Purchase', 'Tax', 'Credit', 'Adjustment'] as const;

/** Pricing kinds of charges; the 1-based position is the code in `pricing_kind` columns. */
export const pricingKinds = [
  'on_demand',
  'spot',
  'reserved',
  'savings_plan',
  'other',
  'unused_reservation',
  'unused_savings_plan',
] as const;

/** Pricing kind of a charge. */
export type PricingKind = (typeof pricingKinds)[number];

/** Optional dimensions of a rollup, as columns of `cost_rollups`. */
export type RollupDimension = 'service_id' | 'region_id' | 'sub_account_id' | 'tag_set_id' | 'pricing_kind';

interface Rollup {
  /** Code in `cost_rollups.rollup`. */
  readonly code: number;
  readonly holds: readonly RollupDimension[];
  /** False: stored per month only, because daily rows would be nearly as many as the facts. */
  readonly isDaily: boolean;
}

/** The groupings in `cost_rollups`. Each covers every charge and also holds account, billing period, provider, currency and
 *  charge category. A tag set there is the charge's own without the keys that are not rolled up. */
export const rollups = {
  total: { code: 1, holds: [], isDaily: true },
  service: { code: 2, holds: ['service_id'], isDaily: true },
  subAccount: { code: 3, holds: ['sub_account_id'], isDaily: true },
  region: { code: 4, holds: ['region_id'], isDaily: true },
  serviceRegion: { code: 5, holds: ['service_id', 'region_id', 'pricing_kind'], isDaily: true },
  subAccountServiceRegion: { code: 6, holds: ['sub_account_id', 'service_id', 'region_id'], isDaily: false },
  tagSet: { code: 7, holds: ['tag_set_id'], isDaily: true },
  tagSetServiceRegion: { code: 8, holds: ['tag_set_id', 'service_id', 'region_id'], isDaily: false },
} as const satisfies Record<string, Rollup>;

/** Codes of the rollups of virtual tags: two for each of an organization's tags, so that the next revision can be evaluated
 *  while answers use the current one. They hold `virtual_value_id`. Evaluations write them; loads delete them. */
export const virtualRollups = { first: 100, last: 199 } as const;

/** Codes of the grains in `cost_rollups`. */
export const grainCodes = { day: 1, month: 2 } as const;

/** Cost metrics: column of rollups and totals → column of the facts that it sums. */
export const costColumns = {
  billed: 'BilledCost',
  effective: 'EffectiveCost',
  list: 'ListCost',
  contracted: 'ContractedCost',
} as const;

/** A cost metric. */
export type CostMetric = keyof typeof costColumns;

/** The cost metrics, in column order. */
export const costMetrics = Object.keys(costColumns) as readonly CostMetric[];

/** Columns of the tables that a load fills with COPY, in the order of their CSV files. Every row starts with account and
 *  organization. */
export const loadedColumns = {
  cost_rollups: [
    'account_id',
    'organization_id',
    'billing_period',
    'rollup',
    'grain',
    'date',
    'provider',
    'currency',
    'charge_category',
    'pricing_kind',
    'service_id',
    'region_id',
    'sub_account_id',
    'tag_set_id',
    'line_items',
    ...costMetrics,
  ],
  invoice_sums: [
    'account_id',
    'organization_id',
    'billing_period',
    'issuer',
    'invoice_id',
    'billing_account_id',
    'currency',
    'line_items',
    'billed',
  ],
  tag_keys: ['account_id', 'organization_id', 'period', 'id', 'key', 'spellings', 'value_count', 'rolled_up'],
  services: ['account_id', 'organization_id', 'id', 'provider', 'name', 'category'],
  regions: ['account_id', 'organization_id', 'id', 'provider', 'code', 'name'],
  sub_accounts: ['account_id', 'organization_id', 'id', 'provider', 'code', 'name', 'billing_account_id'],
  tag_pairs: ['account_id', 'organization_id', 'tag_set_id', 'key_id', 'value_id'],
  tag_values: ['account_id', 'organization_id', 'id', 'value'],
} as const satisfies Record<string, readonly string[]>;

/** A table that a load fills. */
export type LoadedTable = keyof typeof loadedColumns;

/** A loaded table whose rows belong to one billing month. */
export type MonthTable = Extract<LoadedTable, 'cost_rollups' | 'invoice_sums' | 'tag_keys'>;

/** A loaded table that all billing months of an account share. */
export type DictionaryTable = Exclude<LoadedTable, MonthTable>;

/** Returns DuckDB SQL for the rows of `invoice_sums`, except their owner and month.
 *  @param from SQL relation of facts
 *  @param by additional columns to group by, each followed by a comma */
export function invoiceSumsSql(from: string, by = ''): string {
  return `SELECT ${by} coalesce(InvoiceIssuerName, '') AS issuer, coalesce(InvoiceId, '') AS invoice_id,
    CASE WHEN count(DISTINCT BillingAccountId) = 1 THEN min(BillingAccountId) ELSE '' END AS billing_account_id,
    BillingCurrency AS currency, sum(x_LineItems)::BIGINT AS line_items, sum(BilledCost)::DECIMAL(38,12) AS billed
    FROM ${from} GROUP BY ALL`;
}

/** Exact sums over the charges of one currency; costs are decimal strings with 12 decimal places. */
export interface ControlTotals extends Record<CostMetric, string> {
  currency: string;
  lineItems: number;
}

/** Charges of a billing month whose costs were completed or changed when they were read, or may be restated by another file.
 *  - `effective`, `list`, `contracted`: the cost was missing; `amount` counts instead.
 *  - `raised_contracted`, `raised_list`: the price was missing or below the cost; the cost counts instead, which is `amount` more.
 *  - `purchase`: the effective cost of a commitment's purchase, `amount`, does not count.
 *  - `kept_purchase`: it counts, although FOCUS requires 0.
 *  - `lost_parts`: parts of instances that have no charge on the same day do not count.
 *  - `scaled_parts`: parts exceed the cost of their instance by `amount`, and are scaled down to it.
 *  - `restated`: two files have the same usage at other prices, and both count; the second one costs `amount`. */
export interface CostRepair {
  readonly kind:
    | 'effective'
    | 'list'
    | 'contracted'
    | 'raised_contracted'
    | 'raised_list'
    | 'purchase'
    | 'kept_purchase'
    | 'lost_parts'
    | 'scaled_parts'
    | 'restated';
  readonly currency: string;
  /** Number of charges, or of instances. */
  readonly charges: number;
  /** Exact decimal. */
  readonly amount: string;
  /** Some of the instances, or the files. */
  readonly resources?: readonly string[];
}

/** Reads totals from a row with the columns `currency`, `line_items` and the cost metrics. */
export function totalsOf(row: Readonly<Record<string, string | null>>): ControlTotals {
  const costs = Object.fromEntries(costMetrics.map((name) => [name, row[name] ?? '0']));
  return {
    currency: row['currency'] ?? '',
    lineItems: Number(row['line_items']),
    ...(costs as Record<CostMetric, string>),
  };
}

/** Separates the parts that an id is hashed from. */
const separator = '\u001f';

/** Returns the id of a dictionary entry: the first 63 bits of the MD5 of its parts, in decimal. */
export function idOf(...parts: readonly string[]): string {
  const digest = createHash('md5').update(parts.join(separator)).digest('hex');
  return (BigInt(`0x${digest.slice(0, 16)}`) >> 1n).toString();
}

/** Returns DuckDB SQL for `idOf`, a BIGINT.
 *  @param parts SQL expressions for non-null text */
export function idSql(...parts: readonly string[]): string {
  const text = parts.length === 1 ? `(${parts[0]})` : `concat_ws(chr(31), ${parts.join(', ')})`;
  return `((('0x' || left(md5(${text}), 16))::UBIGINT) >> 1)::BIGINT`;
}
