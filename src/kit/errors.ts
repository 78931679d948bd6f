/** Every code a client can meet. REST answers it in `error.code`, GraphQL in `extensions.code`. */
export type ErrorCode =
  | 'VALIDATION_ERROR'
  | 'UNAUTHORIZED'
  | 'FORBIDDEN'
  | 'TWO_FACTOR_SETUP_REQUIRED'
  | 'NOT_FOUND'
  | 'BUDGET_NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'CONFLICT'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'RANGE_NOT_SATISFIABLE'
  | 'ACCOUNT_LOCKED'
  | 'RATE_LIMITED'
  | 'SERVICE_UNAVAILABLE'
  | 'INTERNAL_ERROR';

/** The HTTP status of each code. */
export const statusOf = {
  VALIDATION_ERROR: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  TWO_FACTOR_SETUP_REQUIRED: 403,
  NOT_FOUND: 404,
  BUDGET_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RANGE_NOT_SATISFIABLE: 416,
  ACCOUNT_LOCKED: 423,
  RATE_LIMITED: 429,
  SERVICE_UNAVAILABLE: 503,
  INTERNAL_ERROR: 500,
} as const satisfies Record<ErrorCode, number>;

interface ErrorOptions {
  /** Response headers the client needs with it, such as `Retry-After` or `Allow`. */
  headers?: Readonly<Record<string, string>>;
  cause?: unknown;
}

/** An error whose message is meant for the client: it names the thing, the value and the remedy, and holds no secret.
 *  Domain code throws it and knows no protocol. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.headers = options.headers ?? {};
  }

  /** The HTTP status of the code. */
  get status(): number {
    return statusOf[this.code];
  }
}

/** A client's input that cannot be used. The message names the field, the value and the remedy. */
export function invalid(message: string): AppError {
  return new AppError('VALIDATION_ERROR', message);
}

/** A resource that does not exist, or that the caller may not know of: the two cannot be told apart. */
export function notFound(kind: string, id: string): AppError {
  return new AppError('NOT_FOUND', `${kind} "${id}" not found`);
}
