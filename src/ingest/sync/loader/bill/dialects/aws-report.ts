import { identifier, literal } from '../../../../../engine/sql.ts';
import { codeMark } from '../categories.ts';
import {
  amount,
  asItIs,
  checkColumn,
  checkCurrency,
  checkInstant,
  checkNumber,
  checkText,
  type Columns,
  columnsOf,
  type Dialect,
  type Made,
  money,
  type OwnRows,
  renamed,
  type RowCheck,
  selectList,
  textOf,
} from '../layout.ts';
import { costCategoryKey } from '../../month/tags.ts';
import { amortizedBy, awsCosts, categories, kinds, unusedCost } from './aws-line-items.ts';
import { isSplit, splitAmounts, splitParts } from './aws-splits.ts';

// AWS Cost and Usage Reports: 2.0 of Data Exports, and the legacy ones, with `lineItem/UsageStartDate` in CSV and
// `line_item_usage_start_date` in Parquet.

const required = [
  'bill_billing_period_start_date',
  'bill_payer_account_id',
  'line_item_currency_code',
  'line_item_line_item_type',
  'line_item_product_code',
  'line_item_unblended_cost',
  'line_item_usage_start_date',
] as const;

/** Text columns used in charges, and checked for invalid characters. */
const texts = `bill_payer_account_id bill_payer_account_name line_item_usage_account_id line_item_usage_account_name
  line_item_product_code line_item_resource_id line_item_usage_type line_item_line_item_description line_item_operation
  product_region_code product_region product_product_name product_sku pricing_rate_code pricing_rate_id pricing_unit
  reservation_reservation_a_r_n savings_plan_savings_plan_a_r_n bill_invoice_id bill_invoicing_entity line_item_legal_entity
  line_item_availability_zone capacity_reservation_capacity_reservation_arn`.split(/\s+/);
const amounts = `line_item_usage_amount pricing_public_on_demand_cost savings_plan_savings_plan_effective_cost
  savings_plan_total_commitment_to_date savings_plan_used_commitment reservation_effective_cost
  reservation_unused_amortized_upfront_fee_for_billing_period reservation_unused_recurring_fee`.split(/\s+/);

/** Normalizes a report's column name across versions: `savings_plan_savings_plan_a_r_n`. */
function reportKey(name: string): string {
  return name
    .replace(/([A-Z])/g, '_$1')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/_+/g, '_')
    .replace(/^_|_$/g, '');
}

/** Returns the dialect of a Cost and Usage Report header; null for any other. */
export function awsReport(written: Columns): Dialect | null {
  const columns = renamed(written, reportKey);
  if (!columns.has('line_item_line_item_type') && !columns.has('line_item_unblended_cost')) return null;
  const tags = awsTags(written);
  const made = focusColumns(columns, tags.made);
  const style = [...written.values()].some(({ name }) => name.includes('/'));
  return {
    dialect: 'aws-report',
    columns: columnsOf(made),
    tagForm: tags.form,
    missing: required.filter((name) => !columns.has(name)).map((name) => (style ? slashed(name) : name)),
    needs:
      'required to read a Cost and Usage Report; export it with all columns of the bill, line items, products, pricing, reservations and Savings Plans',
    own: ownRows(columns, tags),
    view: viewOf(written, columns, made),
    parts: splitParts(written, columns),
  };
}

/** Converts `line_item_usage_start_date` to `lineItem/UsageStartDate`. */
function slashed(name: string): string {
  const [, group = '', rest = ''] = /^(bill|line_item)_(.*)$/.exec(name) ?? [];
  const camel = (text: string) => text.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return `${camel(group)}/${camel(`_${rest}`)}`;
}

/** Returns a FROM item of the charges. A fee's line becomes two charges: the amount paid, and its unused part. */
function viewOf(written: Columns, columns: Columns, made: Readonly<Record<string, Made>>): Dialect['view'] {
  const kept = [...required, ...texts, ...amounts, 'line_item_usage_end_date', 'product'].flatMap(
    (name) => columns.get(name)?.name ?? [],
  );
  const own = [...new Set([...kept, ...awsTags(written).names])].map(identifier).join(', ');
  const isUnused = `unnest(CASE WHEN ${unusedCost(columns)} <> 0 THEN [false, true] ELSE [false] END)`;
  return (rows, isSeveral) => {
    const fileIndex = isSeveral ? 'file_index, ' : '';
    const lines = `SELECT ${fileIndex}${own}, ${isUnused} AS is_unused FROM ${rows} WHERE NOT ${isSplit(columns)}`;
    return `(SELECT ${fileIndex}${selectList(made)} FROM (${lines}))`;
  };
}

function focusColumns(columns: Columns, tags: Made): Record<string, Made> {
  const text = (...names: string[]): Made => ({ sql: textOf(columns, names) });
  const costs = awsCosts(columns);
  const type = textOf(columns, ['line_item_line_item_type']);
  const code = textOf(columns, ['line_item_product_code']);
  const isUsage = `(is_unused OR ${type} IN (${kinds.Usage.map(literal).join(', ')}))`;
  const quantity: Made = {
    sql: `CASE WHEN ${isUsage} AND NOT is_unused THEN ${amount(columns, 'line_item_usage_amount')} END`,
    type: money,
  };
  const unit: Made = { sql: `CASE WHEN ${isUsage} AND NOT is_unused THEN ${textOf(columns, ['pricing_unit'])} END` };
  const isCovered = `${type} IN ('SavingsPlanCoveredUsage', 'DiscountedUsage')`;
  return {
    ...costs,
    ProviderName: { sql: `'AWS'` },
    PublisherName: text('line_item_legal_entity'),
    InvoiceIssuerName: text('bill_invoicing_entity'),
    InvoiceId: text('bill_invoice_id'),
    BillingCurrency: text('line_item_currency_code'),
    BillingPeriodStart: asItIs(columns, 'bill_billing_period_start_date'),
    ChargePeriodStart: asItIs(columns, 'line_item_usage_start_date'),
    ChargePeriodEnd: asItIs(columns, 'line_item_usage_end_date'),
    ChargeCategory: { sql: chargeCategory(columns, type) },
    ChargeDescription: text('line_item_line_item_description'),
    BillingAccountId: text('bill_payer_account_id'),
    BillingAccountName: text('bill_payer_account_name'),
    SubAccountId: text('line_item_usage_account_id'),
    SubAccountName: text('line_item_usage_account_name'),
    ServiceName: { sql: `coalesce(${productName(columns)}, ${code})` },
    ServiceCategory: {
      sql: `CASE WHEN ${code} = 'AmazonEC2' AND ${textOf(columns, ['line_item_usage_type'])} LIKE '%EBS:%' THEN 'Storage' ELSE '${codeMark}' || ${code} END`,
    },
    RegionId: { sql: region(columns) },
    AvailabilityZone: text('line_item_availability_zone'),
    ResourceId: text('line_item_resource_id'),
    ResourceType: { sql: resourceType(textOf(columns, ['line_item_resource_id']), code) },
    SkuId: text('product_sku'),
    SkuPriceId: text('pricing_rate_code', 'pricing_rate_id'),
    SkuMeter: text('line_item_usage_type'),
    PricingQuantity: quantity,
    PricingUnit: unit,
    ConsumedQuantity: quantity,
    ConsumedUnit: unit,
    PricingCategory: {
      sql: `CASE WHEN NOT ${isUsage} THEN NULL WHEN is_unused OR ${isCovered} THEN 'Committed'
        WHEN ${textOf(columns, ['line_item_usage_type'])} LIKE '%Spot%' THEN 'Dynamic' ELSE 'Standard' END`,
    },
    ...commitment(columns),
    CapacityReservationId: text('capacity_reservation_capacity_reservation_arn'),
    CommitmentDiscountStatus: { sql: `CASE WHEN is_unused THEN 'Unused' WHEN ${isCovered} THEN 'Used' END` },
    Tags: tags,
  };
}

function commitment(columns: Columns): Record<string, Made> {
  const plan = textOf(columns, ['savings_plan_savings_plan_a_r_n']);
  const reservation = textOf(columns, ['reservation_reservation_a_r_n']);
  const either = (ofPlan: string, ofReservation: string): Made => ({
    sql: `CASE WHEN ${plan} IS NOT NULL THEN '${ofPlan}' WHEN ${reservation} IS NOT NULL THEN '${ofReservation}' END`,
  });
  return {
    // On-demand usage names the reservation that did not cover it.
    CommitmentDiscountId: {
      sql: `CASE WHEN is_unused OR ${textOf(columns, ['line_item_line_item_type'])} <> 'Usage' THEN coalesce(${plan}, ${reservation}) END`,
    },
    CommitmentDiscountCategory: either('Spend', 'Usage'),
    CommitmentDiscountType: either('Savings Plan', 'Reserved Instance'),
  };
}

/** Returns SQL for the product name: its own column, or an entry of 2.0's map, which is JSON in CSV. */
function productName(columns: Columns): string {
  const own = textOf(columns, ['product_product_name']);
  return `coalesce(${own}, ${productEntry(columns, 'product_name')})`;
}

function productEntry(columns: Columns, key: string): string {
  const product = columns.get('product');
  if (!product) return 'NULL::VARCHAR';
  const value = identifier(product.name);
  return product.type.startsWith('MAP')
    ? `nullif(${value}[${literal(key)}]::VARCHAR, '')`
    : `nullif(try_cast(${value} AS JSON)->>${literal(`$.${key}`)}, '')`;
}

function region(columns: Columns): string {
  return `coalesce(${textOf(columns, ['product_region_code', 'product_region'])}, ${productEntry(columns, 'region')})`;
}

/** Returns SQL for the type of a resource by its id, with the same words as AWS's FOCUS exports. */
function resourceType(id: string, code: string): string {
  const prefixes = { i: 'instance', vol: 'volume', snap: 'snapshot', nat: 'natgateway', eipalloc: 'elastic-ip' };
  const short = Object.entries(prefixes).map(([prefix, type]) => `WHEN ${id} LIKE '${prefix}-%' THEN '${type}'`);
  const arn = `nullif(regexp_extract(${id}, '^arn:[^:]*:[^:]*:[^:]*:[^:]*:([A-Za-z][A-Za-z0-9-]*)[/:]', 1), '')`;
  return `CASE WHEN ${id} IS NULL THEN NULL ${short.join(' ')} WHEN ${id} LIKE 'arn:%' THEN ${arn} WHEN ${code} = 'AmazonS3' THEN 'bucket' END`;
}

function ownRows(columns: Columns, tags: ReturnType<typeof awsTags>): Omit<OwnRows, 'from' | 'headerRows'> {
  const named = (key: string) => columns.get(key)?.name;
  const type = 'line_item_line_item_type';
  const checks: RowCheck[] = [
    ...checkNumber(columns, 'line_item_unblended_cost', false, named('line_item_unblended_cost')),
    ...[...amounts, ...splitAmounts].flatMap((name) => checkNumber(columns, name, true, named(name))),
    ...['bill_billing_period_start_date', 'line_item_usage_start_date'].flatMap((name) =>
      checkInstant(columns, name, named(name)),
    ),
    ...checkCurrency(columns, 'line_item_currency_code', named('line_item_currency_code')),
    ...checkColumn(columns, type, {
      bad: (text) => `${categories(text)} IS NULL`,
      expected: 'a known type of line item, such as Usage, Fee or SavingsPlanCoveredUsage',
      name: named(type),
    }),
    ...Object.entries(amortizedBy).flatMap(([of, names]) => checkAmortized(columns, of, names)),
    ...texts.flatMap((name) => checkText(columns, name, named(name))),
  ];
  const month = columns.get('bill_billing_period_start_date') ?? null;
  return { checks, month, tags: { column: tags.column, sql: tags.text } };
}

/** Returns SQL for the charge category; null, and so rejected, for types that the report cannot amortize; `checkAmortized`
 *  reports the reason. */
function chargeCategory(columns: Columns, type: string): string {
  const lacking = Object.keys(amortizedBy).filter((of) => amortizedBy[of]?.some((name) => !columns.has(name)));
  const refused = ['', ...lacking].map(literal).join(', ');
  return `CASE WHEN is_unused THEN 'Usage' WHEN ${type} IN (${refused}) THEN NULL ELSE ${categories(type)} END`;
}

/** Checks that a line item type has the columns that amortize it: an export may omit any column. */
function checkAmortized(columns: Columns, of: string, names: readonly string[]): RowCheck[] {
  const type = 'line_item_line_item_type';
  const missing = names.filter((name) => !columns.has(name));
  if (missing.length === 0) return [];
  return checkColumn(columns, type, {
    bad: (text) => `${text} = ${literal(of)}`,
    expected: `a type that can be read without ${missing.join(' and ')}; export the report with all its columns`,
    name: columns.get(type)?.name,
  });
}

/** Tags of a Cost and Usage Report. */
export interface ReportTags {
  made: Made;
  /** See `month/tags.ts`. */
  form: string;
  /** Source columns. */
  names: readonly string[];
  /** Column name or names for error messages. */
  column: string;
  /** SQL of the tags' text over the file's own rows. */
  text: string;
}

/** Reads tags from 2.0's maps `resource_tags` and `cost_category`, or from one column per key in legacy reports. */
function awsTags(columns: Columns): ReportTags {
  const maps = ['resource_tags', 'cost_category'].flatMap((name) => columns.get(name) ?? []);
  return maps.length > 0 ? ofMaps(maps) : ofColumns(columns);
}

function ofMaps(maps: readonly { name: string; type: string }[]): ReportTags {
  const names = maps.map(({ name }) => name);
  const isNested = maps.some(({ type }) => type !== 'VARCHAR' && type !== 'JSON');
  const keyed = (text: (name: string) => string) => maps.map(({ name }) => text(name));
  const text = `'{' || ${keyed(
    (name) => `'${JSON.stringify(name.toLowerCase())}:' || coalesce(nullif(${identifier(name)}, ''), 'null')`,
  ).join(` || ',' || `)} || '}'`;
  const nested = `{${keyed((name) => `${literal(name.toLowerCase())}: ${identifier(name)}`).join(', ')}}`;
  const made = isNested ? { sql: nested, type: 'STRUCT' } : { sql: text };
  return {
    made,
    form: 'cur:',
    names,
    column: names.join(' or '),
    text: isNested ? `to_json(${nested})::VARCHAR` : text,
  };
}

/** Tag key of a legacy report's column: `resourceTags/user:Team`, `costCategory/Unit`; in Parquet `resource_tags_user_team`. */
const keyOf: readonly (readonly [RegExp, (key: string) => string])[] = [
  [/^resourceTags\/(.+)$/, (key) => key],
  [/^costCategory\/(.+)$/, costCategoryKey],
  [/^resource_tags_user_(.+)$/, (key) => key],
  [/^resource_tags_(aws_.+)$/, (key) => key],
  [/^cost_category_(.+)$/, costCategoryKey],
];

function ofColumns(columns: Columns): ReportTags {
  const entries = [...columns.values()].flatMap(({ name }) => {
    const key = keyOf.flatMap(([pattern, make]) => pattern.exec(name)?.slice(1, 2).map(make) ?? [])[0];
    return key ? [{ name, key }] : [];
  });
  const names = entries.map(({ name }) => name);
  if (entries.length === 0)
    return { made: { sql: 'NULL::VARCHAR' }, form: '', names, column: 'resourceTags', text: 'NULL' };
  const nested = `{${entries.map(({ name, key }) => `${literal(key)}: ${identifier(name)}::VARCHAR`).join(', ')}}`;
  return {
    made: { sql: nested, type: 'STRUCT' },
    form: '',
    names,
    column: 'resourceTags',
    text: `to_json(${nested})::VARCHAR`,
  };
}
