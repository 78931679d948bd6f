import { fix, invalid } from '../../../kit/errors/errors.ts';
import { nameOf } from '../input.ts';
import type { TableState } from './table.ts';

// Lines of a table as SQL with the same columns for each of Google's exports. See
// https://cloud.google.com/billing/docs/how-to/export-data-bigquery-tables for the columns; newer ones, or those of only some
// exports, may be absent.

/** SQL for each line of an export, over the table's own columns. */
interface Lines {
  /** Group keys, as text. */
  readonly keys: Readonly<Record<string, string>>;
  /** Sums; NUMERIC or BIGNUMERIC. */
  readonly sums: Readonly<Record<string, string>>;
  /** True for a line that cannot be counted. */
  readonly unreadable: string;
  /** Invoice month of a line, `2026-05`. */
  readonly month: string;
  /** When the line was exported; null if the table lacks it. */
  readonly exportedAt: string | null;
}

/** @throws {AppError} VALIDATION_ERROR naming the missing columns */
export function linesOf(state: TableState): Lines {
  return state.kind === 'focus' ? focusLines(state) : exportLines(state);
}

const requiredInExport = [
  'billing_account_id',
  'service.description',
  'sku.id',
  'sku.description',
  'usage_start_time',
  'project.id',
  'project.name',
  'labels',
  'location.location',
  'export_time',
  'cost',
  'currency',
  'usage.amount_in_pricing_units',
  'usage.pricing_unit',
  'credits',
  'invoice.month',
  'cost_type',
];

const requiredInFocus = [
  'BilledCost',
  'EffectiveCost',
  'BillingAccountId',
  'BillingCurrency',
  'BillingPeriodStart',
  'ChargeCategory',
  'ChargeDescription',
  'ChargePeriodStart',
  'ServiceName',
];

/** Columns that Google added later, that not every export has, or that are not needed. */
const optionalInExport = [
  'adjustment_info',
  'consumption_model',
  'cost_at_effective_price_default',
  'cost_at_list',
  'cost_at_list_consumption_model',
  'currency_conversion_rate',
  'price',
  'resource',
  'seller_name',
  'subscription',
  'system_labels',
  'tags',
  'transaction_type',
  'usage_end_time',
];

const knownInExport = new Set([...requiredInExport.map(topOf), ...optionalInExport]);

function topOf(path: string): string {
  return path.split('.')[0]?.toLowerCase() ?? path;
}

/** Returns unknown columns of a usage export, which may affect costs.
 *  @returns none for a FOCUS table, whose columns are defined by FOCUS */
export function unknownColumns({ kind, columns }: TableState): string[] {
  return kind === 'focus' ? [] : columns.filter((name) => !knownInExport.has(name.toLowerCase()));
}

function requireColumns({ ref, fields }: TableState, names: readonly string[]): void {
  const missing = names.filter((name) => !fields.has(name.toLowerCase()));
  if (missing.length > 0)
    throw invalid`BigQuery table ${nameOf(ref)} has no column ${missing.join(', ')}${fix}connect the export that Cloud Billing writes, or a view with all of its columns`;
}

/** Returns a column if the table has it, otherwise the default. */
function has({ fields }: TableState, path: string, otherwise = 'CAST(NULL AS STRING)'): string {
  return fields.has(path.toLowerCase()) ? path : otherwise;
}

function json(state: TableState, path: string): string {
  return state.fields.has(path.toLowerCase()) ? `TO_JSON_STRING(${path})` : "'[]'";
}

/** Returns SQL for the sum of credits of some types, or all, converted exactly per line because their amounts are
 *  floating-point numbers.
 *  @param column of the credits, an array */
function creditsOf(column: string, type: string, only: readonly string[] = []): string {
  const where = only.length > 0 ? ` WHERE credit.${type} IN (${only.map((each) => `'${each}'`).join(', ')})` : '';
  return `IFNULL((SELECT SUM(CAST(credit.amount AS NUMERIC)) FROM UNNEST(${column}) AS credit${where}), 0)`;
}

/** Returns SQL for the kinds of committed use discounts: resource-based; spend-based until 2025; and since then the used part
 *  of a fee, whose usage is already priced at the discounted rate. */
function discounts(column: string, type: string) {
  return {
    credits: creditsOf(column, type),
    resource_discount: creditsOf(column, type, ['COMMITTED_USAGE_DISCOUNT']),
    spend_discount: creditsOf(column, type, ['COMMITTED_USAGE_DISCOUNT_DOLLAR_BASE']),
    fee_offset: creditsOf(column, type, ['FEE_UTILIZATION_OFFSET']),
  };
}

function exportLines(state: TableState): Lines {
  requireColumns(state, requiredInExport);
  const region = state.fields.has('location.region')
    ? 'IFNULL(location.region, location.location)'
    : 'location.location';
  const adjustment = has(state, 'adjustment_info.id', "''");
  return {
    keys: {
      day: 'CAST(DATE(usage_start_time) AS STRING)',
      billing_account: 'billing_account_id',
      line_currency: 'currency',
      service_name: 'service.description',
      sku_id: 'sku.id',
      sku_text: 'sku.description',
      region,
      project_id: 'project.id',
      project_name: 'project.name',
      // Some services only have the short name.
      resource_id: firstOf(['resource.global_name', 'resource.name'].filter((path) => state.fields.has(path))),
      resource_name: has(state, 'resource.name'),
      label_list: json(state, 'labels'),
      tag_list: json(state, 'tags'),
      project_label_list: json(state, 'project.labels'),
      category: 'cost_type',
      class: `CASE WHEN IFNULL(${adjustment}, '') <> '' THEN 'Correction' END`,
      unit: 'usage.pricing_unit',
      commitment: has(state, 'subscription.instance_id'),
      model: has(state, 'consumption_model.description'),
    },
    sums: {
      billed: 'CAST(cost AS NUMERIC)',
      effective: 'CAST(cost AS NUMERIC)',
      contracted: 'CAST(cost AS NUMERIC)',
      list: state.fields.has('cost_at_list') ? 'CAST(IFNULL(cost_at_list, cost) AS NUMERIC)' : 'CAST(cost AS NUMERIC)',
      ...discounts('credits', 'type'),
      quantity: 'CAST(usage.amount_in_pricing_units AS NUMERIC)',
    },
    unreadable: 'cost IS NULL OR currency IS NULL OR usage_start_time IS NULL',
    month: "CONCAT(SUBSTR(invoice.month, 1, 4), '-', SUBSTR(invoice.month, 5, 2))",
    exportedAt: 'export_time',
  };
}

function focusLines(state: TableState): Lines {
  requireColumns(state, requiredInFocus);
  const own = (path: string) => has(state, path);
  // Google's older view has the billing account where FOCUS requires the project.
  const subAccount = `CASE WHEN SubAccountId <> BillingAccountId THEN SubAccountId END`;
  const projects = [
    state.fields.has('subaccountid') ? subAccount : null,
    state.fields.has('x_project.id') ? 'x_Project.Id' : null,
  ].filter((each) => each !== null);
  return {
    keys: {
      day: 'CAST(DATE(ChargePeriodStart) AS STRING)',
      billing_account: 'BillingAccountId',
      line_currency: 'BillingCurrency',
      service_name: 'ServiceName',
      sku_id: own('SkuId'),
      sku_text: 'ChargeDescription',
      region: firstOf([own('RegionId'), own('x_Location')]),
      project_id: firstOf(projects),
      project_name: firstOf([
        state.fields.has('subaccountname') ? 'SubAccountName' : 'CAST(NULL AS STRING)',
        own('x_Project.Name'),
      ]),
      resource_id: own('ResourceId'),
      resource_name: own('ResourceName'),
      label_list: json(state, 'x_Labels'),
      tag_list: json(state, state.fields.has('x_tags') ? 'x_Tags' : 'Tags'),
      project_label_list: json(state, 'x_ProjectLabels'),
      category: `CASE WHEN LOWER(ChargeCategory) = 'error' THEN ${own('x_CostType')} ELSE ChargeCategory END`,
      class: own('ChargeClass'),
      unit: own('PricingUnit'),
      commitment: own('x_SubscriptionInstanceId'),
      model: own('x_ConsumptionModelDescription'),
    },
    sums: {
      billed: exact('BilledCost'),
      effective: exact('EffectiveCost'),
      contracted: exact(contractedOf(state)),
      list: exact(listOf(state)),
      ...(state.fields.has('x_credits')
        ? discounts('x_Credits', 'type')
        : { credits: '0', resource_discount: '0', spend_discount: '0', fee_offset: '0' }),
      quantity: exact(state.fields.has('pricingquantity') ? 'PricingQuantity' : 'NULL'),
    },
    unreadable:
      'BilledCost IS NULL OR EffectiveCost IS NULL OR BillingCurrency IS NULL OR ChargePeriodStart IS NULL OR ChargeCategory IS NULL',
    // Periods begin at midnight in Los Angeles or UTC; either way they start in that month in UTC.
    month: 'SUBSTR(CAST(DATE(BillingPeriodStart) AS STRING), 1, 7)',
    exportedAt: state.fields.has('x_exporttime') ? 'x_ExportTime' : null,
  };
}

/** Returns SQL for an exact number of a FOCUS table: NUMERIC in Google's own; in views also BIGNUMERIC, or floating-point,
 *  whose sums would be neither exact nor plain decimals. Further decimal places are noise. */
function exact(number: string): string {
  return `ROUND(CAST(${number} AS BIGNUMERIC), 18)`;
}

function contractedOf({ fields }: TableState): string {
  return fields.has('contractedcost') ? 'IFNULL(ContractedCost, EffectiveCost)' : 'EffectiveCost';
}

function listOf(state: TableState): string {
  const contracted = contractedOf(state);
  return state.fields.has('listcost') ? `IFNULL(ListCost, ${contracted})` : contracted;
}

function firstOf(expressions: readonly string[]): string {
  return expressions.length === 0 ? 'CAST(NULL AS STRING)' : `COALESCE(${expressions.join(', ')})`;
}

/** Number of cached texts: a resource repeats its labels every day of the month. */
const remembered = 20_000;

/** Converts a line's labels, its tags and its project's labels to FOCUS Tags. For duplicate keys the first of these wins, so
 *  that a resource's own value overrides an inherited one. */
export class LabelReader {
  readonly #known = new Map<string, string>();

  /** @param lists JSON arrays of `{key, value}`, in any letter case
   *  @returns a JSON object, empty text without tags */
  read(...lists: readonly (string | null)[]): string {
    const key = lists.join('\u001f');
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const tags = tagsOf(lists);
    if (this.#known.size >= remembered) this.#known.clear();
    this.#known.set(key, tags);
    return tags;
  }
}

function tagsOf(lists: readonly (string | null)[]): string {
  const tags = new Map<string, string>();
  for (const list of lists)
    for (const [key, value] of pairsOf(list)) if (!tags.has(key) && key.trim() !== '') tags.set(key, value);
  // Sorted, so that the order does not matter.
  const sorted = [...tags].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.length === 0
    ? ''
    : `{${sorted.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)}}`;
}

function pairsOf(list: string | null): [string, string][] {
  if (!list) return [];
  const parsed: unknown = JSON.parse(list);
  if (!Array.isArray(parsed)) return [];
  return parsed.flatMap((each: unknown): [string, string][] => {
    if (typeof each !== 'object' || each === null) return [];
    const fields = new Map(Object.entries(each).map(([name, value]) => [name.toLowerCase(), value]));
    // Google's older view has the key of a tag in `name`.
    const key: unknown = fields.get('key') ?? fields.get('name');
    const value: unknown = fields.get('value');
    return typeof key === 'string' ? [[key, typeof value === 'string' ? value : '']] : [];
  });
}
