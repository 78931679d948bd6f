import { chargeCategories, type PricingKind } from '../../../../engine/codebook.ts';
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
import { absentText, type Layout, money, selectAs } from './layout.ts';
import type { LoaderFile } from '../protocol.ts';

/** A file to be read. */
export interface Source {
  file: LoaderFile;
  layout: Layout;
  /** The file's number in the table. */
  no: number;
}

/** The files' numbers, as a list of SQL. */
export function numbers(sources: readonly Source[]): string {
  return sources.map((source) => source.no).join(',');
}

/** What does not differ between the line items of one file: part of what distinguishes charges. */
const origins = ['mark', 'dialect', 'speaks_for', 'tag_form'] as const;

/** Columns of line items that distinguish charges. */
export const chargeColumns = [...origins, 'period', ...keyTexts, 'Tags'];

/** The line items of files, as SELECT: a row has `file_no`, `sig` (a hash of the texts that distinguish charges), `proof` (another
 *  one), `day`, the columns of `chargeColumns`, names and measures.
 *  @param keepsNested leave maps of tags as they are: making JSON of each distinct one costs less than of each row */
export function lineItems(sources: readonly Source[], keepsNested: boolean): string {
  const alike = Map.groupBy(sources, ({ layout, file }) => `${file.speaksFor} ${layout.signature}`);
  return [...alike.values()].map((files) => branch(files, keepsNested)).join('\nUNION ALL BY NAME\n');
}

/** The word before the text of a layout's tags. */
export function tagForm(layout: Layout): string {
  return hasGoogleTags(layout.columns) ? 'gcp:' : layout.tagForm;
}

/** Files that share their columns are read by one scan. */
function branch(files: readonly Source[], keepsNested: boolean): string {
  const [first] = files;
  if (!first) return '';
  const { layout, file } = first;
  const mapping = mapColumns(layout.columns);
  const tags = hasNestedTags(layout.columns) && !keepsNested ? `to_json(${mapping.tags})::VARCHAR` : mapping.tags;
  const fileNo = files.length === 1 ? numbers(files) : `list_extract([${numbers(files)}], file_index::INT + 1)::INT`;
  const mapped = selectAs({
    file_no: fileNo,
    period: mapping.period,
    starts_at: mapping.startsAt,
    span_end: mapping.spansUntil,
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
  const made = selectAs({
    ...hashes(Object.values(origin), mapping),
    ...constants,
    day: 'starts_at::DATE',
    span_start: 'CASE WHEN span_end IS NOT NULL THEN starts_at END',
    x_LineItems: '1::BIGINT',
    x_StartHours: '1::INTEGER << hour(starts_at)::INTEGER',
  });
  const columns = ['file_no', 'period', 'span_end', ...keyTexts, 'Tags', ...nameTexts, ...amounts].join(', ');
  return `SELECT ${columns}, ${made} FROM (SELECT ${mapped} FROM ${layout.from(files.map((source) => source.file.path))})`;
}

/** Hashing what a file does not have would take a third of the time. */
function hashes(origin: readonly string[], { keys, tags }: Mapping): Record<'sig' | 'proof', string> {
  const present = keyTexts.filter((name) => keys[name] !== absentText);
  const texts = [...present, ...(tags === absentText ? [] : ['Tags'])];
  return signatures([...origin, ...texts].join(' '), ['period', ...texts]);
}

/** Two hashes of what distinguishes charges: where the second differs, the first met two charges. A resource's id stands behind a
 *  letter in the second, so that two ids with the same hash have others there; texts of other columns are few.
 *  @param columns SQL of them */
export function signatures(salt: string, columns: readonly string[]): Record<'sig' | 'proof', string> {
  const shifted = columns.map((name) => (name === 'ResourceId' ? `'r' || ResourceId` : name));
  return {
    sig: `hash(${[literal(salt), ...columns].join(', ')})`,
    proof: `hash(${[`'proof'`, literal(salt), ...shifted].join(', ')})`,
  };
}

// What the exports of single providers do that FOCUS does not mean, mended once for each distinct charge. Columns are those of
// `mapColumns`, with absent texts null, beside `vendor`, `mark`, `dialect` and `speaks_for`.

/** Columns that only one provider's exports have: some leave the provider's name out. */
const marks = {
  aws: ['x_servicecode', 'x_operation', 'x_usagetype'],
  azure: ['x_skumetercategory', 'x_skumetersubcategory', 'x_billingprofileid', 'x_invoicesectionid'],
  gcp: ['x_exporttime', 'x_project', 'x_projectlabels', 'x_consumptionmodeldescription'],
} as const;
const vendors = ['aws', 'azure', 'gcp'] as const;

/** The provider whose columns a file has; empty where they do not show it. */
function markOf({ columns }: Layout): string {
  return vendors.find((slug) => marks[slug].some((name) => columns.has(name))) ?? '';
}

/** Which of the large providers a charge is billed by, as SQL: its slug, or null. */
const vendor = `CASE ${vendors.map((slug) => `WHEN ${isProvider(slug, 'ProviderName')} THEN '${slug}'`).join(' ')}
  WHEN ProviderName IS NULL THEN nullif(mark, '') END`;

const isAzure = `vendor = 'azure'`;
const isGoogle = `vendor = 'gcp'`;
const isUsage = `lower(ChargeCategory) = 'usage'`;
const noGuid = '00000000-0000-0000-0000-000000000000';

const folded = (column: string) => `CASE WHEN ${isAzure} THEN lower(${column}) ELSE ${column} END`;

/** The type of Azure's resource as its inventory has it, `microsoft.sql/servers/databases`: the bill's own, or what the id says.
 *  "Virtual machine" stays where neither does. */
const armType = `coalesce(CASE WHEN contains(ResourceType, '/') THEN lower(ResourceType) END,
    nullif(regexp_replace(regexp_extract(lower(ResourceId), '^.*/providers/([^/]+[.][^/]+/.+)$', 1), '/([^/]+)/[^/]+', '/\\1', 'g'), ''),
    ResourceType)`;

/** The texts of a charge that providers write otherwise than FOCUS means them. */
const repaired: Readonly<Record<string, string>> = {
  // Azure writes one id in several cases, and of older bills an absent one as zeros.
  ResourceId: folded('ResourceId'),
  CommitmentDiscountId: `nullif(${folded('CommitmentDiscountId')}, '${noGuid}')`,
  BillingAccountId: folded('BillingAccountId'),
  SubAccountId: `CASE
    WHEN ${isAzure} THEN nullif(lower(regexp_replace(SubAccountId, '^/?subscriptions/([^/]+).*$', '\\1', 'i')), '${noGuid}')
    WHEN ${isGoogle} THEN CASE WHEN SubAccountId <> BillingAccountId THEN SubAccountId END
    ELSE coalesce(SubAccountId, BillingAccountId) END`,
  // Azure's 1.2-preview leaves the status out: what is committed to and used by no resource is unused.
  CommitmentDiscountStatus: `CASE WHEN CommitmentDiscountStatus IS NULL AND ${isAzure} AND ${isUsage}
    AND CommitmentDiscountId IS NOT NULL AND ResourceId IS NULL THEN 'Unused' ELSE CommitmentDiscountStatus END`,
  // Google's own view has a list there, of which text exports keep the brackets, and its table nothing.
  ServiceCategory: `CASE WHEN ServiceCategory IS NULL OR starts_with(ServiceCategory, '${codeMark}')
      THEN ${categoryOf('vendor', 'ServiceName', 'ServiceCategory')}
    WHEN ${isGoogle} AND starts_with(ServiceCategory, '[') THEN coalesce(try_cast(ServiceCategory AS JSON)->>'$[0]', 'Other')
    ELSE ServiceCategory END`,
  ResourceType: `CASE WHEN ${isAzure} THEN ${armType} ELSE ResourceType END`,
};

const isCommitmentPurchase = `lower(ChargeCategory) = 'purchase'
  AND (CommitmentDiscountId IS NOT NULL OR lower(PricingCategory) = 'committed')`;
/** Charges that only the export of actual costs has: the amortized one spreads them over the usage they pay. */
const isOfActualAlone = `lower(ChargeCategory) IN ('purchase', 'credit') AND CommitmentDiscountId IS NOT NULL`;

/** What decides how a charge's sums count, as SQL of truth values over the repaired texts. A bill that is delivered twice, as
 *  actual and as amortized costs, has each cost counted from one of the two, and what both say, from the amortized one. */
export const countings: Readonly<Record<string, string>> = {
  raises_prices: isAzure,
  // What a commitment costs is in the usage that it covers and in its unused part: Azure counts it in its purchase too. Of the
  // older export of actual costs nothing is amortized, so that the purchase is where it counts.
  is_amortized: `${isAzure} AND dialect = 'focus' AND ${isCommitmentPurchase}`,
  omits_billed: `speaks_for = 'effective'`,
  omits_effective: `speaks_for = 'billed'`,
  is_repeated: `speaks_for = 'billed' AND NOT (${isOfActualAlone})`,
};

/** Of a charge that Azure leaves one of its costs at 0 for, or puts below the cost it includes: the larger. */
function raised(cost: string, atLeast: string): string {
  return `CASE WHEN raises_prices AND (${cost} = 0 OR (${atLeast} > 0 AND ${cost} < ${atLeast})) THEN ${atLeast} ELSE ${cost} END`;
}

const unless = (condition: string, sum: string) => `CASE WHEN ${condition} THEN 0::${money} ELSE ${sum} END`;
const effective = `(${unless('is_amortized', 'EffectiveCost')})`;
const contracted = `(${raised('ContractedCost', effective)})`;

/** The sums of facts, as SQL over those of a charge's line items, of which there are `rows`, and `countings`. */
export const counted: Readonly<Record<string, string>> = {
  BilledCost: unless('omits_billed', 'BilledCost'),
  EffectiveCost: unless('omits_effective', effective),
  ListCost: unless('is_repeated', raised('ListCost', contracted)),
  ContractedCost: unless('is_repeated', contracted),
  PricingQuantity: unless('is_repeated', 'PricingQuantity'),
  ConsumedQuantity: unless('is_repeated', 'ConsumedQuantity'),
  CommitmentDiscountQuantity: unless('is_repeated', 'CommitmentDiscountQuantity'),
  x_LineItems: 'CASE WHEN is_repeated THEN 0 ELSE rows END',
};

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
