import { literal } from '../../../../engine/sql.ts';
import { mapColumns, rowChecks } from './columns.ts';
import { compressionOf, readBytes, verifyParquet } from './compression.ts';
import { awsReport } from './dialects/aws-report.ts';
import { azureDetails } from './dialects/azure-details.ts';
import type { Duck } from '../duck.ts';
import { couldBeBill, foreignBill } from './foreign.ts';
import type { Columns, Layout } from './layout.ts';
import type { LoaderFile } from '../protocol.ts';
import { Refusal, shown, UnknownTable } from '../refusal.ts';

/** Columns required by FOCUS 1.0 to 1.4 and by our charges. */
const required = [
  'BilledCost',
  'EffectiveCost',
  'ListCost',
  'ContractedCost',
  'BillingCurrency',
  'BillingPeriodStart',
  'ChargePeriodStart',
  'ChargeCategory',
  'ServiceName',
] as const;
const providerColumns = ['ProviderName', 'ServiceProviderName', 'HostProviderName', 'InvoiceIssuerName'] as const;
const maxColumns = 1000;
/** Why a table is skipped. */
const noBill = 'no columns of costs and times';

/** Reads a file's header.
 *  @throws {Refusal} naming the file, when it is unreadable, or a column is duplicate or missing */
export async function readLayout(duck: Duck, file: LoaderFile): Promise<Layout> {
  const rows = await readRows(duck, file);
  const dialect = rows.columns.has('chargecategory') ? null : (awsReport(rows.columns) ?? azureDetails(rows.columns));
  if (!dialect) return focusLayout(file, rows);
  const { missing, needs, parts } = dialect;
  if (missing.length > 0) throw new Refusal(`${file.name}: ${missingColumns(missing)} missing, ${needs}`);
  return {
    ...dialect,
    signature: `${dialect.dialect} ${rows.signature}`,
    from: (paths) => dialect.view(rows.from(paths), paths.length > 1),
    parts: parts && ((paths) => parts(rows.from(paths), paths.length > 1)),
    own: { from: rows.from, headerRows: rows.headerRows, ...dialect.own },
  };
}

/** Reads a file's header, whatever the file is.
 *  @throws {Refusal} naming the file, when it is unreadable, or a column is duplicate */
export async function readRows(duck: Duck, file: LoaderFile): Promise<Rows> {
  return file.format === 'parquet' ? await parquetRows(duck, file) : await csvRows(file);
}

function focusLayout(file: LoaderFile, rows: Rows): Layout {
  const { columns, signature, headerRows, from } = rows;
  const missing: string[] = required.filter((name) => !columns.has(name.toLowerCase()));
  if (!providerColumns.some((name) => columns.has(name.toLowerCase()))) missing.push('ProviderName');
  if (missing.length > 0) {
    refuseOthers(file, columns);
    throw new Refusal(
      `${file.name}: ${missingColumns(missing)} missing, but FOCUS 1.0 to 1.4 require ${missing.length === 1 ? 'it' : 'them'}; export with all FOCUS columns`,
    );
  }
  const tags = {
    column: columns.has('allocatedtags') ? 'Tags or AllocatedTags' : 'Tags',
    sql: mapColumns(columns).tags,
  };
  const month = columns.get('billingperiodstart') ?? null;
  return {
    columns,
    signature,
    from,
    parts: null,
    dialect: 'focus',
    tagForm: '',
    own: { from, headerRows, checks: rowChecks(columns), month, tags },
  };
}

/** @throws {Refusal} for a bill of another format; {UnknownTable} for a table that is not a bill */
function refuseOthers(file: LoaderFile, columns: Columns): void {
  const says = foreignBill(columns);
  if (says) throw new Refusal(`${file.name}: ${says}`);
  if (!couldBeBill(columns)) throw new UnknownTable(file.name, noBill);
}

function missingColumns(missing: readonly string[]): string {
  return `${missing.length === 1 ? 'column' : 'columns'} ${missing.map((name) => `"${name}"`).join(', ')}`;
}

/** A file's rows as written. */
export interface Rows {
  columns: Columns;
  signature: string;
  /** Rows before the first charge. */
  headerRows: number;
  from(paths: readonly string[]): string;
}

async function parquetRows(duck: Duck, file: LoaderFile): Promise<Rows> {
  const refuse = (error: Error) => {
    if (error instanceof Refusal) throw error;
    throw new Refusal(`${file.name}: ${parquetFault(error.message)}; replace it with an intact file`, { cause: error });
  };
  const described = `SELECT column_name AS n, column_type AS t FROM (DESCRIBE SELECT * FROM ${parquetFrom([file.path])})`;
  const rows = await duck.rows(described).catch(refuse);
  await verifyParquet(duck, file).catch(refuse);
  const columns = byName(
    file,
    rows.map((row) => ({ name: row['n'] ?? '', type: row['t'] ?? '' })),
  );
  return {
    columns,
    signature: `parquet ${JSON.stringify([...columns])}`,
    headerRows: 0,
    from: parquetFrom,
  };
}

/** Describes DuckDB's message for a Parquet file that it cannot open. */
function parquetFault(message: string): string {
  if (/encrypt/i.test(message)) return 'the Parquet file is encrypted';
  const isCut = /magic bytes|too small|footer/i.test(message);
  return isCut ? 'not a Parquet file, or truncated' : 'the Parquet file is damaged';
}

/** Folders such as `BillingCurrency=EUR` name no columns: a file's own count. */
function parquetFrom(paths: readonly string[]): string {
  return `read_parquet([${paths.map(literal).join(',')}], hive_partitioning=false)`;
}

async function csvRows(file: LoaderFile): Promise<Rows> {
  const { line, skip } = await readHeaderRow(file).catch((error: unknown) => {
    // Such a file is recognized by its content only.
    const isText = /\.txt(\.[a-z]+)?$/i.test(file.name);
    throw isText && error instanceof Refusal
      ? new UnknownTable(file.name, 'text without a row of column names')
      : error;
  });
  const delimiter = [',', ';', '\t', '|'].reduce((best, d) => (count(line, d) > count(line, best) ? d : best));
  const names = splitHeader(line, delimiter);
  const columns = byName(
    file,
    names.map((name) => ({ name, type: 'VARCHAR' })),
  );
  const struct = names.map((name) => `${literal(name)}: 'VARCHAR'`).join(', ');
  const options = `auto_detect=false, hive_partitioning=false, header=true, skip=${skip}, columns={${struct}}, delim=${literal(delimiter)}, quote='"', escape='"', nullstr=['','NULL','null'], compression='${compressionOf(file)}'`;
  return {
    columns,
    signature: `${file.format} ${skip} ${delimiter} ${JSON.stringify(names)}`,
    headerRows: skip + 1,
    from: (paths) => `read_csv([${paths.map(literal).join(',')}], ${options})`,
  };
}

function byName(file: LoaderFile, columns: { name: string; type: string }[]): Columns {
  if (columns.length > maxColumns)
    throw new Refusal(`${file.name}: ${columns.length} columns; at most ${maxColumns} are read`);
  const map = new Map<string, { name: string; type: string }>();
  let twice: string | undefined;
  for (const column of columns) {
    const key = column.name.toLowerCase();
    if (map.has(key)) twice ??= column.name;
    map.set(key, column);
  }
  if (twice === undefined) return map;
  const isFocus = required.some((name) => map.has(name.toLowerCase()));
  if (!isFocus && !couldBeBill(map) && foreignBill(map) === null) throw new UnknownTable(file.name, noBill);
  throw new Refusal(`${file.name}: column ${shown(twice)} appears twice in the header (row 1); remove one`);
}

/** Splits a header row into names; an empty name becomes the column's position. */
function splitHeader(line: string, delimiter: string): string[] {
  const names: string[] = [];
  let name = '';
  let isQuoted = false;
  for (const character of line) {
    if (character === '"') isQuoted = !isQuoted;
    if (character !== delimiter || isQuoted) name += character;
    else {
      names.push(name);
      name = '';
    }
  }
  return [...names, name].map((text, index) => unquoted(text.trim()) || `column ${index + 1}`);
}

function unquoted(text: string): string {
  const isQuoted = text.length > 1 && text.startsWith('"') && text.endsWith('"');
  return isQuoted ? text.slice(1, -1).replaceAll('""', '"').trim() : text;
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

const maxHeaderBytes = 1 << 20;

/** The header of a CSV file, without byte order mark and line end, and how many rows come before it: Excel may name the delimiter
 *  there (`sep=;`).
 *  @throws {Refusal} when the file is empty, or is not UTF-8 text */
async function readHeaderRow(file: LoaderFile): Promise<{ line: string; skip: number }> {
  const rows = textOf(file, await readFirstRows(file))
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/);
  const skip = isDelimiterRow(rows[0] ?? '') ? 1 : 0;
  const line = rows.slice(skip).join('\n');
  if (line.trim() === '')
    throw new Refusal(`${file.name}: the file is empty; a FOCUS file starts with a row of column names`);
  return { line, skip };
}

function isDelimiterRow(row: string): boolean {
  return /^\uFEFF?"?sep=.?"?$/i.test(row);
}

/** The file's head up to the end of its header. */
async function readFirstRows(file: LoaderFile): Promise<Buffer> {
  let head = Buffer.alloc(0);
  for await (const chunk of readBytes(file)) {
    head = Buffer.concat([head, chunk]);
    let end = endOfRow(head, 0);
    if (end !== null && isDelimiterRow(head.toString('utf8', 0, end)))
      end = endOfRow(head, head[end] === 0x0d && head[end + 1] === 0x0a ? end + 2 : end + 1);
    if (end !== null) return head.subarray(0, end);
    if (head.length > maxHeaderBytes)
      throw new Refusal(`${file.name}: no line ends within the first MiB; it is not a CSV file`);
  }
  return head;
}

/** Returns the position of the first line end outside quotes, which ends the row; null if there is none. */
function endOfRow(bytes: Buffer, start: number): number | null {
  let isQuoted = false;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === 0x22) isQuoted = !isQuoted;
    else if (!isQuoted && (byte === 0x0a || byte === 0x0d)) return at;
  }
  return null;
}

function textOf(file: LoaderFile, bytes: Buffer): string {
  const isUtf16 =
    bytes.includes(0) || (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  try {
    if (!isUtf16) return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Reported below.
  }
  throw new Refusal(`${file.name}, row 1: is not UTF-8 text${isUtf16 ? ' but UTF-16' : ''}; deliver the file as UTF-8`);
}
