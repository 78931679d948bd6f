/** Which rows of a list a store reads. */
export interface PageRequest {
  /** Rows before the page. */
  readonly skip: number;
  /** Rows of the page. */
  readonly take: number;
}

/** Rows that were read by their ids, in the order of the ids. */
export function inOrderOf<Row extends { readonly id: string }>(ids: readonly string[], rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}
