/** Offset and limit for reading a list. */
export interface PageRequest {
  /** Number of rows before the page. */
  readonly skip: number;
  /** Maximum number of rows on the page. */
  readonly take: number;
}

/** Sorts rows by the order of the given ids. */
export function inOrderOf<Row extends { readonly id: string }>(ids: readonly string[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
