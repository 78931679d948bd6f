import { checkColumn, checkCurrency, checkInstant, checkNumber, checkText } from './checks.ts';
import { ident, lit } from './duck.ts';
import type { Columns, RowCheck } from './layout.ts';
import { isProvider } from './provider.ts';
import { amount, instant, instantText, rawText, textOf } from './sql-values.ts';

/** How one file's columns become those that charges are grouped by, as SQL over the file's own columns. FOCUS columns are
 *  found by name, whatever the version: 1.3 renamed ProviderName to ServiceProviderName, and any may be absent. Only what
 *  must be done for each line item is done here; `derived` does the rest once for each group. */
export interface Mapping {
  /** Dimensions that charges are grouped by. */
  keys: Record<string, string>;
  /** Names that go with a key: any one of the group's is kept. */
  attributes: Record<string, string>;
  /** Sums. */
  measures: Record<string, string>;
  /** When the charge starts, in UTC: its day is a key too, and its hour one of the group's. */
  startsAt: string;
}

/** Text that charges are grouped by, and the FOCUS columns that hold it, the preferred one first. */
export const groupedTexts = {
  provider_name: ['ProviderName', 'ServiceProviderName', 'HostProviderName', 'InvoiceIssuerName'],
  currency: ['BillingCurrency'],
  charge_category: ['ChargeCategory'],
  charge_class: ['ChargeClass'],
  pricing_category: ['PricingCategory'],
  service_name: ['ServiceName', 'x_ServiceCode', 'x_SkuMeterSubcategory', 'PublisherName'],
  service_category: ['ServiceCategory'],
  region_code: ['RegionId', 'Region', 'x_Location'],
  billing_account: ['BillingAccountId'],
  sub_account: ['SubAccountId'],
  resource: ['ResourceId'],
  sku: ['SkuId'],
  sku_price: ['SkuPriceId'],
  meter: ['SkuMeter', 'x_UsageType', 'x_SkuMeterName'],
  pricing_unit: ['PricingUnit'],
  consumed_unit: ['ConsumedUnit'],
  commitment: ['CommitmentDiscountId'],
  commitment_category: ['CommitmentDiscountCategory'],
  commitment_type: ['CommitmentDiscountType'],
  commitment_status: ['CommitmentDiscountStatus'],
} as const;

/** Names that go with a group. */
export const namingTexts = {
  region_name: ['RegionName'],
  sub_account_name: ['SubAccountName', 'BillingAccountName'],
  resource_name: ['ResourceName'],
  // Azure's own column has the type of the inventory; FOCUS's, a name for people to read.
  resource_type: ['x_ResourceType', 'ResourceType'],
  commitment_name: ['CommitmentDiscountName'],
  description: ['ChargeDescription'],
} as const;

/** Maps a file's columns. Values that cannot be read stop the query: `locate.ts` then names the row. */
export function mapColumns(columns: Columns): Mapping {
  const texts = (names: Record<string, readonly string[]>) =>
    Object.fromEntries(Object.entries(names).map(([key, from]) => [key, rawText(columns, from)]));
  return {
    keys: {
      period: billingMonth(columns, false),
      ...texts(groupedTexts),
      sub_account: subAccountOf(columns),
      tags: tagsOf(columns),
    },
    attributes: texts(namingTexts),
    measures: {
      billed: `coalesce(${amount(columns, 'BilledCost')}, error('unreadable'))`,
      effective: `coalesce(${amount(columns, 'EffectiveCost')}, error('unreadable'))`,
      list: amount(columns, 'ListCost'),
      contracted: amount(columns, 'ContractedCost'),
      pricing_quantity: amount(columns, 'PricingQuantity'),
      consumed_quantity: amount(columns, 'ConsumedQuantity'),
    },
    startsAt: instant(columns, 'ChargePeriodStart'),
  };
}

/** The day of a line item. */
export const chargeDate = 'starts_at::DATE';

/** A bit for each hour of the day, in UTC, in which a group's line items start: bit 0 for the first. */
export const startHours = 'bit_or(1::INT << hour(starts_at)::INT)';

const nul = 'chr(0)';

/** True of a group that PostgreSQL could not hold: text with a NUL character. */
export const holdsNul = `contains(concat_ws('', ${[...Object.keys(groupedTexts), ...Object.keys(namingTexts)]
  .filter((name) => name !== 'pricing_category' && name !== 'commitment_status' && !name.startsWith('charge_'))
  .join(', ')}), ${nul})`;

/** First day of a charge's billing month.
 *  @param lenient null where it is unreadable, instead of stopping the query */
export function billingMonth(columns: Columns, lenient: boolean): string {
  const start = lenient ? instantText(textOf(columns, ['BillingPeriodStart'])) : instant(columns, 'BillingPeriodStart');
  return `date_trunc('month', ${start})::DATE`;
}

/** The checks behind `mapColumns`, in the order in which a row's first fault is named. */
export function rowChecks(columns: Columns): RowCheck[] {
  const texts = new Set(Object.values({ ...groupedTexts, ...namingTexts }).flat());
  const google = `coalesce(${isProvider('gcp', textOf(columns, groupedTexts.provider_name))}, false)`;
  return [
    ...['BilledCost', 'EffectiveCost'].flatMap((name) => checkNumber(columns, name, false)),
    ...['ListCost', 'ContractedCost', 'PricingQuantity', 'ConsumedQuantity'].flatMap((name) =>
      checkNumber(columns, name, true),
    ),
    ...['BillingPeriodStart', 'ChargePeriodStart'].flatMap((name) => checkInstant(columns, name)),
    ...checkCurrency(columns, 'BillingCurrency'),
    ...checkColumn(columns, 'ChargeCategory', {
      bad: (t) =>
        `coalesce(lower(${t}) NOT IN ('usage','purchase','tax','credit','adjustment') AND NOT (lower(${t}) = 'error' AND ${google}), true)`,
      expected: 'Usage, Purchase, Tax, Credit or Adjustment',
    }),
    ...[...texts].flatMap((name) => checkText(columns, name)),
  ];
}

/** The sub-account. Google's own view writes the billing account there, and the project beside it. */
function subAccountOf(columns: Columns): string {
  const given = rawText(columns, groupedTexts.sub_account);
  const project = projectOf(columns);
  if (!project) return given;
  return `coalesce(nullif(${textOf(columns, groupedTexts.sub_account)}, ${textOf(columns, ['BillingAccountId'])}), ${project})`;
}

function projectOf(columns: Columns): string | null {
  const column = columns.get('x_project');
  if (!column) return columns.has('x_projectid') ? textOf(columns, ['x_ProjectId']) : null;
  const id = column.type.startsWith('STRUCT')
    ? `${ident(column.name)}.Id`
    : `coalesce(try_cast(${ident(column.name)} AS JSON)->>'$.Id', try_cast(${ident(column.name)} AS JSON)->>'$.id')`;
  return `nullif(${id}, '')`;
}

/** Where Google's bills keep tags, the stronger first; FOCUS files of others have the one column `Tags`. */
const googleTags = ['x_Labels', 'x_Tags', 'x_ProjectLabels'] as const;

/** Tags as JSON text, or nested as Parquet has them: those become JSON after grouping. */
function tagsOf(columns: Columns): string {
  const column = columns.get('tags');
  if (column) return ident(column.name);
  const parts = googleTags.flatMap((name) => columns.get(name.toLowerCase()) ?? []);
  if (parts.length === 0) return 'NULL::VARCHAR';
  if (hasNestedTags(columns)) return `{${parts.map(({ name }) => `${lit(name)}: ${ident(name)}`).join(', ')}}`;
  const texts = parts.map(
    ({ name }) => `'${JSON.stringify(name)}:' || coalesce(nullif(${ident(name)}::VARCHAR, ''), 'null')`,
  );
  return `'{' || ${texts.join(` || ',' || `)} || '}'`;
}

/** Whether a file's tags are in columns that Google names. */
export function hasGoogleTags(columns: Columns): boolean {
  return !columns.has('tags') && googleTags.some((name) => columns.has(name.toLowerCase()));
}

/** Whether a file's tags are maps, structs or lists rather than text. */
export function hasNestedTags(columns: Columns): boolean {
  const held = columns.has('tags') ? ['tags'] : googleTags.map((name) => name.toLowerCase());
  const types = held.flatMap((name) => columns.get(name)?.type ?? []);
  return types.some((type) => type !== 'VARCHAR' && type !== 'JSON');
}
