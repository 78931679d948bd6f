import { identifier } from '../../../engine/sql.ts';

/** What the columns of a bill are called: as FOCUS has it, as an AWS Cost and Usage Report, as Azure's cost details. */
export type DialectName = 'focus' | 'aws-report' | 'azure-details';

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
  own: Omit<OwnRows, 'from'>;
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
