import { lit, type Duck } from './duck.ts';
import { readHeaderRow } from './header-row.ts';
import type { LoaderFile } from './protocol.ts';
import { Refusal, shown } from './refusal.ts';

/** A file's columns by lower-case name: the name as written, and DuckDB's type. */
export type Columns = ReadonlyMap<string, { name: string; type: string }>;

/** How to read a file: its columns, and the table function that yields its rows with all text columns nulled where
 *  empty. Files with the same signature can be read by one call. */
export interface Layout {
  columns: Columns;
  signature: string;
  /** FROM item over several files of this layout; `options` are appended to the call. */
  from(paths: readonly string[]): string;
}

/** Columns that FOCUS 1.0 to 1.4 demand and without which a charge means nothing. */
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

/** Reads a file's header.
 *  @throws {Refusal} naming the file, when it is unreadable, or a column is doubled or missing */
export async function readLayout(duck: Duck, file: LoaderFile): Promise<Layout> {
  const layout = file.format === 'parquet' ? await parquetLayout(duck, file) : await csvLayout(file);
  const missing: string[] = required.filter((name) => !layout.columns.has(name.toLowerCase()));
  if (!providerColumns.some((name) => layout.columns.has(name.toLowerCase()))) missing.push('ProviderName');
  if (missing.length > 0) {
    const list = missing.map((name) => `"${name}"`).join(', ');
    throw new Refusal(
      `${file.name}: ${missing.length === 1 ? 'column' : 'columns'} ${list} missing; FOCUS 1.0 to 1.4 require ${missing.length === 1 ? 'it' : 'them'}: export with all FOCUS columns`,
    );
  }
  return layout;
}

async function parquetLayout(duck: Duck, file: LoaderFile): Promise<Layout> {
  const rows = await duck
    .rows(`SELECT column_name AS n, column_type AS t FROM (DESCRIBE SELECT * FROM read_parquet(${lit(file.path)}))`)
    .catch((error: Error) => {
      throw new Refusal(`${file.name}: not a readable Parquet file (${firstLine(error.message)}): deliver it again`);
    });
  const columns = byName(
    file,
    rows.map((row) => ({ name: row['n'] ?? '', type: row['t'] ?? '' })),
  );
  return {
    columns,
    signature: `parquet ${JSON.stringify([...columns])}`,
    from: (paths) => `read_parquet([${paths.map(lit).join(',')}])`,
  };
}

async function csvLayout(file: LoaderFile): Promise<Layout> {
  const line = await readHeaderRow(file);
  const delimiter = [',', ';', '\t', '|'].reduce((best, d) => (count(line, d) > count(line, best) ? d : best));
  const names = splitHeader(line, delimiter);
  const columns = byName(
    file,
    names.map((name) => ({ name, type: 'VARCHAR' })),
  );
  const struct = names.map((name) => `${lit(name)}: 'VARCHAR'`).join(', ');
  const options = `auto_detect=false, header=true, columns={${struct}}, delim=${lit(delimiter)}, quote='"', escape='"', nullstr=['','NULL','null']`;
  return {
    columns,
    signature: `csv ${delimiter} ${JSON.stringify(names)}`,
    from: (paths) => `read_csv([${paths.map(lit).join(',')}], ${options})`,
  };
}

function byName(file: LoaderFile, columns: { name: string; type: string }[]): Columns {
  if (columns.length > maxColumns)
    throw new Refusal(`${file.name}: ${columns.length} columns; at most ${maxColumns} are read`);
  const map = new Map<string, { name: string; type: string }>();
  for (const column of columns) {
    const key = column.name.toLowerCase();
    if (map.has(key))
      throw new Refusal(`${file.name}: column ${shown(column.name)} appears twice in the header (row 1): remove one`);
    map.set(key, column);
  }
  return map;
}

/** The names of a header row; a column without one is called by its place. */
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

/** The first line of an error of DuckDB, without its prefix. */
export function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/^[A-Z][A-Za-z ]+ Error: /, '');
}
