import { factColumns, factNames } from '../../../../engine/codebook.ts';
import { identifier, literal } from '../../../../engine/sql.ts';
import {
  absentText,
  amount,
  checkColumn,
  checkCurrency,
  checkInstant,
  checkNumber,
  checkText,
  type Columns,
  instant,
  instantExample,
  instantText,
  money,
  rawText,
  type RowCheck,
  textOf,
} from './layout.ts';

/** How one file's columns become those of facts, as SQL over the file's own columns. FOCUS columns are found by name, whatever
 *  the version: 1.3 renamed ProviderName to ServiceProviderName, and any may be absent. Only what each line item needs is done
 *  here; `normalised` does the rest once for each distinct charge. */
export interface Mapping {
  /** First day of the billing month. */
  period: string;
  /** When the charge starts, in UTC. */
  startsAt: string;
  /** When a charge that is spread over several days ends, in UTC; null for every other one. */
  spansUntil: string;
  /** Texts that distinguish charges. */
  keys: Record<string, string>;
  /** Tags as JSON text, or nested as Parquet has them. */
  tags: string;
  /** Names that go with a key: of a charge the first one in text order is kept. */
  names: Record<string, string>;
  /** Sums. */
  amounts: Record<string, string>;
}

/** Fact columns that are not a text of the bill: they are made of others. */
const madeTexts = new Set(['x_Provider', 'x_PricingKind', 'Tags']);

/** Texts of a bill that distinguish charges. */
export const keyTexts = factNames('key').filter((name) => !madeTexts.has(name));
/** Names that go with a key. */
export const nameTexts = factNames('name');
/** Money and quantities. */
export const amounts = factColumns.filter(({ type }) => type === money).map(({ name }) => name);

/** Columns that hold a text where bills do not call it as facts do, or not all of them, the preferred one first. */
const alternatives: Readonly<Record<string, readonly string[]>> = {
  ProviderName: ['ProviderName', 'ServiceProviderName', 'HostProviderName', 'InvoiceIssuerName'],
  InvoiceId: ['InvoiceId', 'x_InvoiceId'],
  ServiceName: ['ServiceName', 'x_ServiceCode', 'x_SkuMeterSubcategory', 'PublisherName'],
  RegionId: ['RegionId', 'Region', 'x_Location'],
  SkuMeter: ['SkuMeter', 'x_UsageType', 'x_SkuMeterName'],
  SubAccountName: ['SubAccountName', 'BillingAccountName'],
  // Azure's own column has the type of the inventory; FOCUS's, a name for people to read.
  ResourceType: ['x_ResourceType', 'ResourceType'],
};

function namesOf(text: string): readonly string[] {
  return alternatives[text] ?? [text];
}

/** Maps a file's columns. Values that cannot be read stop the query: `locate.ts` then names the row. */
export function mapColumns(columns: Columns): Mapping {
  const required = (name: string) => `coalesce(${amount(columns, name)}, error('unreadable'))`;
  return {
    period: billingMonth(columns, false),
    startsAt: instant(columns, 'ChargePeriodStart'),
    spansUntil: spanEnd(columns),
    keys: {
      ...Object.fromEntries(keyTexts.map((name) => [name, rawText(columns, namesOf(name))])),
      SubAccountId: subAccountOf(columns),
    },
    tags: tagsOf(columns),
    names: Object.fromEntries(nameTexts.map((name) => [name, textOf(columns, namesOf(name))])),
    amounts: {
      ...Object.fromEntries(amounts.map((name) => [name, amount(columns, name)])),
      BilledCost: required('BilledCost'),
      EffectiveCost: required('EffectiveCost'),
    },
  };
}

/** When a charge of usage, or a recurring fee that is no commitment's, ends more than a day after its start. Purchases, taxes and
 *  credits stay on their day, and so does what has no end. */
function spanEnd(columns: Columns): string {
  const [start, end] = [columns.get('chargeperiodstart'), columns.get('chargeperiodend')];
  if (!start || !end) return 'NULL::TIMESTAMP';
  const [category, frequency, commitment] = ['ChargeCategory', 'ChargeFrequency', 'CommitmentDiscountId'].map((name) =>
    textOf(columns, [name]),
  );
  const isSpread = `(lower(${category}) = 'usage'
    OR (lower(${category}) = 'purchase' AND lower(${frequency}) = 'recurring' AND ${commitment} IS NULL))`;
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

/** The checks behind `mapColumns`, in the order in which a row's first fault is named. */
export function rowChecks(columns: Columns): RowCheck[] {
  const texts = new Set([...keyTexts, ...nameTexts].flatMap(namesOf));
  const google = `coalesce(${isProvider('gcp', textOf(columns, namesOf('ProviderName')))}, false)`;
  const costs = ['BilledCost', 'EffectiveCost'];
  return [
    ...costs.flatMap((name) => checkNumber(columns, name, false)),
    ...amounts.filter((name) => !costs.includes(name)).flatMap((name) => checkNumber(columns, name, true)),
    ...['BillingPeriodStart', 'ChargePeriodStart'].flatMap((name) => checkInstant(columns, name)),
    ...checkColumn(columns, 'ChargePeriodEnd', {
      bad: (text) => `${text} IS NOT NULL AND ${instantText(text)} IS NULL`,
      expected: instantExample,
    }),
    ...checkCurrency(columns, 'BillingCurrency'),
    ...checkColumn(columns, 'ChargeCategory', {
      bad: (t) =>
        `coalesce(lower(${t}) NOT IN ('usage','purchase','tax','credit','adjustment') AND NOT (lower(${t}) = 'error' AND ${google}), true)`,
      expected: 'Usage, Purchase, Tax, Credit or Adjustment',
    }),
    ...[...texts].flatMap((name) => checkText(columns, name)),
  ];
}

/** The sub-account. Google's own view writes the billing account there, and the project beside it. */
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

/** Where Google's bills keep tags, the stronger first; FOCUS files of others have the one column `Tags`. */
const googleTags = ['x_Labels', 'x_Tags', 'x_ProjectLabels'] as const;

/** Tags as JSON text, or nested as Parquet has them: those become JSON after grouping. */
function tagsOf(columns: Columns): string {
  const column = columns.get('tags');
  if (column) return identifier(column.name);
  const parts = googleTags.flatMap((name) => columns.get(name.toLowerCase()) ?? []);
  if (parts.length === 0) return absentText;
  if (hasNestedTags(columns)) return `{${parts.map(({ name }) => `${literal(name)}: ${identifier(name)}`).join(', ')}}`;
  const texts = parts.map(
    ({ name }) => `'${JSON.stringify(name)}:' || coalesce(nullif(${identifier(name)}::VARCHAR, ''), 'null')`,
  );
  return `'{' || ${texts.join(` || ',' || `)} || '}'`;
}

/** Whether a file's tags are in columns that Google names. */
export function hasGoogleTags(columns: Columns): boolean {
  return !columns.has('tags') && googleTags.some((name) => columns.has(name.toLowerCase()));
}

/** Whether a file's tags are maps, structs or lists rather than text. */
export function hasNestedTags(columns: Columns): boolean {
  const held = columns.has('tags') ? ['tags'] : googleTags.map((name) => name.toLowerCase());
  const types = held.flatMap((name) => columns.get(name)?.type ?? []);
  return types.some((type) => type !== 'VARCHAR' && type !== 'JSON');
}

/** Names under which the large providers appear in FOCUS exports, in lower case. */
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

/** Longer than every provider's name. Keys of indexes hold slugs beside other texts, and take 2,704 bytes in all. */
const maxCharacters = 100;

/** The slug of a provider as the API spells it: `aws`, `azure`, `gcp`, else its name in lower case with dashes. */
export function providerSlug(name: string): string {
  const folded = name.trim().toLowerCase();
  const words = folded
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]/g, '') // accents of Latin, Greek and Cyrillic letters
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, '-');
  // Some letters are many when they are normalized.
  const slug = [...words]
    .slice(0, maxCharacters)
    .join('')
    .replace(/^-+|-+$/g, '');
  return known.get(folded) ?? (slug === '' ? 'unknown' : slug);
}

/** Whether a provider's name is one of those under which a large provider appears in exports, as SQL.
 *  @param name SQL of the name */
export function isProvider(slug: string, name: string): string {
  const names = [...known].flatMap(([spelled, of]) => (of === slug ? [`'${spelled}'`] : []));
  return `lower(trim(${name})) IN (${names.join(', ')})`;
}
