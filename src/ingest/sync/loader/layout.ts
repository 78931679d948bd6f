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
