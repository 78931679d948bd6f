/** The data cannot be loaded. The message names the file and, if known, the row, column and value. */
export class Refusal extends Error {}

/** A table that cannot be a bill: it has no charges to lose. */
export class UnknownTable extends Refusal {
  readonly file: string;
  /** A short reason: `no columns of costs and times`. */
  readonly because: string;

  constructor(file: string, because: string) {
    super(`${file} is not a bill: ${because}`);
    this.file = file;
    this.because = because;
  }
}

/** Formats a value for a message: quoted, truncated, and without control characters. */
export function shown(value: string): string {
  const text = value.replace(/\p{Cc}/gu, '\uFFFD');
  return `"${text.length > 80 ? `${text.slice(0, 80).toWellFormed()}…` : text}"`;
}

/** Tags that are not a JSON object. */
export class UnreadableTags extends Refusal {
  readonly raw: string;

  constructor(raw: string, options?: ErrorOptions) {
    super(`column Tags: ${shown(raw)} is not a JSON object of tags`, options);
    this.raw = raw;
  }
}

/** Returns whether DuckDB hit its memory limit. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && /^Out of Memory Error|^Failed to append: .*allocate/.test(error.message);
}
