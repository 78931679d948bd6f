import { categoryOf, codeMark } from './categories.ts';
import type { Layout } from './layout.ts';
import { isProvider } from './provider.ts';
import { numbers, type Source } from './source.ts';

// What the exports of single providers do that FOCUS does not mean, mended once for each group of charges. Columns are those of
// `mapColumns`, with absent texts null.

/** Columns that only one provider's exports have: some leave the provider's name out. */
const marks = {
  aws: ['x_servicecode', 'x_operation', 'x_usagetype'],
  azure: ['x_skumetercategory', 'x_skumetersubcategory', 'x_billingprofileid', 'x_invoicesectionid'],
  gcp: ['x_exporttime', 'x_project', 'x_projectlabels', 'x_consumptionmodeldescription'],
} as const;
const vendors = ['aws', 'azure', 'gcp'] as const;

function markOf({ columns }: Layout): (typeof vendors)[number] | null {
  return vendors.find((slug) => marks[slug].some((name) => columns.has(name))) ?? null;
}

/** Which of the large providers a group is billed by, as SQL: its slug, or null. */
export function vendor(sources: readonly Source[]): string {
  const named = vendors.map((slug) => `WHEN ${isProvider(slug, 'provider_name')} THEN '${slug}'`);
  const marked = vendors.flatMap((slug) => {
    const files = sources.filter((source) => markOf(source.layout) === slug);
    return files.length === 0 ? [] : [`WHEN provider_name IS NULL AND file_no IN (${numbers(files)}) THEN '${slug}'`];
  });
  return `CASE ${[...named, ...marked].join(' ')} END`;
}

const isAzure = `vendor = 'azure'`;
const isGoogle = `vendor = 'gcp'`;
const isUsage = `lower(charge_category) = 'usage'`;
const noGuid = '00000000-0000-0000-0000-000000000000';

/** Of a charge that Azure leaves one of its costs at 0 for, or puts below the cost it includes: the larger. */
function raised(cost: string, atLeast: string): string {
  return `CASE WHEN ${cost} = 0 OR (${atLeast} > 0 AND ${cost} < ${atLeast}) THEN ${atLeast} ELSE ${cost} END`;
}

/** The columns of a group that providers write otherwise than FOCUS means them. */
export function repaired(sources: readonly Source[]): Record<string, string> {
  const effective = azureEffective(sources);
  const contracted = `CASE WHEN ${isAzure} THEN ${raised('contracted', effective)} ELSE contracted END`;
  const folded = (column: string) => `CASE WHEN ${isAzure} THEN lower(${column}) ELSE ${column} END`;
  return {
    // Azure writes one id in several cases, and of older bills an absent one as zeros.
    resource: folded('resource'),
    commitment: `nullif(${folded('commitment')}, '${noGuid}')`,
    billing_account: folded('billing_account'),
    sub_account: `CASE
      WHEN ${isAzure} THEN nullif(lower(regexp_replace(sub_account, '^/?subscriptions/([^/]+).*$', '\\1', 'i')), '${noGuid}')
      WHEN ${isGoogle} THEN CASE WHEN sub_account <> billing_account THEN sub_account END
      ELSE coalesce(sub_account, billing_account) END`,
    // Azure's 1.2-preview leaves the status out: what is committed to and used by no resource is unused.
    commitment_status: `CASE WHEN commitment_status IS NULL AND ${isAzure} AND ${isUsage} AND commitment IS NOT NULL AND resource IS NULL
      THEN 'Unused' ELSE commitment_status END`,
    service_category: categoryOfGroup,
    resource_type: `CASE WHEN ${isAzure} THEN ${armTypeOfGroup} ELSE resource_type END`,
    effective,
    contracted,
    list: `CASE WHEN ${isAzure} THEN ${raised('list', `(${contracted})`)} ELSE list END`,
  };
}

/** The type of Azure's resource as its inventory has it, `microsoft.sql/servers/databases`: the bill's own, or what the id says.
 *  "Virtual machine" stays where neither does. */
const armTypeOfGroup = `coalesce(CASE WHEN contains(resource_type, '/') THEN lower(resource_type) END,
    nullif(regexp_replace(regexp_extract(lower(resource), '^.*/providers/([^/]+[.][^/]+/.+)$', 1), '/([^/]+)/[^/]+', '/\\1', 'g'), ''),
    resource_type)`;

/** Google's own view has a list there, of which text exports keep the brackets, and its table nothing. */
const categoryOfGroup = `CASE WHEN service_category IS NULL OR starts_with(service_category, '${codeMark}')
    THEN ${categoryOf('vendor', 'service_name', 'service_category')}
  WHEN ${isGoogle} AND starts_with(service_category, '[') THEN coalesce(try_cast(service_category AS JSON)->>'$[0]', 'Other')
  ELSE service_category END`;

/** What a commitment costs is in the usage that it covers and in its unused part: Azure counts it in its purchase too. Of the
 *  older export of actual costs nothing is amortized, so that the purchase is where it counts. */
function azureEffective(sources: readonly Source[]): string {
  const amortized = sources.filter(({ layout }) => layout.dialect === 'focus');
  if (amortized.length === 0) return 'effective';
  const isPurchase = `lower(charge_category) = 'purchase' AND (commitment IS NOT NULL OR lower(pricing_category) = 'committed')`;
  return `(CASE WHEN ${isAzure} AND ${isPurchase} AND file_no IN (${numbers(amortized)}) THEN 0::DECIMAL(38,12) ELSE effective END)`;
}

/** Charges that only the export of actual costs has: the amortized one spreads them over the usage they pay. */
const isOfActualAlone = `lower(charge_category) IN ('purchase', 'credit') AND commitment IS NOT NULL`;

/** The sums of a bill that is delivered twice, as actual and as amortized costs: each cost is counted from one of the two,
 *  and what both say, from the amortized one. Null where all files speak for all costs. */
export function spokenFor(sources: readonly Source[]): Record<string, string> | null {
  const billed = sources.filter(({ file }) => file.speaksFor === 'billed');
  const effective = sources.filter(({ file }) => file.speaksFor === 'effective');
  if (billed.length + effective.length === 0) return null;
  const of = (files: readonly Source[]) => (files.length === 0 ? 'false' : `file_no IN (${numbers(files)})`);
  const zero = (isAbsent: string, column: string) => `CASE WHEN ${isAbsent} THEN 0::DECIMAL(38,12) ELSE ${column} END`;
  const repeated = ['list', 'contracted', 'pricing_quantity', 'consumed_quantity'].map((column) => [
    column,
    zero(`${of(billed)} AND NOT (${isOfActualAlone})`, column),
  ]);
  return {
    ...Object.fromEntries(repeated),
    billed: zero(of(effective), 'billed'),
    effective: zero(of(billed), 'effective'),
  };
}

/** How many line items a group of a batch's table stands for: those of a bill that is delivered twice count once. Columns are
 *  those of the table, with the codes of `cost_facts`. */
export function countedLines(sources: readonly Source[]): string {
  const billed = sources.filter(({ file }) => file.speaksFor === 'billed');
  if (billed.length === 0) return 'line_items';
  return `CASE WHEN file_no IN (${numbers(billed)}) AND NOT (charge_category IN (2, 4) AND commitment IS NOT NULL) THEN 0 ELSE line_items END`;
}
