import { ident } from './duck.ts';
import type { Columns } from './headers.ts';

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

const money = 'DECIMAL(38,12)';

/** The months that bills can be of; anything else is a typing error or a placeholder. */
export const firstMonth = '1990-01-01';
export const lastMonth = '2200-01-01';

/** Text that charges are grouped by, and the FOCUS columns that hold it, the preferred one first. */
const groupedTexts = {
  provider_name: ['ProviderName', 'ServiceProviderName', 'HostProviderName', 'InvoiceIssuerName'],
  currency: ['BillingCurrency'],
  charge_category: ['ChargeCategory'],
  charge_class: ['ChargeClass'],
  pricing_category: ['PricingCategory'],
  service_name: ['ServiceName', 'x_ServiceCode', 'x_SkuMeterSubcategory', 'PublisherName'],
  service_category: ['ServiceCategory'],
  region_code: ['RegionId', 'Region', 'x_Location'],
  billing_account: ['BillingAccountId'],
  sub_account: ['SubAccountId', 'BillingAccountId'],
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
const namingTexts = {
  region_name: ['RegionName'],
  sub_account_name: ['SubAccountName', 'BillingAccountName'],
  resource_name: ['ResourceName'],
  resource_type: ['ResourceType', 'x_ResourceType'],
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

/** Absent text is null, as SQL that replaces the texts of a group. */
export const withoutEmptyTexts = [...Object.keys(groupedTexts), ...Object.keys(namingTexts)]
  .map((name) => `nullif(${name}, '') AS ${name}`)
  .join(', ');

const isSpend = `(lower(commitment_category) = 'spend' OR lower(commitment_type) LIKE '%savings%plan%')`;

/** What each group's columns become, as SQL over the keys above; a column that is not named here stays as it is. The codes
 *  are those of `cost_facts`: charge category 1 usage, 2 purchase, 3 tax, 4 credit, 5 adjustment; pricing kind 1 on demand,
 *  2 spot, 3 reserved, 4 savings plan, 5 other, 6 unused reservation, 7 unused savings plan. */
export const derived: Readonly<Record<string, string>> = {
  provider_name: `coalesce(provider_name, 'unknown')`,
  currency: 'upper(currency)',
  charge_category: `(CASE lower(charge_category) WHEN 'usage' THEN 1 WHEN 'purchase' THEN 2 WHEN 'tax' THEN 3 WHEN 'credit' THEN 4
    WHEN 'adjustment' THEN 5 ELSE error('unreadable')::INT END)::SMALLINT`,
  charge_class: `(CASE WHEN lower(charge_class) = 'correction' THEN 1 ELSE 0 END)::SMALLINT`,
  service_name: `coalesce(service_name, 'Unknown')`,
  service_category: `coalesce(service_category, 'Other')`,
  region_code: `coalesce(region_code, 'global')`,
  billing_account: `coalesce(billing_account, '')`,
  sub_account: `coalesce(sub_account, 'unassigned')`,
  sku: `coalesce(sku, '')`,
  sku_price: `coalesce(sku_price, '')`,
  meter: `coalesce(meter, '')`,
  pricing_unit: `coalesce(pricing_unit, '')`,
  consumed_unit: `coalesce(consumed_unit, '')`,
  commitment_category: `coalesce(commitment_category, '')`,
  commitment_type: `coalesce(commitment_type, '')`,
};

/** The pricing kind of a group, over the keys as the files have them. */
export const pricingKind = `(CASE
  WHEN lower(charge_category) <> 'usage' THEN 5
  WHEN lower(commitment_status) = 'unused' THEN CASE WHEN ${isSpend} THEN 7 ELSE 6 END
  WHEN commitment IS NOT NULL OR lower(pricing_category) = 'committed' THEN CASE WHEN ${isSpend} THEN 4 ELSE 3 END
  WHEN lower(pricing_category) = 'dynamic' THEN 2
  WHEN lower(pricing_category) = 'other' THEN 5
  ELSE 1 END)::SMALLINT`;

/** One check that a row can fail: the FOCUS column, the condition that is true of a bad value, and what is expected. */
export interface RowCheck {
  column: string;
  bad: string;
  value: string;
  expected: string;
}

/** The checks behind `mapColumns`, in the order in which a row's first fault is named. */
export function rowChecks(columns: Columns): RowCheck[] {
  const check = (column: string, bad: (text: string) => string, expected: string): RowCheck[] => {
    if (!columns.has(column.toLowerCase())) return [];
    const value = `${textOf(columns, [column])}`;
    return [{ column, bad: bad(value), value, expected }];
  };
  const number = (column: string, nullable: boolean) =>
    check(
      column,
      (t) => `${nullable ? `${t} IS NOT NULL AND ` : ''}${readable(amountText(t))} IS NULL`,
      `a decimal number${nullable ? '' : ', not empty'}`,
    );
  const date = (column: string) =>
    check(
      column,
      (t) => `coalesce(${instantText(t)} NOT BETWEEN '${firstMonth}' AND '${lastMonth}', true)`,
      'a date and time in ISO 8601, such as 2026-05-01T00:00:00Z',
    );
  return [
    ...number('BilledCost', false),
    ...number('EffectiveCost', false),
    ...number('ListCost', true),
    ...number('ContractedCost', true),
    ...number('PricingQuantity', true),
    ...number('ConsumedQuantity', true),
    ...date('BillingPeriodStart'),
    ...date('ChargePeriodStart'),
    ...check(
      'BillingCurrency',
      (t) => `coalesce(NOT regexp_matches(${t}, '^[A-Za-z]{3}$'), true)`,
      'an ISO 4217 currency code of three letters',
    ),
    ...check(
      'ChargeCategory',
      (t) => `coalesce(lower(${t}) NOT IN ('usage','purchase','tax','credit','adjustment'), true)`,
      'Usage, Purchase, Tax, Credit or Adjustment',
    ),
    ...Object.values({ ...groupedTexts, ...namingTexts })
      .flat()
      .flatMap((column) =>
        check(column, (t) => `coalesce(contains(${t}, ${nul}), false)`, 'text: it holds a NUL character'),
      ),
  ];
}

function textOf(columns: Columns, names: readonly string[]): string {
  const found = names.flatMap((name) => {
    const column = columns.get(name.toLowerCase());
    if (!column) return [];
    return [
      column.type === 'VARCHAR' ? `nullif(${ident(column.name)}, '')` : `nullif(${ident(column.name)}::VARCHAR, '')`,
    ];
  });
  if (found.length === 0) return 'NULL::VARCHAR';
  return found.length === 1 ? (found[0] ?? 'NULL') : `coalesce(${found.join(', ')})`;
}

/** Text as it stands in the file, empty or not, where it comes from one column. Looking at each line item's text costs a tenth of the
 *  reading; `withoutEmptyTexts` looks at each group's. */
function rawText(columns: Columns, names: readonly string[]): string {
  const found = names.flatMap((name) => columns.get(name.toLowerCase()) ?? []);
  const [only] = found;
  return only && found.length === 1 && only.type === 'VARCHAR' ? ident(only.name) : textOf(columns, names);
}

/** Text with a digit separator is not a number here, though DuckDB would read `1_000`. */
function amountText(text: string): string {
  return `replace(${text}, '_', '?')`;
}

function readable(value: string): string {
  return `try_cast(${value} AS ${money})`;
}

function amount(columns: Columns, name: string): string {
  const column = columns.get(name.toLowerCase());
  if (!column) return `NULL::${money}`;
  const value = ident(column.name);
  // A plain cast: a value that is not a number stops the query.
  if (column.type === 'VARCHAR') return `${amountText(value)}::${money}`;
  // DuckDB scales a FLOAT in single precision, which loses its seventh digit; its shortest text does not.
  return column.type === 'FLOAT' ? `${value}::VARCHAR::${money}` : `${value}::${money}`;
}

function instant(columns: Columns, name: string): string {
  const column = columns.get(name.toLowerCase());
  const value = ident(column?.name ?? name);
  if (column?.type.startsWith('TIMESTAMP WITH')) return `(${value} AT TIME ZONE 'UTC')`;
  if (column?.type.startsWith('TIMESTAMP') || column?.type === 'DATE')
    return `coalesce(${value}::TIMESTAMP, error('unreadable'))`;
  return `coalesce(${instantText(`${value}::VARCHAR`)}, error('unreadable'))`;
}

/** ISO 8601 with or without seconds, with `Z`, an offset or none (UTC). A cast to TIMESTAMP would drop an offset. */
function instantText(text: string): string {
  const full = `regexp_replace(${text}, '^(\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d)(Z|[+-]\\d\\d:?\\d\\d)$', '\\1:00\\2')`;
  return `CASE WHEN regexp_matches(${text}, '\\d[+-]\\d\\d:?\\d\\d$') AND ${text} LIKE '%:%' THEN (try_cast(${full} AS TIMESTAMPTZ) AT TIME ZONE 'UTC')
    ELSE coalesce(try_cast(${text} AS TIMESTAMP), try_cast(${full} AS TIMESTAMP)) END`;
}

/** Tags as JSON text; maps and structs of Parquet become JSON after grouping (`tagsText`). */
function tagsOf(columns: Columns): string {
  const column = columns.get('tags');
  return column ? ident(column.name) : 'NULL::VARCHAR';
}

/** Whether a file's tags are a map or struct rather than text. */
export function hasNestedTags(columns: Columns): boolean {
  const type = columns.get('tags')?.type ?? 'VARCHAR';
  return type !== 'VARCHAR' && type !== 'JSON';
}
