import { AppError, fix, invalid, message, type Statement } from '../kit/errors.ts';

/** What DuckDB answered in place of rows. */
export class EngineFault extends Error {}

/** How large a query may become. */
export interface EngineLimits {
  readonly memoryMiB: number;
  readonly timeoutMs: number;
}

/** After which a question that was too large may be tried again: others may have made way. */
const retryAfterSeconds = 30;

const narrower = 'request fewer days, accounts or dimensions, or add a filter';

/** The answer to a query that is too large for the time there is. */
export function tooSlow(ms: number, isRequest: boolean): AppError {
  const remedy = isRequest ? `, or have the operator raise ENGINE_TIMEOUT_SECONDS (now ${ms / 1000})` : '';
  return unavailable(
    message`The query takes longer than ${ms / 1000} seconds${fix}${narrower}${remedy}`,
    retryAfterSeconds,
  );
}

/** The answer while too many queries wait. */
export function tooBusy(): AppError {
  return unavailable(message`Too many cost queries are waiting${fix}try again in a few seconds`, 5);
}

/** The engine's process ended before the answer was complete. */
export class EngineEnded extends AppError {
  constructor(cause: unknown) {
    const headers = { 'Retry-After': '1' };
    super('SERVICE_UNAVAILABLE', message`The cost engine stopped during the query${fix}try again`, { headers, cause });
  }
}

/** A file was replaced and collected between `openFacts` and the query: asking again chooses newer ones. */
export class FilesGone extends AppError {
  constructor(cause: unknown) {
    const headers = { 'Retry-After': '1' };
    super('SERVICE_UNAVAILABLE', message`The cost data was replaced during the query${fix}try again`, {
      headers,
      cause,
    });
  }
}

/** The answer while the store cannot be read. */
export function storeFailed(store: string, cause: unknown): AppError {
  return unavailable(message`The cost data in the ${store} cannot be read now${fix}try again in a minute`, 60, cause);
}

/** What DuckDB says of a sum with more than 38 digits. */
const tooLong = /^(Out of Range Error: Overflow|Conversion Error: .*DECIMAL.*out of range)/;

/** What DuckDB says of a Parquet file that it cannot read. */
const damaged = /^(Invalid Input|Invalid|IO) Error: .*(zstd|magic bytes|TProtocol|parquet file|page header)/is;

/** The error that a caller gets for DuckDB's: a limit, a lost or a damaged file is SERVICE_UNAVAILABLE, a sum beyond what is kept exactly
 *  is VALIDATION_ERROR, anything else a defect. */
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
