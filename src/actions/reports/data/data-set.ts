import type { Deps } from '../../../kit/deps.ts';
import type { OrgScope } from '../../../tenancy/auth/scope.ts';
import type { Column, ColumnType, ReportDocument, Row, Section, Value } from '../document.ts';
import type { Report } from '../store.ts';

/** Inputs of a data set. */
export interface DataRequest {
  readonly deps: Pick<Deps, 'db' | 'pool' | 'clock' | 'engine'>;
  /** At most the scope of the report's owner and of the report. */
  readonly scope: OrgScope;
  readonly report: Pick<Report, 'type' | 'startDate' | 'endDate' | 'filters'>;
  /** ISO 4217: the organization's currency. */
  readonly currency: string;
  /** Whether the bills in scope have costs in another currency, so that tables also have converted amounts. Default: no. */
  readonly hasOtherCurrencies?: boolean;
  /** Names of the accounts in scope, by id. */
  readonly accountNames: ReadonlyMap<string, string>;
}

/** The parts of a document that depend on the report type. */
export type DataSet = Pick<ReportDocument, 'subtitle' | 'summary' | 'charts' | 'sections' | 'excluded' | 'notes'>;

/** Reads the data of a report.
 *  @throws {AppError} VALIDATION_ERROR when its parameters are not, or are no longer, valid */
export type ReadDataSet = (request: DataRequest) => Promise<DataSet>;

/** A column with a function for its values. */
export interface Field<Item> extends Column {
  readonly of: (item: Item) => Value;
}

/** Builds a column with a function for its values.
 *  @param kind its type, with its other properties if it has any */
export function field<Item>(
  key: string,
  label: string,
  kind: ColumnType | Omit<Column, 'key' | 'label'>,
  of: Field<Item>['of'],
): Field<Item> {
  return { key, label, of, ...(typeof kind === 'string' ? { type: kind } : kind) };
}

/** Builds a table from rows in memory. */
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

/** Builds a table of any number of rows, read while it is written. */
export function tableOfStream<Item>(
  about: Pick<Section, 'key' | 'title'> & { readonly rowCount: number },
  fields: readonly Field<Item>[],
  items: AsyncIterable<Item>,
): Section {
  return { ...about, columns: fields.map(columnOf), rows: rowsOf(fields, items), totals: null };
}

/** Rows per page. Large pages, because skipping rows for deep pages is slow. */
const pageRows = 2_000;

/** Reads several thousand rows page by page. */
export async function* pagesOf<Item>(
  read: (skip: number, take: number) => Promise<readonly Item[]>,
): AsyncGenerator<Item> {
  for (let skip = 0; ; skip += pageRows) {
    const items = await read(skip, pageRows);
    // Pages can lack rows that were deleted in the meantime: only an empty page is the end.
    if (items.length === 0) return;
    yield* items;
  }
}

async function* rowsOf<Item>(
  fields: readonly Field<Item>[],
  items: AsyncIterable<Item> | Iterable<Item>,
): AsyncGenerator<Row> {
  for await (const item of items) yield fields.map(({ of }) => of(item));
}

function columnOf({ of: _of, ...column }: Field<never>): Column {
  return column;
}

/** Builds a totals row with sums by column key. */
export function totalsOf(fields: readonly Column[], sums: Readonly<Record<string, Value>>): Row {
  return fields.map(({ key }, index) => (index === 0 ? 'Total' : (sums[key] ?? null)));
}

/** Lists the facts or charts that are not null. */
export function present<Items extends readonly unknown[]>(...candidates: Items): NonNullable<Items[number]>[] {
  return candidates.filter((candidate) => candidate !== null) as NonNullable<Items[number]>[];
}
