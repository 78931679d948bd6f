import { databaseCodes, isContended, isDatabaseAway, violatedKey } from '../kit/database/away.ts';
import { GraphQLError } from 'graphql';
import { AppError, fix, invalid, message, type ErrorCode, type Spelled } from '../kit/errors/errors.ts';
import type { Log } from '../kit/log.ts';
import { withoutQuote } from './http/secrets.ts';

/** The body of every REST error. */
export interface ErrorEnvelope {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly status: number;
    /** Id of the conflicting resource, such as the account that is already connected. */
    readonly resource_id?: string;
  } & Details;
}

/** The parts of an error's message. */
export interface Details {
  /** The argument at fault; absent if there is none. */
  readonly field?: string;
  /** The argument's value; absent if the error must not repeat it. */
  readonly value?: string;
  /** What is wrong. If there is a field, it continues the field's name. */
  readonly reason: string;
  /** How to fix it; absent if there is no remedy, or if the reason includes it. */
  readonly remedy?: string;
  /** The operation named in the remedy; absent if there is none. */
  readonly operation?: string;
}

/** Omits the absent parts of an error. */
export function detailsOf({ field, value, reason, remedy, operation }: Omit<Spelled, 'message'>): Details {
  return {
    ...(field !== null && { field }),
    ...(value !== null && { value }),
    reason,
    ...(remedy !== null && { remedy }),
    ...(operation !== null && { operation }),
  };
}

/** Wraps an error in the REST error envelope. */
export function envelopeOf(error: AppError): ErrorEnvelope {
  const { code, status, resourceId } = error;
  const details = { ...detailsOf(error), ...(resourceId !== null && { resource_id: resourceId }) };
  return { error: { code, message: error.message, status, ...details } };
}

/** The headers of an error response. RFC 9110 requires the scheme with every 401. */
export function headersOf(error: AppError): Readonly<Record<string, string>> {
  return error.code === 'UNAUTHORIZED' ? { 'WWW-Authenticate': 'Bearer', ...error.headers } : error.headers;
}

/** Converts any thrown value to a client error. Unknown errors are defects: the client only gets the request id, the
 *  log gets the details. */
export function clientError(thrown: unknown, at: { log: Log; requestId: string }): AppError {
  const known = knownError(thrown);
  if (known) return known;
  at.log.error({ err: rootOf(thrown), requestId: at.requestId }, 'A request failed');
  return new AppError(
    'INTERNAL_ERROR',
    message`Unexpected error; the server log has the details of request ${at.requestId}`,
  );
}

function knownError(thrown: unknown): AppError | null {
  if (thrown instanceof AppError) return thrown;
  if (thrown instanceof GraphQLError) return fromGraphQL(thrown);
  if (!(thrown instanceof Error)) return null;
  return fromTransport(thrown) ?? fromDatabase(thrown);
}

/** graphql-js throws its own errors for requests that it cannot run: those refer to the document and have no path.
 *  Errors with a path come from a resolver. */
function fromGraphQL(error: GraphQLError): AppError | null {
  const original = error.originalError ? knownError(error.originalError) : null;
  if (original) return original;
  const status = httpStatusOf(error);
  if (status !== null && status >= 500) return null;
  if (status !== null) return new AppError(codeOfStatus(status), error.message, { headers: httpHeadersOf(error) });
  const isOfDocument = error.path === undefined && (error.nodes !== undefined || !error.originalError);
  return isOfDocument ? new AppError('VALIDATION_ERROR', error.message) : null;
}

/** Yoga and its plugins put the intended status into `extensions.http`. Errors from resolvers may lack extensions
 *  despite their type. */
function httpOf({ extensions }: { readonly extensions?: GraphQLError['extensions'] }): object {
  const http = extensions?.['http'];
  return typeof http === 'object' && http !== null ? http : {};
}

function httpStatusOf(error: GraphQLError): number | null {
  const http = httpOf(error);
  return 'status' in http && typeof http.status === 'number' ? http.status : null;
}

/** The headers of an error's response, such as `Allow`. */
function httpHeadersOf(error: GraphQLError): Record<string, string> {
  const http = httpOf(error);
  const headers = 'headers' in http && typeof http.headers === 'object' ? Object.entries(http.headers ?? {}) : [];
  return Object.fromEntries(headers.map(([name, value]) => [name, String(value)]));
}

function codeOfStatus(status: number): ErrorCode {
  const codes: Readonly<Record<number, ErrorCode>> = {
    401: 'UNAUTHORIZED',
    403: 'FORBIDDEN',
    404: 'NOT_FOUND',
    405: 'METHOD_NOT_ALLOWED',
    413: 'PAYLOAD_TOO_LARGE',
    415: 'UNSUPPORTED_MEDIA_TYPE',
    429: 'RATE_LIMITED',
  };
  return codes[status] ?? 'VALIDATION_ERROR';
}

/** Errors of Express and its body parser, thrown before any of our code runs. */
function fromTransport(error: Error): AppError | null {
  if (error instanceof URIError)
    return invalid`The path is not valid percent-encoding${fix}encode text as UTF-8, each byte as %XX`;
  if (!('type' in error) || typeof error.type !== 'string') return null;
  switch (error.type) {
    case 'entity.parse.failed':
      return invalid`The body is not valid JSON: ${withoutQuote(error.message)}`;
    case 'entity.too.large':
      return new AppError('PAYLOAD_TOO_LARGE', message`The body is larger than 1 MiB`);
    case 'charset.unsupported':
    case 'encoding.unsupported':
      return new AppError('UNSUPPORTED_MEDIA_TYPE', message`The body cannot be read: ${error.message}`);
    case 'request.aborted':
    case 'request.size.invalid':
    case 'encoding.failed':
      return invalid`The body cannot be read: ${error.message}`;
    default:
      return null;
  }
}

function fromDatabase(error: Error): AppError | null {
  // PostgreSQL's text type cannot store U+0000.
  if (databaseCodes(error).includes('22021'))
    return invalid`A string contains the character U+0000, which is not allowed`;
  // The organization or membership was deleted during the request; the next request would be rejected with the same
  // error.
  if (/_organization_id(_user_id)?_fkey$/.test(violatedKey(error) ?? ''))
    return new AppError('UNAUTHORIZED', message`You are no longer a member of this organization`, { cause: error });
  // Such as a change in an organization whose deletion started earlier.
  if (isContended(error)) return unavailable('Another change was made at the same time, so nothing was done', error, 1);
  if (databaseCodes(error).includes('53100'))
    return new AppError(
      'SERVICE_UNAVAILABLE',
      message`The disk of the database is full${fix}make space, then try again`,
      { cause: error },
    );
  return isDatabaseAway(error) ? unavailable('The database is temporarily unavailable', error, 5) : null;
}

function unavailable(what: string, cause: Error, seconds: number): AppError {
  const headers = { 'Retry-After': String(seconds) };
  return new AppError('SERVICE_UNAVAILABLE', message`${what}${fix}try again`, { headers, cause });
}

function rootOf(thrown: unknown): unknown {
  return thrown instanceof GraphQLError && thrown.originalError ? rootOf(thrown.originalError) : thrown;
}
