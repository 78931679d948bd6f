import type { LoaderFile } from './protocol.ts';

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

const noObject = 'is not a JSON object of tags';

/** Tags that cannot be stored. */
export class UnreadableTags extends Refusal {
  readonly raw: string;
  /** What is wrong with them, after the value. */
  readonly reason: string;

  constructor(raw: string, { reason = noObject, ...options }: ErrorOptions & { reason?: string } = {}) {
    super(`column Tags: ${shown(raw)} ${reason}`, options);
    this.raw = raw;
    this.reason = reason;
  }
}

/** Returns whether DuckDB hit its memory limit. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && /^Out of Memory Error|^Failed to append: .*allocate/.test(error.message);
}

/** Returns whether a sum had more digits than DuckDB's DECIMAL(38,12). */
export function isLongSum(error: unknown): boolean {
  return (
    error instanceof Error && /^(Out of Range Error|Conversion Error: .*DECIMAL.*out of range)/.test(error.message)
  );
}

/** An error for files whose amounts have such a sum. */
export function longSum([first, ...others]: readonly { readonly file: LoaderFile }[], cause?: unknown): Refusal {
  const sum = 'amounts whose sum has more than 26 digits before the decimal point';
  const more = `${others.length} other ${others.length === 1 ? 'file' : 'files'}`;
  const message =
    others.length === 0
      ? `${first?.file.name}: has ${sum}; replace it with an intact file`
      : `${first?.file.name} and ${more}: have ${sum}; replace them with intact files`;
  return new Refusal(message, { cause });
}
