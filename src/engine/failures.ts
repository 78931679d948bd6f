import { AppError, fix, invalid, message, type Statement } from '../kit/errors/errors.ts';

/** An error reported by DuckDB. */
export class EngineFault extends Error {}

/** Limits of a query. */
export interface EngineLimits {
  readonly memoryMiB: number;
  readonly timeoutMs: number;
}

/** Retry-After of a query that was too large: other queries may have finished by then. */
const retryAfterSeconds = 30;

const narrower = 'request fewer days, accounts or dimensions, or add a filter';

/** Error for a query that exceeds its time limit. */
export function tooSlow(ms: number, isRequest: boolean): AppError {
  const remedy = isRequest ? `, or have the operator raise ENGINE_TIMEOUT_SECONDS (now ${ms / 1000})` : '';
  return unavailable(
    message`The query takes longer than ${ms / 1000} seconds${fix}${narrower}${remedy}`,
    retryAfterSeconds,
  );
}

/** Error for a full queue. */
export function tooBusy(): AppError {
  return unavailable(message`Too many cost queries are waiting${fix}try again in a few seconds`, 5);
}

/** The engine process ended before the query completed. */
export class EngineEnded extends AppError {
  constructor(cause: unknown) {
    const headers = { 'Retry-After': '1' };
    super('SERVICE_UNAVAILABLE', message`The cost engine stopped during the query${fix}try again`, { headers, cause });
  }
}

/** A file was replaced and collected between `openFacts` and the query; a retry selects newer files. */
export class FilesGone extends AppError {
  constructor(cause: unknown) {
    const headers = { 'Retry-After': '1' };
    super('SERVICE_UNAVAILABLE', message`The cost data was replaced during the query${fix}try again`, {
      headers,
      cause,
    });
  }
}

/** Error for an unreadable store. */
export function storeFailed(store: string, cause: unknown): AppError {
  return unavailable(message`The cost data in the ${store} cannot be read now${fix}try again in a minute`, 60, cause);
}

/** DuckDB's message for a sum with more than 38 digits. */
const tooLong = /^(Out of Range Error: Overflow|Conversion Error: .*DECIMAL.*out of range)/;

/** DuckDB's message for an unreadable Parquet file. */
const damaged = /^(Invalid Input|Invalid|IO) Error: .*(zstd|magic bytes|TProtocol|parquet file|page header)/is;

/** Maps a DuckDB error to the caller's: SERVICE_UNAVAILABLE for a limit or a lost or damaged file, VALIDATION_ERROR for a sum
 *  beyond exact precision, otherwise a defect. */
export function translate(fault: EngineFault, { memoryMiB }: Pick<EngineLimits, 'memoryMiB'>, name: string): Error {
  const { message: text } = fault;
  if (text.startsWith('Out of Memory Error')) {
    const remedy = `or have the operator raise ENGINE_MEMORY_MIB (now ${memoryMiB})`;
    return unavailable(
      message`The query needs more memory than the cost engine has${fix}${narrower}, ${remedy}`,
      retryAfterSeconds,
      fault,
    );
  }
  if (/^IO Error: (No files found|Cannot open file)/.test(text)) return new FilesGone(fault);
  if (damaged.test(text)) return storeFailed('fact files', fault);
  if (tooLong.test(text))
    return invalid`The costs have too many digits for an exact sum${fix}request fewer days or accounts`;
  return new Error(`query ${name}: ${text}`, { cause: fault });
}

function unavailable(said: Statement, seconds: number, cause?: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', said, { headers: { 'Retry-After': `${seconds}` }, cause });
}
