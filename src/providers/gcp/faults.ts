import { AppError } from '../../kit/errors.ts';
import { TryLater } from '../faults.ts';
import { networkFault } from '../network.ts';
import { type Advice, retryAfterMs } from '../retry.ts';

/** A refusal of Google, with nothing of the request in it: the libraries' own errors carry the token and the assertion. */
export class GoogleFault extends Error {
  /** HTTP status; 0 where there was none. */
  readonly status: number;
  /** Google's word for it: `accessDenied`, `notFound`, `rateLimitExceeded`, `invalid_grant`, `SERVICE_DISABLED`. */
  readonly reason: string;
  readonly waitMs: number | null;

  constructor(message: string, about: { status: number; reason: string; waitMs: number | null }) {
    super(message);
    this.name = 'GoogleFault';
    this.status = about.status;
    this.reason = about.reason;
    this.waitMs = about.waitMs;
  }

  /** Whether Google says that the service account lacks a permission. */
  get isDenied(): boolean {
    return this.status === 403 && !throttling.has(this.reason);
  }
}

// Google throttles with 403 as well as with 429.
const throttling = new Set([
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'quotaExceeded',
  'jobRateLimitExceeded',
  'RATE_LIMIT_EXCEEDED',
  'RESOURCE_EXHAUSTED',
]);
const passing = new Set(['backendError', 'internalError', 'jobInternalError', 'tableUnavailable', 'UNAVAILABLE']);

/** What survives of an error: ours as they are, Google's without their request.
 *  @param now for waits that are given as dates, in ms */
export function faultOf(error: unknown, now: number): Error {
  if (error instanceof GoogleFault || error instanceof AppError || error instanceof TryLater) return error;
  if (!(error instanceof Error)) return new Error('Google Cloud failed in a way that it does not name');
  const answer = answerOf(error);
  if (answer === null) return networkFault(error, 'Google Cloud') ?? new Error(error.message.slice(0, 300));
  const waitMs = retryAfterMs(answer.retryAfter, now);
  return new GoogleFault(answer.message.slice(0, 600), { ...answer, waitMs });
}

/** Whether another attempt may succeed; see `withRetries`. */
export function adviceFor(error: unknown): Advice | null {
  if (error instanceof TryLater) return { reason: error.message, waitMs: error.retryAfterMs };
  if (!(error instanceof GoogleFault)) return null;
  const { status, reason, waitMs } = error;
  if (status === 429 || throttling.has(reason))
    return { reason: `Google Cloud limits the request rate (${status} ${reason})`, waitMs };
  if (status >= 500 || status === 408 || passing.has(reason))
    return { reason: `Google Cloud had an internal error (${status} ${reason})`, waitMs };
  return null;
}

interface Answer {
  status: number;
  reason: string;
  message: string;
  retryAfter: string | null;
}

/** What Google answered: `ApiError` of @google-cloud/common has `code`, `errors` and `response`; `GaxiosError` has `response`
 *  with `data`. */
function answerOf(error: Error): Answer | null {
  const { code, errors, response } = fieldsOf(error);
  const { status, statusCode, headers, data, body } = fieldsOf(response);
  const answered = [status, statusCode, code].find((each): each is number => typeof each === 'number');
  if (answered === undefined && !Array.isArray(errors)) return null;
  const inner = fieldsOf(readJson(data ?? body));
  const said = fieldsOf(inner['error']);
  const first = fieldsOf(firstOf(errors) ?? firstOf(said['errors']));
  const oauth = typeof inner['error'] === 'string' ? inner['error'] : null;
  const reason = first['reason'] ?? firstOfReasons(said['details']) ?? said['status'] ?? oauth ?? '';
  const message = first['message'] ?? said['message'] ?? inner['error_description'] ?? error.message;
  return {
    status: answered ?? statusOfReason(String(reason)),
    reason: String(reason),
    message: String(message),
    retryAfter: headerOf(headers, 'retry-after'),
  };
}

/** A job's own error comes without a status. */
function statusOfReason(reason: string): number {
  if (throttling.has(reason)) return 429;
  if (reason === 'accessDenied') return 403;
  if (reason === 'notFound') return 404;
  return passing.has(reason) ? 503 : 400;
}

function firstOfReasons(details: unknown): unknown {
  return Array.isArray(details) ? details.map((each) => fieldsOf(each)['reason']).find(Boolean) : undefined;
}

function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined;
}

function readJson(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

function headerOf(headers: unknown, name: string): string | null {
  if (headers instanceof Headers) return headers.get(name);
  const value = fieldsOf(headers)[name];
  return typeof value === 'string' ? value : null;
}

/** The fields of any object, whatever its class. */
function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
