import { fix, invalid } from '../../../kit/errors.ts';
import { nameOf } from '../input.ts';
import type { TableState } from './table.ts';

// The costs of a table, whichever of Google's exports it is, as SQL with the same columns. https://cloud.google.com/billing/
// docs/how-to/export-data-bigquery-tables has the columns; those that came later, or that only some exports have, may be
// absent.

/** What each line of an export becomes: SQL over the table's own columns. */
interface Lines {
  /** What lines are added up by; text. */
  readonly keys: Readonly<Record<string, string>>;
  /** What is added up; NUMERIC or BIGNUMERIC. */
  readonly sums: Readonly<Record<string, string>>;
  /** True of a line that cannot be counted. */
  readonly unreadable: string;
  /** The invoice month of a line, `2026-05`. */
  readonly month: string;
  /** When the line was exported; null where the table does not say. */
  readonly exportedAt: string | null;
}

/** @throws {AppError} VALIDATION_ERROR naming the columns that are missing */
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

/** Columns that Google added after the export was announced, that not every export has, or that are not needed. */
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

/** Columns that an export of usage has and that are not known here: they may say something about costs.
 *  @returns none of a FOCUS table, whose columns mean what FOCUS says */
export function unknownColumns({ kind, columns }: TableState): string[] {
  return kind === 'focus' ? [] : columns.filter((name) => !knownInExport.has(name.toLowerCase()));
}

function requireColumns({ ref, fields }: TableState, names: readonly string[]): void {
  const missing = names.filter((name) => !fields.has(name.toLowerCase()));
  if (missing.length > 0)
    throw invalid`BigQuery table ${nameOf(ref)} has no column ${missing.join(', ')}${fix}connect the export that Cloud Billing writes, or a view with all of its columns`;
}

/** A column where the table has it. */
function has({ fields }: TableState, path: string, otherwise = 'CAST(NULL AS STRING)'): string {
  return fields.has(path.toLowerCase()) ? path : otherwise;
}

function json(state: TableState, path: string): string {
  return state.fields.has(path.toLowerCase()) ? `TO_JSON_STRING(${path})` : "'[]'";
}

/** Credits of some types, or all of them: of each line exactly, because their amounts are floating-point numbers.
 *  @param column of the credits, an array */
function creditsOf(column: string, type: string, only: readonly string[] = []): string {
  const where = only.length > 0 ? ` WHERE credit.${type} IN (${only.map((each) => `'${each}'`).join(', ')})` : '';
  return `IFNULL((SELECT SUM(CAST(credit.amount AS NUMERIC)) FROM UNNEST(${column}) AS credit${where}), 0)`;
}

/** The kinds of committed use discount: of resources; of spend, as it was until 2025; and, since, the part of a fee that was
 *  used, whose usage is priced at the discounted rate already. */
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
      // Some services give a name of their own alone.
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
  // Google's older view names the billing account where FOCUS wants the project.
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
    // Periods begin at midnight in Los Angeles, or in UTC: either way in the month in UTC.
    month: 'SUBSTR(CAST(DATE(BillingPeriodStart) AS STRING), 1, 7)',
    exportedAt: state.fields.has('x_exporttime') ? 'x_ExportTime' : null,
  };
}

/** A number of a FOCUS table: NUMERIC in Google's own, in views also BIGNUMERIC, or floating-point, whose sums would neither
 *  be exact nor come as plain decimals. Decimals beyond these are noise, and more than an amount can have. */
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

/** How many distinct texts are remembered: a month of one resource repeats its labels each day. */
const remembered = 20_000;

/** Makes FOCUS Tags of a line's labels, its tags and its project's labels: of one key the first of these counts, so that what
 *  is said of a resource itself goes before what it inherits. */
export class LabelReader {
  readonly #known = new Map<string, string>();

  /** @param lists JSON arrays of `{key, value}`, whatever their case
   *  @returns a JSON object, empty text for no tags */
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
  // Sorted: what was the same in another order is the same.
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
    // Google's older view calls the key of a tag `name`.
    const key: unknown = fields.get('key') ?? fields.get('name');
    const value: unknown = fields.get('value');
    return typeof key === 'string' ? [[key, typeof value === 'string' ? value : '']] : [];
  });
}
