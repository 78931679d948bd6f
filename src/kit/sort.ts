/** The order of a list. */
export interface Sort<Field extends string> {
  readonly field: Field;
  readonly direction: 'asc' | 'desc';
}

/** How a list is asked to be sorted: by one of its fields, ascending; with `-` before it, descending. */
export type SortBy<Fields extends readonly string[]> = Fields[number] | `-${Fields[number]}`;

/** Reads the order of a list. Null: the list's own order.
 *  @param fields the list's fields, as REST spells them */
export function parseSort<Field extends string>(
  sortBy: SortBy<readonly NoInfer<Field>[]> | null | undefined,
  fields: readonly Field[],
): Sort<Field> | null {
  const field = fields.find((known) => sortBy === known || sortBy === `-${known}`);
  return field === undefined ? null : { field, direction: sortBy === field ? 'asc' : 'desc' };
}
