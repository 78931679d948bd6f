import { invalid } from './errors.ts';

/** The order of a list. */
export interface Sort<Field extends string> {
  readonly field: Field;
  readonly direction: 'asc' | 'desc';
}

/** Reads `field` (ascending) or `-field` (descending). Null: the list's own order.
 *  @param fields as REST spells them; GraphQL's spelling is taken too
 *  @throws {AppError} VALIDATION_ERROR for any other field */
export function parseSort<Field extends string>(
  sortBy: string | null | undefined,
  fields: readonly Field[],
): Sort<Field> | null {
  if (sortBy === null || sortBy === undefined) return null;
  const name = sortBy.replace(/^-/, '').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const field = fields.find((known) => known === name);
  if (!field) {
    const given = JSON.stringify(sortBy.slice(0, 80));
    throw invalid(`sort_by ${given} is not one of ${fields.join(', ')}, each also with "-" before it`);
  }
  return { field, direction: sortBy.startsWith('-') ? 'desc' : 'asc' };
}
