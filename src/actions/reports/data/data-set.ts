import type { Deps } from '../../../kit/deps.ts';
import type { OrgScope } from '../../../tenancy/auth/scope.ts';
import type { Column, Fact, ReportDocument, Row, Section, Value } from '../document.ts';
import type { Report } from '../store.ts';

/** What a data set is made from. */
export interface DataRequest {
  readonly deps: Pick<Deps, 'db' | 'pool' | 'clock' | 'engine'>;
  /** Never more than the report's owner sees, and than the report is about. */
  readonly scope: OrgScope;
  readonly report: Pick<Report, 'type' | 'startDate' | 'endDate' | 'filters'>;
  /** ISO 4217: the organization's. */
  readonly currency: string;
  /** Names of the accounts in scope, by their ids. */
  readonly accountNames: ReadonlyMap<string, string>;
}

/** What only the kind of a report knows of its document. */
export type DataSet = Pick<ReportDocument, 'subtitle' | 'summary' | 'charts' | 'sections' | 'notes'>;

/** Reads what a report is about.
 *  @throws {AppError} VALIDATION_ERROR when it cannot be asked (any more) */
export type ReadDataSet = (request: DataRequest) => Promise<DataSet>;

/** A column with the value of its cells. */
export interface Field<Item> extends Column {
  readonly of: (item: Item) => Value;
}

/** A table of few rows, which are all at hand. */
export function tableOf<Item>(
  about: Pick<Section, 'key' | 'title'>,
  fields: readonly Field<Item>[],
  items: readonly Item[],
  totals: Row | null = null,
): Section {
  return {
    ...about,
    columns: fields.map(columnOf),
    rows: rowsOf(fields, items),
    rowCount: items.length,
    totals: items.length > 1 ? totals : null,
  };
}

/** A table of some thousands of rows, read as it is written. */
export function tableOfPages<Item>(
  about: Pick<Section, 'key' | 'title'> & { readonly rowCount: number },
  fields: readonly Field<Item>[],
  read: (skip: number, take: number) => Promise<readonly Item[]>,
): Section {
  return { ...about, columns: fields.map(columnOf), rows: pagesOf(fields, read), totals: null };
}

/** A table of any number of rows, read as it is written. */
export function tableOfStream<Item>(
  about: Pick<Section, 'key' | 'title'> & { readonly rowCount: number },
  fields: readonly Field<Item>[],
  items: AsyncIterable<Item>,
): Section {
  return { ...about, columns: fields.map(columnOf), rows: streamOf(fields, items), totals: null };
}

async function* streamOf<Item>(fields: readonly Field<Item>[], items: AsyncIterable<Item>): AsyncGenerator<Row> {
  for await (const item of items) yield fields.map((field) => field.of(item));
}

/** Rows of a page: deep pages cost what is skipped, so few and large ones are read. */
const pageRows = 2_000;

async function* pagesOf<Item>(
  fields: readonly Field<Item>[],
  read: (skip: number, take: number) => Promise<readonly Item[]>,
): AsyncGenerator<Row> {
  for (let skip = 0; ; skip += pageRows) {
    const items = await read(skip, pageRows);
    // A page may lack rows that were deleted while it was read: only an empty one is the end.
    if (items.length === 0) return;
    for (const item of items) yield fields.map((field) => field.of(item));
  }
}

async function* rowsOf<Item>(fields: readonly Field<Item>[], items: readonly Item[]): AsyncGenerator<Row> {
  for (const item of items) yield fields.map((field) => field.of(item));
}

function columnOf({ of: _of, ...column }: Field<never>): Column {
  return column;
}

/** A total beneath some of a table's columns, by their keys. */
export function totalsOf(fields: readonly Column[], sums: Readonly<Record<string, Value>>): Row {
  return fields.map(({ key }, index) => (index === 0 ? 'Total' : (sums[key] ?? null)));
}

/** Puts only facts that there are into a list. */
export function facts(...candidates: readonly (Fact | null)[]): Fact[] {
  return candidates.filter((fact) => fact !== null);
}
