/** The data cannot be loaded. The message names the file and, where there is one, the row, the column and the value. */
export class Refusal extends Error {}

/** A value as it may stand in a message: quoted, and cut where it is long. */
export function shown(value: string | null): string {
  if (value === null) return 'empty';
  return `"${value.length > 80 ? `${value.slice(0, 80)}…` : value}"`;
}

/** Tags that are not a JSON object. */
export class UnreadableTags extends Refusal {
  readonly raw: string;

  constructor(raw: string, options?: ErrorOptions) {
    super(`column Tags: ${shown(raw)} is not a JSON object of tags`, options);
    this.raw = raw;
  }
}
