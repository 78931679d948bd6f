import { AppError } from '../../../kit/errors/errors.ts';
import { ConfigError } from '../../../kit/config/config.ts';

/** A finding of `doctor`. */
export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'failed';
  readonly detail: string;
  /** What to do about it; null with `ok`. */
  readonly remedy: string | null;
}

/** A check that found no problem. */
export function ok(name: string, detail: string): Check {
  return { name, status: 'ok', detail, remedy: null };
}

export function warning(name: string, detail: string, remedy: string): Check {
  return { name, status: 'warning', detail, remedy };
}

export function failed(name: string, detail: string, remedy: string): Check {
  return { name, status: 'failed', detail, remedy };
}

/** Turns an exception of a check into its failure.
 *  @param remedy of exceptions without one */
export async function orFailed(name: string, remedy: string, check: () => Promise<Check>): Promise<Check> {
  try {
    return await check();
  } catch (error) {
    return failure(name, error, remedy);
  }
}

/** A full disk in errors of Node and PostgreSQL. */
const isFull = /\bENOSPC\b|\bEDQUOT\b|No space left on device/;

/** The failure that an exception reports. Our own errors end with their remedy. */
export function failure(name: string, error: unknown, remedy: string): Check {
  const text = withoutLog(reasonOf(error));
  const own = remedyOf(error);
  const reason = own === null ? text : text.slice(0, -`; ${own}`.length);
  return failed(name, reason, isFull.test(text) ? 'make space there' : (own ?? remedy));
}

/** A problem of a variable has the form of our errors: the reason, a semicolon and the remedy. */
function remedyOf(error: unknown): string | null {
  if (error instanceof AppError) return error.remedy;
  const [problem = '', ...others] = error instanceof ConfigError ? error.problems : [];
  return others.length === 0 ? (/^.*; (.+)$/s.exec(problem)?.[1] ?? null) : null;
}

function isOwn(error: unknown): boolean {
  return error instanceof AppError || error instanceof ConfigError;
}

/** Reduces the log of PostgreSQL in an error to its fatal line. */
function withoutLog(text: string): string {
  const fatal = /\b(?:FATAL|PANIC): +(.+)/.exec(text)?.[1];
  return fatal === undefined ? text : `${text.split(': ', 1)[0]}: ${fatal}`;
}

/** The text of an exception, also of one per address of a host. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  if (!(error instanceof Error)) return String(error);
  const text = error.message || error.name;
  const cause = !isOwn(error) && error.cause instanceof Error ? reasonOf(error.cause) : '';
  return text.includes(cause) ? text : `${text}: ${cause}`;
}
