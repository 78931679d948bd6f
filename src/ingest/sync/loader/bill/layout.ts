import { identifier } from '../../../../engine/sql.ts';
import { shown } from '../refusal.ts';

/** Column names of a bill: FOCUS, AWS Cost and Usage Report, or Azure cost details. */
type DialectName = 'focus' | 'aws-report' | 'azure-details';

/** A row check: the file's column, the SQL condition that is true for a bad value, and what is expected. */
export interface RowCheck {
  column: string;
  bad: string;
  value: string;
  expected: string;
}

/** A file's columns by lower-case name: the name as written, and DuckDB's type. */
export type Columns = ReadonlyMap<string, { name: string; type: string }>;

/** How to read a file. One scan can read all files with the same signature. */
export interface Layout {
  /** FOCUS columns of `from`; a view produces them for other dialects. */
  columns: Columns;
  signature: string;
  /** Returns a FROM item over several files of this layout: the charges, with empty texts as null. */
  from(paths: readonly string[]): string;
  /** Returns a FROM item over the parts of charges that several files of this layout also have; null: none. See
   *  `Dialect.parts`. */
  parts: ((paths: readonly string[]) => string) | null;
  dialect: DialectName;
  /** Prefix of the tags' text that names their form, if it is not FOCUS's (`month/tags.ts`). */
  tagForm: string;
  /** The file as written, for error messages. */
  own: OwnRows;
}

/** A file's rows as written. */
export interface OwnRows {
  from(paths: readonly string[]): string;
  /** Rows before the first charge, for the row numbers of messages. */
  headerRows: number;
  checks: readonly RowCheck[];
  /** Column with the start of the billing month; null if it is derived from several. */
  month: { name: string; type: string } | null;
  /** Column name or names of the tags, and SQL of their text. */
  tags: { column: string; sql: string };
}

/** How to read a file of another dialect as FOCUS. */
export interface Dialect {
  dialect: Exclude<DialectName, 'focus'>;
  /** FOCUS columns that `view` produces. */
  columns: Columns;
  tagForm: string;
  /** Required columns that the file lacks. */
  missing: readonly string[];
  /** Explanation that follows the missing columns in the error message. */
  needs: string;
  own: Omit<OwnRows, 'from' | 'headerRows'>;
  /** FROM item: the file's charges in FOCUS columns.
   *  @param isSeveral whether rows must keep the number of their file (`file_index`) */
  view(rows: string, isSeveral: boolean): string;
  /** FROM item: rows that show which containers caused the cost of a resource (`parent`) on a day, in the columns of the table
   *  `parts` (`batch.ts`); null if the file has none. */
  parts: ((rows: string, isSeveral: boolean) => string) | null;
}

/** A FOCUS column produced by a view. */
export interface Made {
  sql: string;
  /** Default: VARCHAR. */
  type?: string;
}

/** Returns the columns that a view produces, as `Columns`. */
export function columnsOf(made: Readonly<Record<string, Made>>): Columns {
  return new Map(
    Object.entries(made).map(([name, { type = 'VARCHAR' }]) => [name.toLowerCase(), { name, type }] as const),
  );
}

/** Returns the SELECT list of a view. */
export function selectList(made: Readonly<Record<string, Made>>): string {
  return Object.entries(made)
    .map(([name, { sql }]) => `${sql} AS ${identifier(name)}`)
    .join(',\n');
}

/** Returns a column as in the file, of any type. */
export function asItIs(columns: Columns, name: string): Made {
  const column = columns.get(name);
  return column ? { sql: identifier(column.name), type: column.type } : { sql: 'NULL::VARCHAR' };
}

/** Re-keys the file's own columns. */
export function renamed(columns: Columns, key: (name: string) => string): Columns {
  return new Map([...columns.values()].map((column) => [key(column.name), column] as const));
}

// How to read one column, as SQL over a file's columns. Names are keys of `Columns`: lower case.

/** Type of money and quantities: exact, 12 decimal places. */
export const money = 'DECIMAL(38,12)';

/** Range of plausible billing months; anything else is a typo or a placeholder. */
export const firstMonth = '1990-01-01';
export const lastMonth = '2200-01-01';

/** Returns a SELECT list from SQL by name. */
export function selectAs(columns: Readonly<Record<string, string>>): string {
  return Object.entries(columns)
    .map(([name, sql]) => `${sql} AS ${name}`)
    .join(', ');
}

/** SQL of a text that the file lacks. */
export const absentText = 'NULL::VARCHAR';

/** Returns SQL for the first non-empty of these columns, as text; null if the file has none of them. */
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
  // Google's own FOCUS view has lists where FOCUS has a single value.
  return `nullif(${identifier(name)}${type.endsWith('[]') ? '[1]' : ''}::VARCHAR, '')`;
}

/** A missing id in older bills of Azure. */
export const noGuid = '00000000-0000-0000-0000-000000000000';

/** Returns SQL for the id of a commitment; null if it is Azure's placeholder for no commitment.
 *  @param id SQL of the text */
export function commitmentId(id: string): string {
  return `nullif(${id}, '${noGuid}')`;
}

/** Returns SQL for a text as in the file, empty or not, if it comes from one column. Checking each line item's text takes a
 *  tenth of the reading time; `normalised` does it per distinct charge. */
export function rawText(columns: Columns, names: readonly string[]): string {
  const found = names.flatMap((name) => columns.get(name.toLowerCase()) ?? []);
  const [only] = found;
  // A dialect's view may have an untyped NULL there.
  return only && found.length === 1 && only.type === 'VARCHAR'
    ? `${identifier(only.name)}::VARCHAR`
    : textOf(columns, names);
}

/** Makes digit separators invalid, because DuckDB would accept `1_000`. */
function amountText(text: string): string {
  return `replace(${text}, '_', '?')`;
}

/** DuckDB types with several values. */
const nestedType = /^(STRUCT|MAP|UNION)|\]$/;

/** DuckDB types that are not amounts, although DuckDB casts some of them to a number. */
const noAmount = /^(BOOLEAN|BLOB|BIT|UUID|STRUCT|MAP|UNION)|\]$/;

/** Returns SQL for a column's amount; null if empty or absent. A value that is not a number stops the query. */
export function amount(columns: Columns, name: string): string {
  const column = columns.get(name.toLowerCase());
  if (!column) return `NULL::${money}`;
  const value = identifier(column.name);
  if (noAmount.test(column.type)) return `CASE WHEN ${value} IS NOT NULL THEN error('unreadable') END::${money}`;
  // A plain cast, so that an invalid value stops the query.
  if (column.type === 'VARCHAR') return `${amountText(value)}::${money}`;
  // DuckDB scales a FLOAT in single precision, which loses its seventh digit; its shortest text does not.
  return column.type === 'FLOAT' ? `${value}::VARCHAR::${money}` : `${value}::${money}`;
}

/** Returns SQL for the one spelling of a decimal number: `1.5` for `1.50` and `15e-1`; null if empty. A text that is not a number
 *  stops the query. */
export function decimalText(text: string): string {
  const decimal = `try_cast(${amountText(text)} AS DECIMAL(38,18))::VARCHAR`;
  return `CASE WHEN ${text} IS NOT NULL THEN coalesce(rtrim(rtrim(${decimal}, '0'), '.'), error('unreadable')) END`;
}

/** Returns SQL for a column's time in UTC; a missing or unreadable value stops the query. */
export function instant(columns: Columns, name: string): string {
  const column = columns.get(name.toLowerCase());
  const value = identifier(column?.name ?? name);
  if (column?.type.startsWith('TIMESTAMP WITH')) return `(${value} AT TIME ZONE 'UTC')`;
  if (column?.type.startsWith('TIMESTAMP') || column?.type === 'DATE')
    return `coalesce(${value}::TIMESTAMP, error('unreadable'))`;
  return `coalesce(${instantText(`${value}::VARCHAR`)}, error('unreadable'))`;
}

/** Parses ISO 8601 with or without seconds, with `Z`, an offset up to 14 hours or none (UTC); null for anything else. A cast to
 *  TIMESTAMP would drop the offset, and one to TIMESTAMPTZ would accept 99 hours. Snowflake writes a space before the offset. */
export function instantText(text: string): string {
  const full = `regexp_replace(${text}, '^(\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d)(Z|[+-]\\d\\d(:?\\d\\d)?)$', '\\1:00\\2')`;
  const joined = `regexp_replace(${text}, '^(\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\S*) (Z|[+-]\\d\\d(:?\\d\\d)?)$', '\\1\\2')`;
  const zoned = `CASE WHEN regexp_matches(${text}, '[+-](0\\d|1[0-4])(:?[0-5]\\d)?$')
    THEN coalesce(try_cast(${full} AS TIMESTAMPTZ), try_cast(${joined} AS TIMESTAMPTZ)) AT TIME ZONE 'UTC' END`;
  return `CASE WHEN regexp_matches(${text}, '\\d ?[+-][\\d:]+$') AND ${text} LIKE '%:%' THEN ${zoned}
    ELSE coalesce(try_cast(${text} AS TIMESTAMP), try_cast(${full} AS TIMESTAMP), try_cast(${joined} AS TIMESTAMPTZ) AT TIME ZONE 'UTC') END`;
}

/** Returns a check of one column; none if the file lacks it.
 *  @param bad returns SQL that is true for a bad value, over its text
 *  @param name the column's name in error messages, if it is not `column` */
export function checkColumn(
  columns: Columns,
  column: string,
  { bad, expected, name = column }: { bad(text: string): string; expected: string; name?: string | undefined },
): RowCheck[] {
  if (!columns.has(column.toLowerCase())) return [];
  const value = textOf(columns, [column]);
  return [{ column: name, bad: bad(value), value, expected }];
}

/** Checks for a decimal number that can be stored. */
export function checkNumber(columns: Columns, column: string, nullable: boolean, name?: string): RowCheck[] {
  const type = columns.get(column.toLowerCase())?.type ?? '';
  if (noAmount.test(type))
    return checkColumn(columns, column, {
      bad: (text) => (nullable ? `${text} IS NOT NULL` : 'true'),
      expected: `a decimal number: the column has the type ${shown(type)}`,
      name,
    });
  const unread = (text: string) => `try_cast(${amountText(text)} AS ${money}) IS NULL`;
  const decimal = '[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?';
  return [
    ...checkColumn(columns, column, {
      bad: (text) => `regexp_full_match(${text}, '${decimal}') AND ${unread(text)}`,
      expected: 'between -1e26 and 1e26',
      name,
    }),
    ...checkColumn(columns, column, {
      bad: (text) => `${nullable ? `${text} IS NOT NULL AND ` : ''}${unread(text)}`,
      expected: 'a decimal number',
      name,
    }),
  ];
}

/** Range of plausible dates, for messages. */
export const expectedRange = `between ${firstMonth} and ${lastMonth}`;

const instantExample = 'a date and time in ISO 8601, such as 2026-05-01T00:00:00Z';

/** Checks for a time that bills can have. */
export function checkInstant(columns: Columns, column: string, name?: string): RowCheck[] {
  return [
    ...checkColumn(columns, column, {
      bad: (text) =>
        `isfinite(${instantText(text)}) AND ${instantText(text)} NOT BETWEEN '${firstMonth}' AND '${lastMonth}'`,
      expected: expectedRange,
      name,
    }),
    ...checkReadable(columns, column, { nullable: false, name }),
  ];
}

/** Checks for a time. */
export function checkReadable(
  columns: Columns,
  column: string,
  { nullable, name }: { nullable: boolean; name?: string | undefined },
): RowCheck[] {
  const type = columns.get(column.toLowerCase())?.type ?? '';
  const isNested = nestedType.test(type);
  return checkColumn(columns, column, {
    // The text of a list is that of its first item, which may be a time.
    bad: (text) =>
      `${nullable ? `${text} IS NOT NULL AND ` : ''}${isNested ? 'true' : `coalesce(NOT isfinite(${instantText(text)}), true)`}`,
    expected: isNested ? `${instantExample}: the column has the type ${shown(type)}` : instantExample,
    name,
  });
}

/** Checks for an ISO 4217 code. */
export function checkCurrency(columns: Columns, column: string, name?: string): RowCheck[] {
  return checkColumn(columns, column, {
    bad: (text) => `coalesce(NOT regexp_matches(${text}, '^[A-Za-z]{3}$'), true)`,
    expected: 'an ISO 4217 currency code of three letters',
    name,
  });
}

/** Columns with texts of any length. All others can be parts of a key in PostgreSQL, whose entries are limited to 2,704 bytes. */
const longTexts = /description|details$|tags|resource/i;
const keyBytes = 1_000;

/** Returns SQL that is true if a text is too long for a key.
 *  @param column its name, which decides whether the text can be part of a key */
export function isTooLong(column: string, text = column): string {
  return longTexts.test(column) ? 'false' : `coalesce(strlen(${text}) > ${keyBytes}, false)`;
}

/** Checks for characters that PostgreSQL cannot store, and for texts that are too long for its keys. */
export function checkText(columns: Columns, column: string, name?: string): RowCheck[] {
  const checks = checkColumn(columns, column, {
    bad: (text) => `coalesce(contains(${text}, chr(0)), false)`,
    expected: 'text: it contains a NUL character',
    name,
  });
  const tooLong = checkColumn(columns, column, {
    bad: (text) => isTooLong(column, text),
    expected: `text of at most ${keyBytes.toLocaleString('en-US')} bytes`,
    name,
  });
  return [...checks, ...tooLong];
}
