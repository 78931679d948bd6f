import { literal } from '../../engine/sql.ts';
import { chargeCategories, factColumns, pricingKinds } from '../../engine/codebook.ts';

/** The text of a code that counts from 1. */
const decoded = (codes: readonly string[], column: string): string =>
  `(ARRAY[${codes.map(literal).join(', ')}])[${column}]`;

const instant = (sql: string): string => `to_char(${sql}, 'YYYY-MM-DD HH24:MI:SS')`;

const kind = decoded(pricingKinds, 'f.pricing_kind');
const isUsage = `f.charge_category = ${chargeCategories.indexOf('Usage') + 1}`;

/** Each column of a fact file over the tables of the previous version. It did not keep the columns that are absent here. */
const sources: Readonly<Record<string, string>> = {
  x_OrganizationId: 'f.organization_id',
  x_AccountId: 'f.account_id',
  BillingPeriodStart: instant('f.billing_period'),
  BillingPeriodEnd: instant(`f.billing_period + interval '1 month'`),
  ChargePeriodStart: instant('f.charge_date'),
  ChargePeriodEnd: instant(`f.charge_date + interval '1 day'`),
  x_Provider: 'f.provider',
  ProviderName: `CASE f.provider WHEN 'aws' THEN 'AWS' WHEN 'azure' THEN 'Microsoft' WHEN 'gcp' THEN 'Google Cloud' ELSE f.provider END`,
  BillingAccountId: 'sub_account.billing_account_id',
  BillingCurrency: 'f.currency',
  SubAccountId: `coalesce(sub_account.code, 'unassigned')`,
  SubAccountName: 'sub_account.name',
  ServiceCategory: `coalesce(service.category, 'Other')`,
  ServiceName: `coalesce(service.name, 'Unknown')`,
  RegionId: `coalesce(region.code, 'global')`,
  RegionName: 'region.name',
  ResourceId: 'resource.native_id',
  ResourceName: 'resource.name',
  ResourceType: 'resource.resource_type',
  SkuId: 'sku.sku_id',
  SkuPriceId: 'sku.sku_price_id',
  SkuMeter: 'sku.meter',
  ChargeDescription: 'sku.description',
  ChargeCategory: decoded(chargeCategories, 'f.charge_category'),
  ChargeClass: `CASE f.charge_class WHEN 1 THEN 'Correction' END`,
  PricingCategory: `CASE WHEN ${isUsage} THEN CASE ${kind} WHEN 'on_demand' THEN 'Standard' WHEN 'spot' THEN 'Dynamic'
    WHEN 'other' THEN 'Other' ELSE 'Committed' END END`,
  x_PricingKind: kind,
  PricingUnit: 'sku.pricing_unit',
  ConsumedUnit: 'sku.consumed_unit',
  CommitmentDiscountId: 'commitment.code',
  CommitmentDiscountName: 'commitment.name',
  CommitmentDiscountCategory: 'commitment.category',
  CommitmentDiscountType: 'commitment.type',
  CommitmentDiscountStatus: `CASE WHEN ${kind} LIKE 'unused%' THEN 'Unused'
    WHEN ${kind} IN ('reserved', 'savings_plan') AND f.commitment_id <> 0 THEN 'Used' END`,
  Tags: 'tags.text',
  BilledCost: 'f.billed',
  EffectiveCost: 'f.effective',
  ListCost: 'f.list',
  ContractedCost: 'f.contracted',
  PricingQuantity: 'f.pricing_quantity',
  ConsumedQuantity: 'f.consumed_quantity',
  x_LineItems: 'f.line_items',
  x_StartHours: 'f.start_hours',
};

/** Empty texts of the previous version are null. */
const columns = factColumns.map(({ name, type }) => {
  const sql = sources[name] ?? 'NULL';
  return `${type === 'VARCHAR' ? `nullif((${sql})::text, '')` : sql} AS "${name}"`;
});

/** The order of keys in JSON that JavaScript writes: whole numbers first, by value. */
const keyOrder = `CASE WHEN key ~ '^(0|[1-9][0-9]{0,8})$' THEN key::int END NULLS LAST, key COLLATE "C"`;

/** The tag sets of an account as the loader writes them; null for a set without pairs. */
const tagTexts = (account: string): string => `
  SELECT id, (SELECT '{' || string_agg(to_json(key)::text || ':' || to_json(value)::text, ',' ORDER BY ${keyOrder}) || '}'
    FROM jsonb_each_text(tags)) AS text
  FROM tag_sets WHERE account_id = ${account}`;

/** Tables of texts, by the column of `cost_facts` that points to them. A fact whose text is missing stays. */
const joins = [
  ['services', 'service'],
  ['regions', 'region'],
  ['sub_accounts', 'sub_account'],
  ['skus', 'sku'],
  ['commitments', 'commitment'],
  ['resources', 'resource'],
].map(
  ([table, name]) => `LEFT JOIN ${table} ${name} ON ${name}.account_id = f.account_id AND ${name}.id = f.${name}_id`,
);

/** The facts of a billing month in `cost_facts` with the columns of a fact file, as SQL of PostgreSQL.
 *  @param account literal of the account's id
 *  @param condition SQL over `f`, the facts */
export function factsSql(account: string, condition: string): string {
  return `/* exportFacts */ WITH tags AS MATERIALIZED (${tagTexts(account)})
    SELECT ${columns.join(',\n')} FROM cost_facts f ${joins.join('\n')} LEFT JOIN tags ON tags.id = f.tag_set_id
    WHERE ${condition}`;
}
