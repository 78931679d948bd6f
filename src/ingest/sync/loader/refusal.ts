/** The data cannot be loaded. The message names the file and, where there is one, the row, the column and the value. */
export class Refusal extends Error {}

/** A value as it may stand in a message: quoted, and cut where it is long. */
export function shown(value: string | null): string {
  if (value === null) return 'empty';
  return `"${value.length > 80 ? `${value.slice(0, 80)}…` : value}"`;
}
