import { identifier } from '../../../../engine/sql.ts';
import type { Columns, DialectName, OwnRows } from '../layout.ts';

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
