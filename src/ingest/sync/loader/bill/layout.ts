import { identifier } from '../../../../engine/sql.ts';

/** What the columns of a bill are called: as FOCUS has it, as an AWS Cost and Usage Report, as Azure's cost details. */
type DialectName = 'focus' | 'aws-report' | 'azure-details';

/** One check that a row can fail: the file's column, the condition that is true of a bad value, and what is expected. */
export interface RowCheck {
  column: string;
  bad: string;
  value: string;
  expected: string;
}

/** A file's columns by lower-case name: the name as written, and DuckDB's type. */
export type Columns = ReadonlyMap<string, { name: string; type: string }>;

/** How to read a file. Files with the same signature can be read by one call. */
export interface Layout {
  /** The FOCUS columns that `from` has; a file of another dialect gets them by a view. */
  columns: Columns;
  signature: string;
  /** FROM item over several files of this layout: the charges, with all text columns nulled where empty. */
  from(paths: readonly string[]): string;
  dialect: DialectName;
  /** The word before the text of tags that says in which form they are, where it is not FOCUS's (`tag-forms.ts`). */
  tagForm: string;
  /** The file as it is written, to name what is wrong with it. */
  own: OwnRows;
}

/** A file's rows as they stand there. */
export interface OwnRows {
  from(paths: readonly string[]): string;
  /** Rows before the first charge, for the row numbers of messages. */
  headerRows: number;
  checks: readonly RowCheck[];
  /** The column with the start of the bill's month; null where it is made of several. */
  month: { name: string; type: string } | null;
  /** The column, or columns, of tags, and SQL of the text that is read of them. */
  tags: { column: string; sql: string };
}

/** How a file of another dialect than FOCUS is read as FOCUS. */
export interface Dialect {
  dialect: Exclude<DialectName, 'focus'>;
  /** The FOCUS columns that `view` makes. */
  columns: Columns;
  tagForm: string;
  /** Own columns that are not there and without which a charge means nothing. */
  missing: readonly string[];
  /** What is said of them, after which are missing. */
  needs: string;
  own: Omit<OwnRows, 'from' | 'headerRows'>;
  /** FROM item: the file's charges in FOCUS columns.
   *  @param isSeveral whether rows must keep the number of their file (`file_index`) */
  view(rows: string, isSeveral: boolean): string;
}

/** A FOCUS column as a view makes it. */
export interface Made {
  sql: string;
  /** VARCHAR where nothing is said. */
  type?: string;
}

/** The columns that a view makes, as `Columns` has them. */
export function columnsOf(made: Readonly<Record<string, Made>>): Columns {
  return new Map(
    Object.entries(made).map(([name, { type = 'VARCHAR' }]) => [name.toLowerCase(), { name, type }] as const),
  );
}

/** The list of a view's SELECT. */
export function selectList(made: Readonly<Record<string, Made>>): string {
  return Object.entries(made)
    .map(([name, { sql }]) => `${sql} AS ${identifier(name)}`)
    .join(',\n');
}

/** A column as it stands in the file, of whatever type. */
export function asItIs(columns: Columns, name: string): Made {
  const column = columns.get(name);
  return column ? { sql: identifier(column.name), type: column.type } : { sql: 'NULL::VARCHAR' };
}

/** The names of the file's own columns under other keys than those it writes. */
export function renamed(columns: Columns, key: (name: string) => string): Columns {
  return new Map([...columns.values()].map((column) => [key(column.name), column] as const));
}

// How the text of one column is read, as SQL over a file's columns. Names are keys of `Columns`: lower case.

/** Money and quantities: exact, twelve places. */
export const money = 'DECIMAL(38,12)';

/** The months that bills can be of; anything else is a typing error or a placeholder. */
export const firstMonth = '1990-01-01';
export const lastMonth = '2200-01-01';

/** A list of SELECT, from SQL by name. */
export function selectAs(columns: Readonly<Record<string, string>>): string {
  return Object.entries(columns)
    .map(([name, sql]) => `${sql} AS ${name}`)
    .join(', ');
}

/** A text that a file does not have. */
export const absentText = 'NULL::VARCHAR';

/** The first of these columns that is not empty, as text; null where the file has none of them. */
export function textOf(columns: Columns, names: readonly string[]): string {
  const found = names.flatMap((name) => {
    const column = columns.get(name.toLowerCase());
    return column ? [plainText(column)] : [];
  });
  if (found.length === 0) return absentText;
  return found.length === 1 ? (found[0] ?? 'NULL') : `coalesce(${found.join(', ')})`;
}

function plainText({ name, type }: { name: string; type: string }): string {
  if (type === 'VARCHAR') return `nullif(${identifier(name)}, '')`;
  if (/^(MAP|STRUCT)/.test(type)) return `to_json(${identifier(name)})::VARCHAR`;
  // Google's own FOCUS view makes lists of what FOCUS has as one word.
  return `nullif(${identifier(name)}${type.endsWith('[]') ? '[1]' : ''}::VARCHAR, '')`;
}

/** Text as it stands in the file, empty or not, where it comes from one column. Looking at each line item's text costs a tenth of the
 *  reading; `normalised` looks at those of each distinct charge. */
export function rawText(columns: Columns, names: readonly string[]): string {
  const found = names.flatMap((name) => columns.get(name.toLowerCase()) ?? []);
  const [only] = found;
  // A view of a dialect may have an untyped NULL there.
  return only && found.length === 1 && only.type === 'VARCHAR'
    ? `${identifier(only.name)}::VARCHAR`
    : textOf(columns, names);
}

/** Text with a digit separator is not a number here, though DuckDB would read `1_000`. */
function amountText(text: string): string {
  return `replace(${text}, '_', '?')`;
}

/** A column's amount, null where it is empty or the file has none: a value that is not a number stops the query. */
export function amount(columns: Columns, name: string): string {
  const column = columns.get(name.toLowerCase());
  if (!column) return `NULL::${money}`;
  const value = identifier(column.name);
  // A plain cast: a value that is not a number stops the query.
  if (column.type === 'VARCHAR') return `${amountText(value)}::${money}`;
  // DuckDB scales a FLOAT in single precision, which loses its seventh digit; its shortest text does not.
  return column.type === 'FLOAT' ? `${value}::VARCHAR::${money}` : `${value}::${money}`;
}

/** A column's time in UTC: one that is missing or unreadable stops the query. */
export function instant(columns: Columns, name: string): string {
  const column = columns.get(name.toLowerCase());
  const value = identifier(column?.name ?? name);
  if (column?.type.startsWith('TIMESTAMP WITH')) return `(${value} AT TIME ZONE 'UTC')`;
  if (column?.type.startsWith('TIMESTAMP') || column?.type === 'DATE')
    return `coalesce(${value}::TIMESTAMP, error('unreadable'))`;
  return `coalesce(${instantText(`${value}::VARCHAR`)}, error('unreadable'))`;
}

/** ISO 8601 with or without seconds, with `Z`, an offset or none (UTC); null where it is something else. A cast to TIMESTAMP
 *  would drop an offset. */
export function instantText(text: string): string {
  const full = `regexp_replace(${text}, '^(\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d)(Z|[+-]\\d\\d(:?\\d\\d)?)$', '\\1:00\\2')`;
  return `CASE WHEN regexp_matches(${text}, '\\d[+-]\\d\\d(:?\\d\\d)?$') AND ${text} LIKE '%:%' THEN (try_cast(${full} AS TIMESTAMPTZ) AT TIME ZONE 'UTC')
    ELSE coalesce(try_cast(${text} AS TIMESTAMP), try_cast(${full} AS TIMESTAMP)) END`;
}

/** A check of one column; none where the file does not have it.
 *  @param bad SQL that is true of a bad value, over the value's text
 *  @param name what the file's owner calls the column, where it is not `column` */
export function checkColumn(
  columns: Columns,
  column: string,
  { bad, expected, name = column }: { bad(text: string): string; expected: string; name?: string | undefined },
): RowCheck[] {
  if (!columns.has(column.toLowerCase())) return [];
  const value = textOf(columns, [column]);
  return [{ column: name, bad: bad(value), value, expected }];
}

/** That a column is a decimal number. */
export function checkNumber(columns: Columns, column: string, nullable: boolean, name?: string): RowCheck[] {
  return checkColumn(columns, column, {
    bad: (text) => `${nullable ? `${text} IS NOT NULL AND ` : ''}try_cast(${amountText(text)} AS ${money}) IS NULL`,
    expected: `a decimal number${nullable ? '' : ', not empty'}`,
    name,
  });
}

export const instantExample = 'a date and time in ISO 8601, such as 2026-05-01T00:00:00Z';

/** That a column is a time that bills can have. */
export function checkInstant(columns: Columns, column: string, name?: string): RowCheck[] {
  return checkColumn(columns, column, {
    bad: (text) => `coalesce(${instantText(text)} NOT BETWEEN '${firstMonth}' AND '${lastMonth}', true)`,
    expected: instantExample,
    name,
  });
}

/** That a column is an ISO 4217 code. */
export function checkCurrency(columns: Columns, column: string, name?: string): RowCheck[] {
  return checkColumn(columns, column, {
    bad: (text) => `coalesce(NOT regexp_matches(${text}, '^[A-Za-z]{3}$'), true)`,
    expected: 'an ISO 4217 currency code of three letters',
    name,
  });
}

/** That a column holds nothing that PostgreSQL could not. */
export function checkText(columns: Columns, column: string, name?: string): RowCheck[] {
  return checkColumn(columns, column, {
    bad: (text) => `coalesce(contains(${text}, chr(0)), false)`,
    expected: 'text: it holds a NUL character',
    name,
  });
}
