import { factColumns, factNames, unitPrices } from '../../../../engine/codebook.ts';
import { identifier, literal } from '../../../../engine/sql.ts';
import { allocatedForm } from '../month/tags.ts';
import {
  absentText,
  amount,
  checkColumn,
  checkCurrency,
  checkInstant,
  checkNumber,
  checkReadable,
  checkText,
  type Columns,
  commitmentId,
  instant,
  instantText,
  money,
  rawText,
  type RowCheck,
  textOf,
} from './layout.ts';

/** Maps a file's columns to those of facts, as SQL over the file's columns. FOCUS columns are found by name in any version: 1.3
 *  renamed ProviderName to ServiceProviderName, and any may be absent. It contains only per-line-item work; `normalised` does
 *  the rest once per distinct charge. */
export interface Mapping {
  /** First day of the billing month. */
  period: string;
  /** Start of the charge, in UTC. */
  startsAt: string;
  /** When a charge that is spread over several days ends, in UTC; null for every other one. */
  spanEnd: string;
  /** Texts that distinguish charges. */
  keys: Record<string, string>;
  /** Tags as JSON text, or nested as in Parquet. */
  tags: string;
  /** Names that belong to a key; a charge keeps the first in text order. */
  names: Record<string, string>;
  /** Sums. */
  amounts: Record<string, string>;
}

/** Fact columns that are derived from others, not texts of the bill. */
const madeTexts = new Set(['x_Provider', 'x_PricingKind', 'x_Cluster', 'x_Namespace', 'x_Workload', 'Tags']);

/** Bill texts that distinguish charges. */
export const keyTexts = factNames('key').filter((name) => !madeTexts.has(name));
/** Names that belong to a key. */
export const nameTexts = factNames('name');
/** Money and quantities. */
export const amounts = factColumns.filter(({ type }) => type === money).map(({ name }) => name);

/** Source columns of texts whose name in bills varies or differs from that in facts, preferred one first. */
const alternatives: Readonly<Record<string, readonly string[]>> = {
  ProviderName: ['ProviderName', 'ServiceProviderName', 'HostProviderName', 'InvoiceIssuerName'],
  // FOCUS 1.3 adds the service provider and the host provider; 1.4 has only these.
  PublisherName: ['PublisherName', 'ServiceProviderName'],
  InvoiceId: ['InvoiceId', 'x_InvoiceId'],
  ServiceName: ['ServiceName', 'x_ServiceCode', 'x_SkuMeterSubcategory', 'PublisherName'],
  RegionId: ['RegionId', 'Region', 'x_Location'],
  SkuMeter: ['SkuMeter', 'x_UsageType', 'x_SkuMeterName'],
  // Azure's own column has the inventory's type; FOCUS's has a display name.
  ResourceType: ['x_ResourceType', 'ResourceType'],
};

function namesOf(text: string): readonly string[] {
  return alternatives[text] ?? [text];
}

/** Maps a file's columns. Unreadable values stop the query; `locate.ts` then finds the row. */
export function mapColumns(columns: Columns): Mapping {
  const required = (name: string) => `coalesce(${amount(columns, name)}, error('unreadable'))`;
  return {
    period: billingMonth(columns, false),
    startsAt: instant(columns, 'ChargePeriodStart'),
    spanEnd: spanEnd(columns),
    keys: {
      ...Object.fromEntries(keyTexts.map((name) => [name, rawText(columns, namesOf(name))])),
      SubAccountId: subAccountOf(columns),
    },
    tags: tagsOf(columns),
    names: Object.fromEntries(nameTexts.map((name) => [name, textOf(columns, namesOf(name))])),
    amounts: {
      ...Object.fromEntries(amounts.map((name) => [name, amount(columns, name)])),
      BilledCost: required('BilledCost'),
      EffectiveCost: `coalesce(${amount(columns, 'EffectiveCost')}, CASE WHEN NOT ${omitsEffective(columns)} THEN error('unreadable')::${money} END)`,
    },
  };
}

/** Returns SQL for the end of a usage charge, or of a recurring fee without a commitment, that lasts more than a day; null for
 *  any other: purchases, taxes and credits stay on their day, and so do charges without an end. */
function spanEnd(columns: Columns): string {
  const [start, end] = [columns.get('chargeperiodstart'), columns.get('chargeperiodend')];
  if (!start || !end) return 'NULL::TIMESTAMP';
  const category = `lower(${textOf(columns, ['ChargeCategory'])})`;
  const isRecurring = `lower(${textOf(columns, ['ChargeFrequency'])}) = 'recurring'`;
  const commitment = commitmentId(textOf(columns, ['CommitmentDiscountId']));
  const isSpread = `(${category} = 'usage' OR (${category} = 'purchase' AND ${isRecurring} AND ${commitment} IS NULL))`;
  const endsAt = (isEarly: string) => `CASE WHEN ${isEarly} THEN NULL
    WHEN ${isSpread} AND ${instant(columns, 'ChargePeriodEnd')} - ${instant(columns, 'ChargePeriodStart')} > INTERVAL 1 DAY
    THEN ${instant(columns, 'ChargePeriodEnd')} END`;
  const [from, until] = [start, end].map(({ name, type }) =>
    type === 'VARCHAR' ? `nullif(${identifier(name)}, '')` : identifier(name),
  );
  if (start.type !== 'VARCHAR' || end.type !== 'VARCHAR') return endsAt(`${until} IS NULL`);
  const days = `(try_cast(left(${until}, 10) AS DATE) - try_cast(left(${from}, 10) AS DATE))`;
  // Most charges end on their day or at the next midnight: comparing dates is cheaper than parsing times.
  return endsAt(`${until} IS NULL OR ${days} <= 0 OR (${days} = 1 AND substr(${until}, 12, 5) IN ('00:00', ''))`);
}

/** First day of a charge's billing month.
 *  @param lenient null where it is unreadable, instead of stopping the query */
export function billingMonth(columns: Columns, lenient: boolean): string {
  const start = lenient ? instantText(textOf(columns, ['BillingPeriodStart'])) : instant(columns, 'BillingPeriodStart');
  return `date_trunc('month', ${start})::DATE`;
}

/** Returns the row checks for `mapColumns`, in the order in which a row's errors are reported. */
export function rowChecks(columns: Columns): RowCheck[] {
  const texts = new Set([...keyTexts, ...nameTexts].flatMap(namesOf));
  const google = `coalesce(${isProvider('gcp', textOf(columns, namesOf('ProviderName')))}, false)`;
  const costs = new Set(['BilledCost', 'EffectiveCost']);
  return [
    ...checkNumber(columns, 'BilledCost', false),
    ...checkNumber(columns, 'EffectiveCost', false).map((check) => ({
      ...check,
      bad: `${check.bad} AND NOT (${check.value} IS NULL AND ${omitsEffective(columns)})`,
    })),
    ...amounts.filter((name) => !costs.has(name)).flatMap((name) => checkNumber(columns, name, true)),
    ...unitPrices.flatMap((name) => checkNumber(columns, name, true)),
    ...['BillingPeriodStart', 'ChargePeriodStart'].flatMap((name) => checkInstant(columns, name)),
    ...checkReadable(columns, 'ChargePeriodEnd', { nullable: true }),
    ...checkCurrency(columns, 'BillingCurrency'),
    ...checkColumn(columns, 'ChargeCategory', {
      bad: (t) =>
        `coalesce(lower(${t}) NOT IN ('usage','purchase','tax','credit','adjustment') AND NOT (lower(${t}) = 'error' AND ${google}), true)`,
      expected: 'Usage, Purchase, Tax, Credit or Adjustment',
    }),
    ...[...texts].flatMap((name) => checkText(columns, name)),
  ];
}

/** Returns SQL that is true for rows of Tencent Cloud, whose export leaves EffectiveCost empty (tencentcloud.com, "FOCUS 1.0
 *  Conformance Gaps"). */
function omitsEffective(columns: Columns): string {
  return `coalesce(contains(lower(${textOf(columns, namesOf('ProviderName'))}), 'tencent'), false)`;
}

/** Returns SQL for the sub-account. Google's own view has the billing account there, and the project in another column. */
function subAccountOf(columns: Columns): string {
  const names = ['SubAccountId'];
  const project = projectOf(columns);
  if (!project) return rawText(columns, names);
  return `coalesce(nullif(${textOf(columns, names)}, ${textOf(columns, ['BillingAccountId'])}), ${project})`;
}

function projectOf(columns: Columns): string | null {
  const column = columns.get('x_project');
  if (!column) return columns.has('x_projectid') ? textOf(columns, ['x_ProjectId']) : null;
  const id = column.type.startsWith('STRUCT')
    ? `${identifier(column.name)}.Id`
    : `coalesce(try_cast(${identifier(column.name)} AS JSON)->>'$.Id', try_cast(${identifier(column.name)} AS JSON)->>'$.id')`;
  return `nullif(${id}, '')`;
}

/** Tag columns of Google's bills, highest precedence first; other FOCUS files have only `Tags`. */
const googleTags = ['x_Labels', 'x_Tags', 'x_ProjectLabels'] as const;

/** Returns SQL for tags: JSON text, or nested as in Parquet, which becomes JSON after grouping. */
function tagsOf(columns: Columns): string {
  const column = columns.get('tags');
  if (columns.has(allocated)) return allocatedTagsOf(columns);
  if (column) return identifier(column.name);
  const parts = googleTags.flatMap((name) => columns.get(name.toLowerCase()) ?? []);
  if (parts.length === 0) return absentText;
  if (hasNestedTags(columns)) return `{${parts.map(({ name }) => `${literal(name)}: ${identifier(name)}`).join(', ')}}`;
  const texts = parts.map(
    ({ name }) => `'${JSON.stringify(name)}:' || coalesce(nullif(${identifier(name)}::VARCHAR, ''), 'null')`,
  );
  return `'{' || ${texts.join(` || ',' || `)} || '}'`;
}

const allocated = 'allocatedtags';

/** Returns SQL for the tags of a file with split charges (FOCUS 1.3): a part of a shared resource's cost repeats the tags of the
 *  resource, and has those of the workload that it is allocated to in `AllocatedTags` (`month/tags.ts`). */
function allocatedTagsOf(columns: Columns): string {
  const [own, theirs] = ['Tags', 'AllocatedTags'].map((name) => textOf(columns, [name]));
  return `CASE WHEN ${theirs} IS NULL THEN ${own} ELSE '${allocatedForm}[' || ${theirs} || ',' || coalesce(${own}, '{}') || ']' END`;
}

/** Returns whether a file's tags are in Google-specific columns. */
export function hasGoogleTags(columns: Columns): boolean {
  return !columns.has('tags') && !columns.has(allocated) && googleTags.some((name) => columns.has(name.toLowerCase()));
}

/** Returns whether a file's tags are maps, structs or lists rather than text. */
export function hasNestedTags(columns: Columns): boolean {
  if (columns.has(allocated)) return false;
  const held = columns.has('tags') ? ['tags'] : googleTags.map((name) => name.toLowerCase());
  const types = held.flatMap((name) => columns.get(name)?.type ?? []);
  return types.some((type) => !isTextType(type));
}

/** Returns whether DuckDB's type of a column is text. */
export function isTextType(type: string): boolean {
  return type === 'VARCHAR' || type === 'JSON';
}

/** Names of the large providers in FOCUS exports, in lower case. */
const known: ReadonlyMap<string, string> = new Map(
  Object.entries({
    aws: 'aws',
    'amazon web services': 'aws',
    'amazon web services, inc.': 'aws',
    amazon: 'aws',
    microsoft: 'azure',
    'microsoft azure': 'azure',
    'microsoft corporation': 'azure',
    azure: 'azure',
    google: 'gcp',
    'google cloud': 'gcp',
    'google cloud platform': 'gcp',
    gcp: 'gcp',
    oci: 'oracle',
    'oracle cloud': 'oracle',
    'oracle cloud infrastructure': 'oracle',
    'oracle corporation': 'oracle',
  }),
);

/** Longer than any provider's name. Index keys contain slugs and other texts, and are limited to 2,704 bytes in total. */
const maxCharacters = 100;

/** Returns the slug of a provider as in the API: `aws`, `azure`, `gcp`, otherwise its name in lower case with dashes. */
export function providerSlug(name: string): string {
  const folded = name.trim().toLowerCase();
  const words = folded
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]/g, '') // accents of Latin, Greek and Cyrillic letters
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, '-');
  // Normalization turns some letters into many.
  const slug = [...words]
    .slice(0, maxCharacters)
    .join('')
    .replace(/^-+|-+$/g, '');
  return known.get(folded) ?? (slug === '' ? 'unknown' : slug);
}

/** Returns SQL for whether a name is one of a large provider's names in exports.
 *  @param name SQL of the name */
export function isProvider(slug: string, name: string): string {
  const names = [...known].flatMap(([spelled, of]) => (of === slug ? [`'${spelled}'`] : []));
  return `lower(trim(${name})) IN (${names.join(', ')})`;
}
