import { setTimeout as sleep } from 'node:timers/promises';
import { fix, invalid } from '../kit/errors/errors.ts';

/** The provider requests a later retry, or is unreachable; account and settings are fine. A sync that ends with it is
 *  retried. */
export class TryLater extends Error {
  /** Wait requested by the provider, in milliseconds; null if unknown. */
  readonly retryAfterMs: number | null;
  /** Network error code: `ENOTFOUND`; null if the provider responded. */
  readonly networkCode: string | null;

  /** @param message names the provider and its error, for the account's owner; contains no secret or signed URL */
  constructor(
    message: string,
    options: { retryAfterMs?: number | null; networkCode?: string | null; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'TryLater';
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.networkCode = options.networkCode ?? null;
  }
}

/** Advice on a failed attempt that may succeed later. */
export interface Advice {
  /** What happened, for the account's owner: `Azure limits the request rate (429)`. */
  readonly reason: string;
  /** Wait from the provider's header, in milliseconds; null if none. */
  readonly waitMs: number | null;
}

const attempts = 5;
const longestWaitMs = 20_000;

/** Retries temporary failures: after the provider's wait, otherwise with exponential backoff and jitter. Does not sleep through
 *  longer waits: a waiting sync would block others.
 *  @param advise returns null for a permanent error
 *  @throws {TryLater} when the last attempt failed too, or the provider requests a long wait; otherwise what `work` throws */
export async function withRetries<T>(
  signal: AbortSignal,
  work: () => Promise<T>,
  advise: (error: unknown) => Advice | null,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      const advice = advise(error);
      if (!advice) throw error;
      const { reason, waitMs } = advice;
      const pauseMs = pauseAfter(attempt, waitMs);
      if (pauseMs === null) throw new TryLater(reason, { retryAfterMs: waitMs, cause: error });
      await sleep(pauseMs, undefined, { signal });
    }
  }
}

/** Returns the milliseconds to wait after this many failed attempts; null for no further attempt: after five, or if the
 *  provider's wait is long. */
export function pauseAfter(failed: number, askedMs: number | null, firstMs = 500): number | null {
  if (failed >= attempts || (askedMs ?? 0) > longestWaitMs) return null;
  return askedMs ?? Math.min(longestWaitMs, firstMs * 2 ** (failed - 1)) * (0.5 + Math.random() / 2);
}

/** Parses a `Retry-After` header (RFC 9110 section 10.2.3): seconds, or an HTTP date.
 *  @returns milliseconds, null if absent or invalid */
export function retryAfterMs(header: string | null | undefined, now: number): number | null {
  if (!header) return null;
  if (/^\d+(\.\d+)?$/.test(header.trim())) return Math.round(Number(header) * 1000);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

// `code` or `name` of errors from Node, undici and TLS without a response.
const passing = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'EPROTO',
  'ERR_STREAM_PREMATURE_CLOSE',
  'HPE_INVALID_CONSTANT',
  'HPE_INVALID_EOF_STATE',
  'REQUEST_SEND_ERROR',
  'PARSE_ERROR',
  'TimeoutError',
]);
const certificate = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_)/;

/** Returns the code of a network error: `ECONNREFUSED`; null for any other error.
 *  @param error from an SDK or Node, with causes */
export function networkCode(error: unknown): string | null {
  for (const each of chainOf(error)) {
    const names = [codeOf(each), each.name];
    const found = names.find((name) => passing.has(name) || certificate.test(name) || name.startsWith('UND_ERR_'));
    if (found) return found;
  }
  return null;
}

/** Converts a network error for the account's owner; null for any other error.
 *  @param who the provider, at the start of a sentence: `Amazon S3` */
export function networkFault(error: unknown, who: string): Error | null {
  const code = networkCode(error);
  if (code === null) return null;
  if (!certificate.test(code)) return new TryLater(`${who} cannot be reached (${code})`, { networkCode: code });
  return invalid`${who} has a certificate that is not trusted (${code})${fix}ask the server's operator to add its certificate authority to NODE_EXTRA_CA_CERTS`;
}

function chainOf(error: unknown): Error[] {
  const found: Error[] = [];
  const next: unknown[] = [error];
  while (next.length > 0 && found.length < 20) {
    const each = next.shift();
    if (!(each instanceof Error) || found.includes(each)) continue;
    found.push(each);
    next.push(each.cause, ...(each instanceof AggregateError ? each.errors : []));
  }
  return found;
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Follows pages by the token that each returns for the next.
 *  @param most maximum pages after the first
 *  @param endless returns the error for a repeated token or too many pages: the response would never end */
export async function* followPages<Page>(
  ask: (token: string | undefined) => Promise<Page>,
  nextOf: (page: Page) => string | null | undefined,
  most: number,
  endless: (isRepeated: boolean) => Error,
): AsyncGenerator<Page> {
  const seen = new Set<string>();
  for (let token: string | undefined; ;) {
    const page = await ask(token);
    yield page;
    token = nextOf(page) ?? undefined;
    if (token === undefined) return;
    if (seen.has(token) || seen.size >= most) throw endless(seen.has(token));
    seen.add(token);
  }
}
