import { chargeCategories, type PricingKind, unitPrices } from '../../../../engine/codebook.ts';
import { literal } from '../../../../engine/sql.ts';
import { categoryOf, codeMark } from './categories.ts';
import {
  amounts,
  hasGoogleTags,
  hasNestedTags,
  isProvider,
  keyTexts,
  mapColumns,
  type Mapping,
  nameTexts,
} from './columns.ts';
import { absentText, commitmentId, decimalText, type Layout, money, noGuid, selectAs } from './layout.ts';
import type { LoaderFile } from '../protocol.ts';
import { madeRepairs, repairedCosts } from './repairs.ts';

/** A file to read. */
export interface Source {
  file: LoaderFile;
  layout: Layout;
  /** Number of the file in the tables. */
  no: number;
}

/** Returns an SQL list of file numbers. */
export function numbers(sources: readonly Source[]): string {
  return sources.map((source) => source.no).join(',');
}

/** Returns SQL for the number of a row's file, in one scan of several files: their rows have `file_index`. */
export function fileNoOf(sources: readonly Source[]): string {
  return sources.length === 1 ? numbers(sources) : `list_extract([${numbers(sources)}], file_index::INT + 1)::INT`;
}

/** Charge-distinguishing values that are constant per file. */
const origins = ['mark', 'dialect', 'speaks_for', 'tag_form'] as const;

/** Columns that distinguish charges. */
export const chargeColumns = [...origins, 'period', ...keyTexts, 'Tags'];

/** Returns a SELECT of the files' line items with `file_no`, `sig` (a hash of the texts that distinguish charges), `proof` (a
 *  second hash), `day`, the columns of `chargeColumns`, names and measures.
 *  @param keepsNested keeps maps of tags as they are: converting each distinct one to JSON costs less than each row */
export function lineItems(sources: readonly Source[], keepsNested: boolean): string {
  const alike = Map.groupBy(sources, ({ layout, file }) => `${file.speaksFor} ${layout.signature}`);
  return [...alike.values()].map((files) => branch(files, keepsNested)).join('\nUNION ALL BY NAME\n');
}

/** Returns the form prefix of a layout's tags. */
export function tagForm(layout: Layout): string {
  return hasGoogleTags(layout.columns) ? 'gcp:' : layout.tagForm;
}

/** Returns SQL of the tags' text, with the prefix that names its form (`month/tags.ts`).
 *  @param tags SQL of the tags as text, or nested as in Parquet
 *  @param form SQL of the prefix */
export function tagsText(tags: string, form: string): string {
  return `${form} || nullif(CASE WHEN typeof(${tags}) IN ('VARCHAR', 'JSON') THEN ${tags}::VARCHAR ELSE to_json(${tags})::VARCHAR END, '')`;
}

/** Reads files with the same columns in one scan. */
function branch(files: readonly Source[], keepsNested: boolean): string {
  const [first] = files;
  if (!first) return '';
  const { layout, file } = first;
  const mapping = mapColumns(layout.columns);
  const tags = hasNestedTags(layout.columns) && !keepsNested ? `to_json(${mapping.tags})::VARCHAR` : mapping.tags;
  const isFocus = layout.dialect === 'focus';
  const made = isFocus ? {} : madeRepairs(layout.columns);
  const mapped = selectAs({
    ...made,
    file_no: fileNoOf(files),
    period: mapping.period,
    starts_at: mapping.startsAt,
    span_end: mapping.spanEnd,
    ...mapping.keys,
    Tags: tags,
    ...mapping.names,
    ...mapping.amounts,
  });
  const origin: Record<(typeof origins)[number], string> = {
    mark: markOf(layout),
    dialect: layout.dialect,
    speaks_for: file.speaksFor,
    tag_form: tagForm(layout),
  };
  const constants = Object.fromEntries(Object.entries(origin).map(([name, text]) => [name, literal(text)]));
  const repaired = isFocus ? repairedCosts(origin.mark) : {};
  const shown = selectAs({
    ...repaired,
    ...hashes(Object.values(origin), mapping),
    ...constants,
    day: 'starts_at::DATE',
    span_start: 'CASE WHEN span_end IS NOT NULL THEN starts_at END',
    x_LineItems: '1::BIGINT',
    x_StartHours: '1::INTEGER << hour(starts_at)::INTEGER',
  });
  const kept = [...Object.keys(made), 'file_no', 'period', 'span_end', ...keyTexts, 'Tags', ...nameTexts, ...amounts];
  const columns = kept.filter((name) => !(name in repaired)).join(', ');
  return `SELECT ${columns}, ${shown} FROM (SELECT ${mapped} FROM ${layout.from(files.map((source) => source.file.path))})`;
}

/** Omits absent columns: hashing them would take a third of the time. */
function hashes(origin: readonly string[], { keys, tags }: Mapping): Record<'sig' | 'proof', string> {
  const present = keyTexts.filter((name) => keys[name] !== absentText);
  const texts = [...present, ...(tags === absentText ? [] : ['Tags'])];
  return signatures([...origin, ...texts].join(' '), ['period', ...texts]);
}

/** Returns two hashes of the distinguishing columns: if the second differs, the first has a collision. The second prefixes the
 *  resource id with a letter, so that two ids that collide in the first do not in the second; other columns have few values.
 *  @param columns SQL of the columns */
export function signatures(salt: string, columns: readonly string[]): Record<'sig' | 'proof', string> {
  const shifted = columns.map((name) => (name === 'ResourceId' ? `'r' || ResourceId` : name));
  return {
    sig: `hash(${[literal(salt), ...columns].join(', ')})`,
    proof: `hash(${[`'proof'`, literal(salt), ...shifted].join(', ')})`,
  };
}

// Fixes for provider exports that deviate from FOCUS, applied once per distinct charge. Columns are those of `mapColumns`, with
// absent texts null, plus `vendor`, `mark`, `dialect` and `speaks_for`.

/** Provider-specific columns, which identify the provider where an export omits its name. */
const marks = {
  aws: ['x_servicecode', 'x_operation', 'x_usagetype'],
  azure: ['x_skumetercategory', 'x_skumetersubcategory', 'x_billingprofileid', 'x_invoicesectionid'],
  gcp: ['x_exporttime', 'x_project', 'x_projectlabels', 'x_consumptionmodeldescription'],
} as const;
const vendors = ['aws', 'azure', 'gcp'] as const;

/** Returns the provider whose columns a file has; empty if unknown. */
function markOf({ columns }: Layout): string {
  return vendors.find((slug) => marks[slug].some((name) => columns.has(name))) ?? '';
}

/** SQL of the slug of the large provider that bills a charge, or null. */
const vendor = `CASE ${vendors.map((slug) => `WHEN ${isProvider(slug, 'ProviderName')} THEN '${slug}'`).join(' ')}
  WHEN ProviderName IS NULL THEN nullif(mark, '') END`;

const isAzure = `vendor = 'azure'`;
const isGoogle = `vendor = 'gcp'`;
const isUsage = `lower(ChargeCategory) = 'usage'`;

const folded = (column: string) => `CASE WHEN ${isAzure} THEN lower(${column}) ELSE ${column} END`;

/** Type of an Azure resource as in the inventory, `microsoft.sql/servers/databases`: from the bill, otherwise from the id. If
 *  neither has it, "Virtual machine" stays. */
const armType = `coalesce(CASE WHEN contains(ResourceType, '/') THEN lower(ResourceType) END,
    nullif(regexp_replace(regexp_extract(lower(ResourceId), '^.*/providers/([^/]+[.][^/]+/.+)$', 1), '/([^/]+)/[^/]+', '/\\1', 'g'), ''),
    ResourceType)`;

/** Fixes of texts that providers write differently from FOCUS, or in different ways. */
const repaired: Readonly<Record<string, string>> = {
  ...Object.fromEntries(unitPrices.map((name) => [name, decimalText(name)])),
  // Azure writes the same id in varying case and, in older bills, a missing one as zeros.
  ResourceId: folded('ResourceId'),
  CommitmentDiscountId: commitmentId(folded('CommitmentDiscountId')),
  BillingAccountId: folded('BillingAccountId'),
  SubAccountId: `CASE
    WHEN ${isAzure} THEN nullif(lower(regexp_replace(SubAccountId, '^/?subscriptions/([^/]+).*$', '\\1', 'i')), '${noGuid}')
    WHEN ${isGoogle} THEN CASE WHEN SubAccountId <> BillingAccountId THEN SubAccountId END
    ELSE SubAccountId END`,
  // Azure's 1.2-preview omits the status: committed usage without a resource is unused.
  CommitmentDiscountStatus: `CASE WHEN CommitmentDiscountStatus IS NULL AND ${isAzure} AND ${isUsage}
    AND CommitmentDiscountId IS NOT NULL AND ResourceId IS NULL THEN 'Unused' ELSE CommitmentDiscountStatus END`,
  // Google's own view has a list there, whose brackets remain in text exports; its table has nothing.
  ServiceCategory: `CASE WHEN ServiceCategory IS NULL OR starts_with(ServiceCategory, '${codeMark}')
      THEN ${categoryOf('vendor', 'ServiceName', 'ServiceCategory')}
    WHEN ${isGoogle} AND starts_with(ServiceCategory, '[') THEN coalesce(try_cast(ServiceCategory AS JSON)->>'$[0]', 'Other')
    ELSE ServiceCategory END`,
  ResourceType: `CASE WHEN ${isAzure} THEN ${armType} ELSE ResourceType END`,
};

/** Charges that only the export of actual costs has: the amortized one spreads them over the usage they pay for. */
const isOfActualAlone = `lower(ChargeCategory) IN ('purchase', 'credit') AND CommitmentDiscountId IS NOT NULL`;

/** SQL flags, over the repaired texts, that control how a charge's sums count. If a bill is delivered twice, as actual and as
 *  amortized costs, each cost counts from one of the two, and charges of both count from the amortized one. */
export const countings: Readonly<Record<string, string>> = {
  omits_billed: `speaks_for = 'effective'`,
  omits_effective: `speaks_for = 'billed'`,
  is_repeated: `speaks_for = 'billed' AND NOT (${isOfActualAlone})`,
};

const unless = (condition: string, sum: string) => `CASE WHEN ${condition} THEN 0::${money} ELSE ${sum} END`;

/** SQL of the sums of facts, over the sums of a charge's `rows` line items and `countings`. */
export const counted: Readonly<Record<string, string>> = {
  BilledCost: unless('omits_billed', 'BilledCost'),
  EffectiveCost: unless('omits_effective', 'EffectiveCost'),
  ListCost: unless('is_repeated', 'ListCost'),
  ContractedCost: unless('is_repeated', 'ContractedCost'),
  PricingQuantity: unless('is_repeated', 'PricingQuantity'),
  ConsumedQuantity: unless('is_repeated', 'ConsumedQuantity'),
  CommitmentDiscountQuantity: unless('is_repeated', 'CommitmentDiscountQuantity'),
  PricingCurrencyEffectiveCost: 'CASE WHEN NOT omits_effective THEN PricingCurrencyEffectiveCost END',
  x_LineItems: 'CASE WHEN is_repeated THEN 0 ELSE rows END',
};

const isSpend = `(lower(CommitmentDiscountCategory) = 'spend' OR lower(CommitmentDiscountType) LIKE '%savings%plan%')`;
const category = chargeCategories.map((name) => `WHEN '${name.toLowerCase()}' THEN '${name}'`).join(' ');

/** SQL of texts derived from the repaired ones; others stay unchanged. */
const derived: Readonly<Record<string, string>> = {
  // Some exports omit it and are recognized by their other columns.
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

/** Characters that `trim` of JavaScript removes: queries reject filters by a blank text, so no charge may have one. */
const blanks =
  ' \t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';

/** Returns SQL of distinct charges with their texts as in facts, and `countings`. Each step builds on the previous one.
 *  @param charges SELECT of distinct charges with the texts of bills, `mark`, `dialect` and `speaks_for` */
export function normalised(charges: string): string {
  const texts = [...keyTexts, ...nameTexts];
  const filled = (name: string) => `CASE WHEN trim(${name}, ${literal(blanks)}) <> '' THEN ${name} END AS ${name}`;
  const present = `SELECT * REPLACE (${texts.map(filled).join(', ')}) FROM (${charges})`;
  const known = `SELECT *, ${vendor} AS vendor FROM (${present})`;
  const mended = `SELECT * REPLACE (${selectAs(repaired)}) FROM (${known})`;
  return `SELECT * EXCLUDE (vendor, mark, dialect, speaks_for) REPLACE (${selectAs(derived)}),
    ${pricingKind} AS x_PricingKind, ${selectAs(countings)} FROM (${mended})`;
}
