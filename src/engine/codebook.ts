import { createHash } from 'node:crypto';

// Codes, columns and rollups that the loader writes and the facts read. It imports nothing of ours, so that the loading
// process, the engine and the server share it.

/** The type of a column of a fact file, as DuckDB and Parquet have it. A file may hold a decimal with fewer digits, in which all
 *  its values are exact. */
export type FactType = 'VARCHAR' | 'TIMESTAMP' | 'DECIMAL(38,12)' | 'BIGINT' | 'INTEGER';

/** What a column of a fact file is: the owner (one value per file), the time, a key that charges are grouped by, a name that
 *  goes with a key, or a measure that adds up. */
export type FactRole = 'owner' | 'time' | 'key' | 'name' | 'measure';

/** A column of a fact file. */
export interface FactColumn {
  readonly name: string;
  readonly type: FactType;
  readonly role: FactRole;
}

const columns = (role: FactRole, type: FactType, ...names: readonly string[]): FactColumn[] =>
  names.map((name) => ({ name, type, role }));

/** The columns of a fact file, in its order: FOCUS 1.2 names, those of 1.3 where 1.2 has none, and `x_` for ours.
 *  A row is one distinct charge of one UTC day, or in a month file of one UTC calendar month: `ChargePeriodStart` is then the
 *  first day with a charge and `ChargePeriodEnd` the day after the last. Absent text is null, except `ServiceName` (`Unknown`),
 *  `ServiceCategory` (`Other`), `RegionId` (`global`) and `SubAccountId` (`unassigned`). */
export const factColumns: readonly FactColumn[] = [
  ...columns('owner', 'VARCHAR', 'x_OrganizationId', 'x_AccountId'),
  ...columns('owner', 'TIMESTAMP', 'BillingPeriodStart', 'BillingPeriodEnd'),
  ...columns('time', 'TIMESTAMP', 'ChargePeriodStart', 'ChargePeriodEnd'),
  // Provider slug: `aws`, `azure`, `gcp`, else the name in lower case.
  ...columns('key', 'VARCHAR', 'x_Provider', 'ProviderName', 'PublisherName', 'InvoiceIssuerName', 'InvoiceId'),
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
  ...columns('key', 'VARCHAR', 'PricingUnit', 'ConsumedUnit', 'CommitmentDiscountId'),
  ...columns('name', 'VARCHAR', 'CommitmentDiscountName'),
  ...columns('key', 'VARCHAR', 'CommitmentDiscountCategory', 'CommitmentDiscountType', 'CommitmentDiscountStatus'),
  ...columns('key', 'VARCHAR', 'CommitmentDiscountUnit', 'CapacityReservationId', 'CapacityReservationStatus'),
  ...columns('key', 'VARCHAR', 'AllocatedMethodId', 'AllocatedMethodDetails', 'AllocatedResourceId'),
  ...columns('name', 'VARCHAR', 'AllocatedResourceName'),
  ...columns('key', 'VARCHAR', 'AllocatedTags'),
  // JSON object of texts, keys sorted; null without any.
  ...columns('key', 'VARCHAR', 'Tags'),
  ...columns('measure', 'DECIMAL(38,12)', 'BilledCost', 'EffectiveCost', 'ListCost', 'ContractedCost'),
  ...columns('measure', 'DECIMAL(38,12)', 'PricingQuantity', 'ConsumedQuantity', 'CommitmentDiscountQuantity'),
  // How many line items of the bill the row stands for.
  ...columns('measure', 'BIGINT', 'x_LineItems'),
  // A bit for each UTC hour of the day in which its line items start, bit 0 for the first; 0: not known.
  ...columns('measure', 'INTEGER', 'x_StartHours'),
];

/** Names of the columns of a fact file that have one of these roles, in its order. */
export function factNames(...roles: readonly FactRole[]): string[] {
  return factColumns.filter(({ role }) => roles.includes(role)).map(({ name }) => name);
}

/** FOCUS ChargeCategory; the place in the list, from 1, is the code in `cost_rollups.charge_category`. */
export const chargeCategories = ['Usage', 'Purchase', 'Tax', 'Credit', 'Adjustment'] as const;

/** How a charge was priced; the place in the list, from 1, is the code in `pricing_kind` columns. */
export const pricingKinds = [
  'on_demand',
  'spot',
  'reserved',
  'savings_plan',
  'other',
  'unused_reservation',
  'unused_savings_plan',
] as const;

/** How a charge was priced. */
export type PricingKind = (typeof pricingKinds)[number];

/** Dimensions that not every rollup holds, as columns of `cost_rollups`. */
export type RollupDimension = 'service_id' | 'region_id' | 'sub_account_id' | 'tag_set_id' | 'pricing_kind';

interface Rollup {
  /** As in `cost_rollups.rollup`. */
  readonly code: number;
  readonly holds: readonly RollupDimension[];
  /** False: kept by month alone, because by day it is nearly as long as the facts. */
  readonly isDaily: boolean;
}

/** The groupings that `cost_rollups` holds. Each also holds account, billing period, provider, currency and charge category,
 *  and every charge. A tag set there is the charge's own less the keys that are not rolled up. */
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

/** The grains that `cost_rollups` holds, by their codes there. */
export const grainCodes = { day: 1, month: 2 } as const;

/** The costs of charges: the columns of rollups and totals, by the columns of facts that they add up. */
export const costColumns = {
  billed: 'BilledCost',
  effective: 'EffectiveCost',
  list: 'ListCost',
  contracted: 'ContractedCost',
} as const;

/** Which cost is added up. */
export type CostMetric = keyof typeof costColumns;

/** The costs, in the order of their columns. */
export const costMetrics = Object.keys(costColumns) as readonly CostMetric[];

/** Columns of the tables that a load fills with COPY, in the order of their CSV files. Every row begins with account and
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
export type MonthTable = Extract<LoadedTable, 'cost_rollups' | 'tag_keys'>;

/** A loaded table that all billing months of an account share. */
export type DictionaryTable = Exclude<LoadedTable, MonthTable>;

/** Exact sums over the charges of one currency; costs are decimal strings with 12 decimals. */
export interface ControlTotals extends Record<CostMetric, string> {
  currency: string;
  lineItems: number;
}

/** Reads totals from a row with the columns `currency`, `line_items` and the costs. */
export function totalsOf(row: Readonly<Record<string, string | null>>): ControlTotals {
  const costs = Object.fromEntries(costMetrics.map((name) => [name, row[name] ?? '0']));
  return {
    currency: row['currency'] ?? '',
    lineItems: Number(row['line_items']),
    ...(costs as Record<CostMetric, string>),
  };
}

/** What separates the parts of an id's text. */
const separator = '\u001f';

/** The id of a dictionary entry: the first 63 bits of the MD5 of its parts, as a decimal. */
export function idOf(...parts: readonly string[]): string {
  const digest = createHash('md5').update(parts.join(separator)).digest('hex');
  return (BigInt(`0x${digest.slice(0, 16)}`) >> 1n).toString();
}

/** `idOf` as SQL of DuckDB, a BIGINT.
 *  @param parts SQL of texts that are not null */
export function idSql(...parts: readonly string[]): string {
  const text = parts.length === 1 ? `(${parts[0]})` : `concat_ws(chr(31), ${parts.join(', ')})`;
  return `((('0x' || left(md5(${text}), 16))::UBIGINT) >> 1)::BIGINT`;
}
