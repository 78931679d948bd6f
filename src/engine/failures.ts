import { AppError, fix, invalid, message, type Statement } from '../kit/errors/errors.ts';
import { exhaustedBy } from '../kit/errors/exhausted.ts';

/** An error reported by DuckDB. */
export class EngineFault extends Error {}

/** Limits of a query. */
export interface EngineLimits {
  readonly dataDir: string;
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

/** The local copy of a file was deleted between the lease and the query; a retry copies it again. */
export class FilesGone extends AppError {
  constructor(cause: unknown) {
    const headers = { 'Retry-After': '1' };
    super('SERVICE_UNAVAILABLE', message`A local copy of the cost data was deleted during the query${fix}try again`, {
      headers,
      cause,
    });
  }
}

/** A file that is missing, or whose size is not the one that was written. Replaced files are kept for longer than a query runs, so
 *  a retry does not help. */
export class FileLost extends AppError {
  readonly key: string;
  /** Continues the name of the file: `is missing`. */
  readonly damage: string;

  constructor(key: string, damage: string, cause: unknown = new Error(`${key} ${damage}`)) {
    super('SERVICE_UNAVAILABLE', statementOf(key, damage), { cause });
    this.key = key;
    this.damage = damage;
  }
}

function statementOf(key: string, damage: string): Statement {
  const [, accountId, month] = /^([^/]+)\/(\d{4}-\d{2})\//.exec(key) ?? [];
  if (!accountId || !month)
    return message`The stored file "${key}" ${damage}${fix}have the operator restore it from a backup`;
  return message`The cost data of account "${accountId}" for ${month} cannot be read: a file ${damage}${fix}have the operator restore it from a backup, or delete the account with all its data and connect it again`;
}

/** Error for a file of another size than the one that was written, in bytes. */
export function wrongSize(key: string, { found, written }: { found: number; written: number }): FileLost {
  return new FileLost(key, `has ${found} bytes where ${written} were written`);
}

/** Error for an unreadable store. Its cause has no code, which would look like an outage of the database. */
export function storeFailed(store: string, error: unknown): AppError {
  const cause = new Error(error instanceof Error ? error.message : String(error));
  return unavailable(message`The cost data in the ${store} cannot be read now${fix}try again in a minute`, 60, cause);
}

/** A damaged file, if a query failed because of one. */
export interface Damage {
  /** Null: one of those that the query read. */
  readonly key: string | null;
  readonly reason: string;
}

/** Returns the damage that made a query fail; null if that was a limit, or a store that does not answer. */
export function damageOf(error: unknown): Damage | null {
  if (error instanceof FileLost) return { key: error.key, reason: error.damage };
  const cause = error instanceof Error ? error.cause : null;
  if (!(cause instanceof EngineFault) || cause.message.startsWith('Out of Memory Error')) return null;
  return { key: null, reason: `cannot be read: ${cause.message.split('\n', 1)[0]}` };
}

/** DuckDB's message for a sum with more than 38 digits. */
const tooLong = /^(Out of Range Error: Overflow|Conversion Error: .*DECIMAL.*out of range)/;

/** DuckDB's message for an unreadable Parquet file. */
const damaged = /^(Invalid Input|Invalid|IO) Error: .*(zstd|magic bytes|TProtocol|parquet file|page header)/is;

/** Maps a DuckDB error to the caller's: SERVICE_UNAVAILABLE for a limit or a lost or damaged file, VALIDATION_ERROR for a sum
 *  beyond exact precision, otherwise a defect. */
export function translate(
  fault: EngineFault,
  { memoryMiB, dataDir }: Omit<EngineLimits, 'timeoutMs'>,
  name: string,
): Error {
  const { message: text } = fault;
  if (text.startsWith('Out of Memory Error')) {
    const remedy = `or have the operator raise ENGINE_MEMORY_MIB (now ${memoryMiB})`;
    return unavailable(
      message`The query needs more memory than the cost engine has${fix}${narrower}, ${remedy}`,
      retryAfterSeconds,
      fault,
    );
  }
  if (exhaustedBy(fault) === 'disk')
    return unavailable(
      message`The disk of the server is full${fix}make space in ${dataDir}, or move DATA_DIR to a larger disk`,
      retryAfterSeconds,
      fault,
    );
  if (/^IO Error: (No files found|Cannot open file)/.test(text)) return new FilesGone(fault);
  if (damaged.test(text)) return storeFailed('fact files', fault);
  if (tooLong.test(text))
    return invalid`The costs have too many digits for an exact sum${fix}request fewer days or accounts`;
  return new Error(`query ${name}: ${text}`, { cause: fault });
}

function unavailable(statement: Statement, seconds: number, cause?: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', statement, { headers: { 'Retry-After': `${seconds}` }, cause });
}
