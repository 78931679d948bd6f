import { factColumns, unitPrices } from '../../engine/codebook.ts';
import { type FactSet, openFacts } from '../../engine/fact-set.ts';
import { identifier, literal } from '../../engine/sql.ts';
import type { Deps } from '../../kit/deps.ts';
import { freeBytes, leastFreeBytes } from '../../kit/disk.ts';
import { AppError, fix, message } from '../../kit/errors/errors.ts';
import { formatBytes } from '../../kit/text/format.ts';
import { addDays, dayOf, type DayRange } from '../../kit/time/period.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { resolveFilters, type FiltersInput } from './breakdown/question.ts';
import { rowFilter, tagFilter, valueSql } from './reading/fact-values.ts';
import { passes, withoutFilters, type CostQuery } from './query.ts';
import { resolveRange, type CostArgs } from './question.ts';
import { readTagBasis } from './reading/tag-basis.ts';
import { inSnapshot } from './reading/sql.ts';
import { readLedger } from './ledger.ts';

/** Dependencies of exports. */
export type ExportDeps = Pick<Deps, 'pool' | 'clock' | 'engine' | 'config'>;

/** Export formats with their file extensions and media types. */
export const exportFormats = {
  focus_parquet: { file: 'parquet', mediaType: 'application/vnd.apache.parquet' },
  focus_csv: { file: 'csv', mediaType: 'text/csv; charset=utf-8' },
} as const;

export type ExportFormat = keyof typeof exportFormats;

/** Export parameters. */
export interface ExportArgs extends Pick<CostArgs, 'startDate' | 'endDate'> {
  readonly format: ExportFormat;
  readonly filters?: FiltersInput | null;
}

/** A file of exported facts in the engine's scratch folder. The receiver deletes it. */
export interface ExportedFile {
  readonly path: string;
  /** Safe in all headers and file systems. */
  readonly name: string;
  readonly mediaType: string;
}

/** Columns that are meaningless outside this server. */
const internal: ReadonlySet<string> = new Set(['x_OrganizationId', 'x_StartHours']);

/** Writes the facts in the caller's scope to a file: a row per distinct charge and UTC day, with FOCUS columns.
 *  @throws {AppError} VALIDATION_ERROR that names the parameter; SERVICE_UNAVAILABLE when the engine is busy, the disk is full or
 *    the export takes too long */
export async function writeExport(
  deps: ExportDeps,
  scope: OrgScope,
  { format, filters, ...days }: ExportArgs,
  signal: AbortSignal,
): Promise<ExportedFile> {
  const range = resolveRange(days, dayOf(deps.clock.now()), false);
  const query: CostQuery = {
    range,
    costMetric: 'effective',
    bucket: 'day',
    dimensions: [],
    ...resolveFilters(filters),
  };
  const { file, mediaType } = exportFormats[format];
  const { facts, tags } = await open(deps, scope, query);
  const kept = { ...query, ...withoutFilters(query, 'account') };
  const conditions = [...rowFilter(kept), ...tagFilter(kept, (dimension) => valueSql(dimension, tags))];
  const columns = factColumns
    .filter(({ name }) => !internal.has(name))
    .map(format === 'focus_csv' ? cellSql : plainSql);
  const sql = `SELECT ${columns.join(', ')} FROM facts${conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`}`;
  await refuseFullDisk(deps.config.dataDir, facts);
  const path = await deps.engine.write(facts, { name: 'export', sql, signal }, file);
  return { path, name: `costs-${nameOf(range)}.${file}`, mediaType };
}

/** Refuses an export that would fill the disk. Its size is estimated as that of the files that it reads. */
async function refuseFullDisk(folder: string, { parts }: FactSet): Promise<void> {
  const free = await freeBytes(folder);
  const files = parts.flatMap((part) => part.files);
  const needed = leastFreeBytes + files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (free === null || free >= needed) return;
  throw new AppError(
    'SERVICE_UNAVAILABLE',
    message`The export needs ${formatBytes(needed)} on the disk of the server, which has ${formatBytes(free)} free${fix}make space in ${folder}, or request fewer days or accounts`,
    { headers: { 'Retry-After': '60' } },
  );
}

async function open({ pool }: ExportDeps, scope: OrgScope, query: CostQuery) {
  const ledger = await readLedger(pool, scope);
  const accountIds = ledger.accounts.map(({ id }) => id).filter((id) => passes(query, 'account', id));
  const { start, end } = query.range;
  return inSnapshot(pool, async (reader) => ({
    facts: await openFacts(reader, scope, { accountIds, start, end, grain: 'day' }),
    tags: await readTagBasis(reader, { ...ledger, accountIds }, query),
  }));
}

function nameOf({ start, end }: DayRange): string {
  return `${start}-${addDays(end, -1)}`;
}

type Column = (typeof factColumns)[number];

const pricingCurrency = 'coalesce(PricingCurrency, BillingCurrency)';

/** SQL of a figure in the pricing currency. It is never null in FOCUS: where a bill has none, that of the billing currency counts
 *  if both are the same. */
const priced = (figure: string, inBilling: string) =>
  `coalesce(${figure}, CASE WHEN ${pricingCurrency} = BillingCurrency THEN ${inBilling} END)`;

/** Facts that FOCUS writes differently: it has null for no region and no sub-account, and the billing currency is the pricing
 *  currency where a bill names none. */
const asInFocus: Readonly<Record<string, string>> = {
  RegionId: `CASE WHEN RegionId <> 'global' OR RegionName IS NOT NULL THEN RegionId END`,
  SubAccountId: `nullif(SubAccountId, 'unassigned')`,
  PricingCurrency: pricingCurrency,
  PricingCurrencyEffectiveCost: priced('PricingCurrencyEffectiveCost', 'EffectiveCost'),
  PricingCurrencyListUnitPrice: priced('PricingCurrencyListUnitPrice', 'ListUnitPrice'),
  PricingCurrencyContractedUnitPrice: priced('PricingCurrencyContractedUnitPrice', 'ContractedUnitPrice'),
};

function valueOf(name: string): string {
  return asInFocus[name] ?? identifier(name);
}

const isPrice = (name: string) => unitPrices.some((price) => price === name);

/** Casts a column to its declared type, and prices to decimals: files of several exports are read together, so their types must
 *  match. */
function plainSql({ name, type }: Column): string {
  return `(${valueOf(name)})::${isPrice(name) ? 'DECIMAL(38,18)' : type} AS ${identifier(name)}`;
}

/** Formats a CSV cell: instants in ISO 8601, as FOCUS requires, and text that neither spreadsheets nor terminals
 *  run; see `inertCell`. */
function cellSql(field: Column): string {
  const { name, type } = field;
  const column = identifier(name);
  if (type === 'TIMESTAMP') return `strftime(${column}, '%Y-%m-%dT%H:%M:%SZ') AS ${column}`;
  if (type !== 'VARCHAR') return plainSql(field);
  const value = valueOf(name);
  if (isPrice(name)) return `${value} AS ${column}`;
  const plain = `regexp_replace(${value}, ${literal('[^\\P{Cc}\\t\\n\\r]')}, '', 'g')`;
  const inert = `regexp_replace(${plain}, ${literal('([;\\t\\r\\n])([=+\\-@＝＋－＠])')}, ${literal("\\1'\\2")}, 'g')`;
  return `CASE WHEN regexp_matches(${plain}, ${literal('^[=+\\-@\\t\\r\\n＝＋－＠]')}) THEN concat('''', ${inert}) ELSE ${inert} END AS ${column}`;
}
