/** Sort order of a list. */
export interface Sort<Field extends string> {
  readonly field: Field;
  readonly direction: 'asc' | 'desc';
}

/** Sort parameter of a list: one of its fields, ascending; descending with a `-` prefix. */
export type SortBy<Fields extends readonly string[]> = Fields[number] | `-${Fields[number]}`;

/** The default order of most lists. */
export const newestFirst = { field: 'created_at', direction: 'desc' } as const satisfies Sort<string>;

/** Parses the sort order of a list. Null: the list's default order.
 *  @param fields the list's fields in REST spelling */
export function parseSort<Field extends string>(
  sortBy: SortBy<readonly NoInfer<Field>[]> | null | undefined,
  fields: readonly Field[],
): Sort<Field> | null {
  const field = fields.find((known) => sortBy === known || sortBy === `-${known}`);
  return field === undefined ? null : { field, direction: sortBy === field ? 'asc' : 'desc' };
}

/** Compares values in ascending order; texts by code unit. */
export function compare<Value extends bigint | number | string>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
