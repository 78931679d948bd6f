import { chargeCategories, type PricingKind } from '../../../engine/codebook.ts';
import { keyTexts, nameTexts } from './columns.ts';
import { countings, repaired, vendor } from './quirks.ts';
import { selectAs } from './sql-values.ts';

const isSpend = `(lower(CommitmentDiscountCategory) = 'spend' OR lower(CommitmentDiscountType) LIKE '%savings%plan%')`;
const category = chargeCategories.map((name) => `WHEN '${name.toLowerCase()}' THEN '${name}'`).join(' ');

/** What texts become, as SQL over the repaired ones; those that are not named here stay as they are. */
const derived: Readonly<Record<string, string>> = {
  // Some exports leave it out, and are known by their other columns.
  ProviderName: `coalesce(ProviderName, CASE vendor WHEN 'aws' THEN 'AWS' WHEN 'azure' THEN 'Microsoft' WHEN 'gcp' THEN 'Google Cloud' ELSE 'unknown' END)`,
  BillingCurrency: 'upper(BillingCurrency)',
  ChargeCategory: `CASE lower(ChargeCategory) ${category} ELSE
    CASE WHEN vendor = 'gcp' AND lower(ChargeCategory) = 'error' THEN 'Adjustment' ELSE error('unreadable') END END`,
  ChargeClass: `CASE WHEN lower(ChargeClass) = 'correction' THEN 'Correction' END`,
  ServiceName: `coalesce(ServiceName, 'Unknown')`,
  ServiceCategory: `coalesce(ServiceCategory, 'Other')`,
  RegionId: `coalesce(RegionId, 'global')`,
  SubAccountId: `coalesce(SubAccountId, 'unassigned')`,
};

const kind = (name: PricingKind) => `'${name}'`;
const pricingKind = `CASE
  WHEN lower(ChargeCategory) <> 'usage' THEN ${kind('other')}
  WHEN lower(CommitmentDiscountStatus) = 'unused' THEN CASE WHEN ${isSpend} THEN ${kind('unused_savings_plan')} ELSE ${kind('unused_reservation')} END
  WHEN CommitmentDiscountId IS NOT NULL OR lower(PricingCategory) = 'committed' THEN CASE WHEN ${isSpend} THEN ${kind('savings_plan')} ELSE ${kind('reserved')} END
  WHEN lower(PricingCategory) = 'dynamic' THEN ${kind('spot')}
  WHEN lower(PricingCategory) IN ('other', 'error') THEN ${kind('other')}
  ELSE ${kind('on_demand')} END`;

/** Distinct charges with their texts as facts have them, and `countings`: each step builds on the one before.
 *  @param charges SELECT of distinct charges with the texts of bills, `mark`, `dialect` and `speaks_for` */
export function normalised(charges: string): string {
  const texts = [...keyTexts, ...nameTexts];
  const present = `SELECT * REPLACE (${texts.map((name) => `nullif(${name}, '') AS ${name}`).join(', ')}) FROM (${charges})`;
  const known = `SELECT *, ${vendor} AS vendor FROM (${present})`;
  const mended = `SELECT * REPLACE (${selectAs(repaired)}) FROM (${known})`;
  return `SELECT * EXCLUDE (vendor, mark, dialect, speaks_for) REPLACE (${selectAs(derived)}),
    ${pricingKind} AS x_PricingKind, ${selectAs(countings)} FROM (${mended})`;
}
