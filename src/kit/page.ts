import { Prisma } from '../../prisma/generated/client/client.ts';
import type { Db } from './db.ts';
import { newestFirst, type Sort, type SortBy } from './sort.ts';

/** Offset and limit for reading a list. */
export interface PageRequest {
  /** Number of rows before the page. */
  readonly skip: number;
  /** Maximum number of rows on the page. */
  readonly take: number;
}

/** A page to read of a sorted list, and the columns of its rows. */
export interface Listed<Fields extends readonly string[], Select> extends PageRequest {
  readonly sortBy?: SortBy<Fields> | null;
  readonly select: Select;
}

/** Sorts rows by the order of the given ids. */
export function inOrderOf<Row extends { readonly id: string }>(ids: readonly string[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** A page of rows of which only the id and the selected fields are read, with the total number of rows. */
export type Rows = Promise<{ rows: { id: string }[]; total: number }>;

/** Reads a page of a Prisma model and counts its rows. Ordered by the sort, then newest first.
 *  @param nullable sort columns that can be null: nulls come last */
export async function pageOfModel<Where extends object, Row extends object = { id: string }>(
  model: { findMany(args: never): PromiseLike<unknown[]>; count(args: never): PromiseLike<number> },
  where: Where,
  sort: Sort<string> | null,
  { nullable = [], select, skip, take }: PageRequest & { select: object; nullable?: readonly string[] },
): Promise<{ rows: Row[]; total: number }> {
  const { field, direction } = sort ?? newestFirst;
  const order = nullable.includes(field) ? { sort: direction, nulls: 'last' } : direction;
  const query = { where, orderBy: [{ [columnOf(field)]: order }, { id: 'desc' }], select, skip, take };
  const [rows, total] = await Promise.all([model.findMany(query as never), model.count({ where } as never)]);
  return { rows: rows as Row[], total };
}

/** Returns the Prisma column of a sort field. */
export function columnOf(field: string): string {
  return field.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

/** Reads the ids of a page whose conditions need SQL, and counts all. Ordered by the sort with nulls last, then by id; newest
 *  first by default. */
export async function pageOfIds(
  db: Db,
  table: 'reports',
  { where, sort }: { where: readonly Prisma.Sql[]; sort: Sort<string> | null },
  { skip, take }: PageRequest,
): Promise<{ ids: string[]; total: number }> {
  const from = Prisma.sql`FROM ${Prisma.raw(table)} WHERE ${Prisma.join([...where], ' AND ')}`;
  const { field, direction } = sort ?? newestFirst;
  const way = Prisma.raw(direction);
  const [rows, counts] = await Promise.all([
    db.$queryRaw<{ id: string }[]>`/* pageOfIds */ SELECT id ${from}
      ORDER BY ${Prisma.raw(field)} ${way} NULLS LAST, id ${way} LIMIT ${take} OFFSET ${skip}`,
    db.$queryRaw<{ total: number }[]>`/* countIds */ SELECT count(*)::int AS total ${from}`,
  ]);
  return { ids: rows.map(({ id }) => id), total: counts[0]?.total ?? 0 };
}

/** A condition that a column has one of the values; none for null.
 *  @param type of the column */
export function among(column: string, values: readonly string[] | null | undefined, type = 'text'): Prisma.Sql[] {
  return values ? [Prisma.sql`${Prisma.raw(column)} = ANY(${[...values]}::${Prisma.raw(type)}[])`] : [];
}
