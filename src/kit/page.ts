/** Which rows of a list a store reads. */
export interface PageRequest {
  /** Rows before the page. */
  readonly skip: number;
  /** Rows of the page. */
  readonly take: number;
}

/** Rows that were read by their ids, in the order of the ids. */
export function inOrderOf<Row extends { readonly id: string }>(ids: readonly string[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
