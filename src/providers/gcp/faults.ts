import { AppError, arg, fix, invalid, mention } from '../../kit/errors/errors.ts';
import { type Advice, networkFault, retryAfterMs, TryLater } from '../faults.ts';
import type { DatasetRef } from './input.ts';
import { gcpPermissions } from './permissions.ts';

/** A Google error without its request: the libraries' own errors carry the token and assertion. */
export class GoogleFault extends Error {
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** Google's error reason: `accessDenied`, `notFound`, `rateLimitExceeded`, `invalid_grant`, `SERVICE_DISABLED`. */
  readonly reason: string;
  readonly waitMs: number | null;

  constructor(message: string, about: { status: number; reason: string; waitMs: number | null }) {
    super(message);
    this.name = 'GoogleFault';
    this.status = about.status;
    this.reason = about.reason;
    this.waitMs = about.waitMs;
  }

  /** Whether the service account lacks a permission. */
  get isDenied(): boolean {
    return this.status === 403 && !throttling.has(this.reason);
  }
}

// Google throttles with 403 as well as 429.
const throttling = new Set([
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'quotaExceeded',
  'jobRateLimitExceeded',
  'RATE_LIMIT_EXCEEDED',
  'RESOURCE_EXHAUSTED',
]);
const passing = new Set(['backendError', 'internalError', 'jobInternalError', 'tableUnavailable', 'UNAVAILABLE']);

/** Converts an error to a safe one: ours unchanged, Google's without their request.
 *  @param now for waits given as dates, in milliseconds */
export function faultOf(error: unknown, now: number): Error {
  if (error instanceof GoogleFault || error instanceof AppError || error instanceof TryLater) return error;
  if (!(error instanceof Error)) return new Error('Google Cloud failed without a reason');
  const answer = answerOf(error);
  if (answer === null) return networkFault(error, 'Google Cloud') ?? new Error(error.message.slice(0, 300));
  const waitMs = retryAfterMs(answer.retryAfter, now);
  return new GoogleFault(answer.message.slice(0, 600), { ...answer, waitMs });
}

/** Returns advice if another attempt may succeed; see `withRetries`. */
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

/** Extracts Google's response: `ApiError` of @google-cloud/common has `code`, `errors` and `response`; `GaxiosError` has
 *  `response` with `data`. */
function answerOf(error: Error): Answer | null {
  const { code, errors, response } = fieldsOf(error);
  const { status, statusCode, headers, data, body } = fieldsOf(response);
  // A DOMException has a numeric code, too, which is not a status.
  const answered = [status, statusCode, code].find((each): each is number => typeof each === 'number' && each >= 100);
  if (answered === undefined && !Array.isArray(errors)) return null;
  const inner = fieldsOf(readJson(data ?? body));
  const details = fieldsOf(inner['error']);
  const first = fieldsOf(firstOf(errors) ?? firstOf(details['errors']));
  const oauth = typeof inner['error'] === 'string' ? inner['error'] : null;
  const reason = first['reason'] ?? firstOfReasons(details['details']) ?? details['status'] ?? oauth ?? '';
  const message = first['message'] ?? details['message'] ?? inner['error_description'] ?? error.message;
  return {
    status: answered ?? statusOfReason(String(reason)),
    reason: String(reason),
    message: String(message),
    retryAfter: headerOf(headers, 'retry-after'),
  };
}

/** Infers a status, because a job's own error has none. */
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

/** Returns the fields of any object, whatever its class. */
function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** A service account, and the project that pays for its queries. */
export interface ServiceAccount {
  readonly clientEmail: string;
  readonly billingProject: string;
}

/** Target of a request, for messages. */
interface Place {
  readonly session: ServiceAccount;
  readonly dataset: DatasetRef;
  /** Null until one is found. */
  readonly table: string | null;
  readonly location: string;
}

/** Converts a Google error to instructions for the account's owner; other errors stay unchanged.
 *  @returns an AppError VALIDATION_ERROR for a Google error */
export function explain(error: unknown, place: Place): unknown {
  return error instanceof GoogleFault ? (signInFault(error, place.session) ?? bigQueryFault(error, place)) : error;
}

/** Converts an error about the service account itself; null for any other. */
export function signInFault(fault: GoogleFault, session: ServiceAccount): AppError | null {
  const { reason, message } = fault;
  const cause = `(${reason}: ${message.replace(`${reason}: `, '')})`;
  if (/iat|reasonable timeframe|clock/i.test(message) && reason === 'invalid_grant')
    return invalid`Google rejects the time of the server ${cause}${fix}ask its operator to set the clock; nothing is wrong with the account`;
  if (reason === 'invalid_grant' || reason === 'invalid_client' || reason === 'unauthorized_client')
    return invalid`${arg('credentials')} have a key of service account ${session.clientEmail} that Google rejects ${cause}${fix}check that the account exists and is enabled, create a new key, and replace the credentials`;
  if (message.startsWith('Could not refresh access token'))
    return invalid`Google returned no token for service account ${session.clientEmail} (status ${fault.status}, in an unexpected format): if the server reaches Google through a custom endpoint or proxy, ask its operator to check that`;
  if (fault.status === 401)
    return invalid`${arg('credentials')} are of service account ${session.clientEmail}, which Google rejects ${cause}${fix}replace them`;
  return disabledFault(fault);
}

function disabledFault({ reason, message }: GoogleFault): AppError | null {
  if (reason === 'SERVICE_DISABLED' || reason === 'accessNotConfigured')
    return invalid`A Google API is not enabled in the project: ${message}`;
  if (reason === 'billingNotEnabled')
    return invalid`${arg('settings.billing_project')} names a project without billing: ${message}`;
  return null;
}

function bigQueryFault(fault: GoogleFault, place: Place): AppError {
  const { project, dataset } = place.dataset;
  const { message } = fault;
  const whole = place.table === null ? `dataset ${project}.${dataset}` : `table ${project}.${dataset}.${place.table}`;
  if (fault.isDenied) return deniedFault(message, place, whole);
  if (fault.status === 404) {
    if (/\bproject\b/i.test(message) && !/dataset|table/i.test(message))
      return invalid`${arg('settings.billing_project')} is not a Google Cloud project (${message})${fix}correct it and ${mention('settings.dataset')}`;
    return invalid`${arg('settings.dataset')} is wrong: BigQuery has no ${whole} in location ${place.location} (${message})${fix}set it, ${mention('settings.table')} and ${mention('settings.location')} as the BigQuery console shows them`;
  }
  return invalid`BigQuery refuses to read ${whole}: ${message}`;
}

function deniedFault(message: string, { session, dataset }: Place, whole: string): AppError {
  // Google does not name the permission of a query.
  const text = /permission to query table/i.test(message) ? 'bigquery.tables.getData' : message;
  const named = gcpPermissions.find(({ permission }) => new RegExp(`${permission}\\b`).test(text));
  const found = named ?? gcpPermissions.find(({ permission }) => permission === 'bigquery.tables.get');
  const { permission = '', role = '', on = 'dataset' } = found ?? {};
  const where =
    on === 'billingProject' ? `project ${session.billingProject}` : `dataset ${dataset.project}.${dataset.dataset}`;
  return invalid`Service account ${session.clientEmail} may not read BigQuery ${whole}: it lacks ${permission}. Grant it ${role} on ${where}`;
}
