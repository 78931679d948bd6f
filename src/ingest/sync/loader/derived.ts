import { groupedTexts, namingTexts } from './columns.ts';

// What is made once of each group of charges, rather than of each line item.

/** Absent text is null, as SQL that replaces the texts of a group. */
export const withoutEmptyTexts = [...Object.keys(groupedTexts), ...Object.keys(namingTexts)]
  .map((name) => `nullif(${name}, '') AS ${name}`)
  .join(', ');

const isSpend = `(lower(commitment_category) = 'spend' OR lower(commitment_type) LIKE '%savings%plan%')`;

/** What each group's columns become, as SQL over the keys of `mapColumns` and the group's vendor; a column that is not named here stays as it is. The codes
 *  are those of `cost_facts`: charge category 1 usage, 2 purchase, 3 tax, 4 credit, 5 adjustment; pricing kind 1 on demand,
 *  2 spot, 3 reserved, 4 savings plan, 5 other, 6 unused reservation, 7 unused savings plan. */
export const derived: Readonly<Record<string, string>> = {
  // Some exports leave it out, and are known by their other columns.
  provider_name: `coalesce(provider_name, CASE vendor WHEN 'aws' THEN 'AWS' WHEN 'azure' THEN 'Microsoft' WHEN 'gcp' THEN 'Google Cloud' ELSE 'unknown' END)`,
  currency: 'upper(currency)',
  charge_category: `(CASE lower(charge_category) WHEN 'usage' THEN 1 WHEN 'purchase' THEN 2 WHEN 'tax' THEN 3 WHEN 'credit' THEN 4
    WHEN 'adjustment' THEN 5 ELSE CASE WHEN vendor = 'gcp' AND lower(charge_category) = 'error' THEN 5 ELSE error('unreadable')::INT END END)::SMALLINT`,
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
  WHEN lower(pricing_category) IN ('other', 'error') THEN 5
  ELSE 1 END)::SMALLINT`;
