import { setTimeout as sleep } from 'node:timers/promises';
import { fix, invalid } from '../kit/errors.ts';

/** The provider asks to come back later, or cannot be reached: nothing is wrong with the account or its settings. A sync that
 *  ends with it is tried again. */
export class TryLater extends Error {
  /** How long the provider asks to wait, in ms; null where it does not say. */
  readonly retryAfterMs: number | null;
  /** The network's own: `ENOTFOUND`; null where the provider answered. */
  readonly networkCode: string | null;

  /** @param message names the provider and what it said, for the account's owner; holds no secret and no signed URL */
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

/** What is known of a failed attempt that may succeed later. */
export interface Advice {
  /** What happened, for the account's owner: `Azure limits the request rate (429)`. */
  readonly reason: string;
  /** What the provider's own header says to wait, in ms; null where it says nothing. */
  readonly waitMs: number | null;
}

const attempts = 5;
const longestWaitMs = 20_000;

/** Tries again what failed for now: after the wait that the provider names, else after one that doubles, less a random part,
 *  so that many clients do not come back together. A longer wait is not slept through: a sync that waits keeps others waiting.
 *  @param advise null of an error that another attempt would meet again
 *  @throws {TryLater} when the last attempt failed too, or the provider asks for a long wait; and what `work` throws otherwise */
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

/** Ms to wait when so many attempts failed; null when there is no other: after five, or when the provider's wait is long. */
export function pauseAfter(failed: number, askedMs: number | null, firstMs = 500): number | null {
  if (failed >= attempts || (askedMs ?? 0) > longestWaitMs) return null;
  return askedMs ?? Math.min(longestWaitMs, firstMs * 2 ** (failed - 1)) * (0.5 + Math.random() / 2);
}

/** The wait that a `Retry-After` header names (RFC 9110 section 10.2.3): seconds, or an HTTP date.
 *  @returns ms, null when there is none or it cannot be read */
export function retryAfterMs(header: string | null | undefined, now: number): number | null {
  if (!header) return null;
  if (/^\d+(\.\d+)?$/.test(header.trim())) return Math.round(Number(header) * 1000);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

// What Node, undici and TLS say when no answer came, by `code` or `name`.
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

/** What the network's fault is called: `ECONNREFUSED`; null of an error that is none.
 *  @param error as an SDK or Node throws it, with causes */
export function networkCode(error: unknown): string | null {
  for (const each of chainOf(error)) {
    const names = [codeOf(each), each.name];
    const found = names.find((name) => passing.has(name) || certificate.test(name) || name.startsWith('UND_ERR_'));
    if (found) return found;
  }
  return null;
}

/** A fault of the network for the account's owner; null of an error that is none.
 *  @param who the provider, as a sentence begins with it: `Amazon S3` */
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

/** Asks for page after page, by the token that each one names for the next.
 *  @param most pages after the first
 *  @param endless what to throw when a token comes twice, or too many come: the answer would never end */
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
