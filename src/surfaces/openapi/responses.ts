import { statusOf, type ErrorCode } from '../../kit/errors.ts';
import type { Json } from './schemas.ts';

/** What each status means, in the words of the document. */
const meanings: Readonly<
  Record<number, { name: string; description: string; example: { code: ErrorCode; message: string } }>
> = {
  400: {
    name: 'BadRequest',
    description: 'The request cannot be used; the message names the field, the value and the remedy.',
    example: { code: 'VALIDATION_ERROR', message: 'per_page must be 1 to 100, not 500' },
  },
  401: {
    name: 'Unauthorized',
    description: 'The token is missing, expired or revoked.',
    example: {
      code: 'UNAUTHORIZED',
      message: 'Authentication is missing or no longer valid: send "Authorization: Bearer <token>"',
    },
  },
  403: {
    name: 'Forbidden',
    description: 'The caller is known, but may not do this.',
    example: { code: 'FORBIDDEN', message: 'The role viewer may not do this: ask an Admin of the organization' },
  },
  404: {
    name: 'NotFound',
    description: 'There is no such resource, or none that the caller may know of.',
    example: { code: 'NOT_FOUND', message: 'Account "019a8c2e-0000-7000-8000-000000000000" not found' },
  },
  409: {
    name: 'Conflict',
    description: 'The state of things does not allow it now.',
    example: { code: 'CONFLICT', message: 'This account is connected already' },
  },
  413: {
    name: 'PayloadTooLarge',
    description: 'The body is larger than 1 MiB.',
    example: { code: 'PAYLOAD_TOO_LARGE', message: 'The body is larger than 1 MiB' },
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body is not `application/json`.',
    example: { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'The Content-Type must be application/json, not text/plain' },
  },
  416: {
    name: 'RangeNotSatisfiable',
    description: 'The range is not inside the file; `Content-Range` says how large that is.',
    example: { code: 'RANGE_NOT_SATISFIABLE', message: 'The file has 5120 bytes: no range begins at byte 9000' },
  },
  423: {
    name: 'Locked',
    description: 'Too many failed logins; the message and `Retry-After` say when to try again.',
    example: { code: 'ACCOUNT_LOCKED', message: 'Too many failed logins: try again in 60 s' },
  },
  429: {
    name: 'TooManyRequests',
    description: 'The minute’s budget of this category is used up.',
    example: { code: 'RATE_LIMITED', message: 'More than 100 read requests in a minute: try again in 31 s' },
  },
  500: {
    name: 'InternalError',
    description: 'A defect of the server. Its log knows the request by its `X-Request-Id`.',
    example: {
      code: 'INTERNAL_ERROR',
      message: 'The server failed; its log knows this as request 5f0c1f0e-7a3b-4a83-9d3a-0a8f3c1b2d4e',
    },
  },
  503: {
    name: 'Unavailable',
    description: 'The database cannot be reached right now.',
    example: { code: 'SERVICE_UNAVAILABLE', message: 'The database cannot be reached right now: try again' },
  },
};

const header = (name: string): Json => ({ $ref: `#/components/headers/${name}` });

/** The headers of every answer. */
export const commonHeaders: Json = {
  'X-RateLimit-Limit': header('RateLimitLimit'),
  'X-RateLimit-Remaining': header('RateLimitRemaining'),
  'X-RateLimit-Reset': header('RateLimitReset'),
  'X-Request-Id': header('RequestId'),
};

/** The headers that answers refer to. */
export const componentHeaders: Json = {
  RateLimitLimit: { description: 'Requests of this category allowed a minute.', schema: { type: 'integer' } },
  RateLimitRemaining: { description: 'Requests left in this minute.', schema: { type: 'integer' } },
  RateLimitReset: { description: 'When the minute ends: Unix time in seconds.', schema: { type: 'integer' } },
  RequestId: { description: 'Names this request in the server’s log.', schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds until it makes sense to try again.', schema: { type: 'integer', minimum: 1 } },
  ETag: { description: 'Changes when the answer could; send it back as `If-None-Match`.', schema: { type: 'string' } },
};

/** The body of every error. */
export const errorSchema: Json = {
  type: 'object',
  description: 'What every error answers with.',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'status'],
      properties: {
        code: { type: 'string', enum: Object.keys(statusOf), description: 'What went wrong, for programs.' },
        message: { type: 'string', description: 'What went wrong, for people: the thing, the value and the remedy.' },
        status: { type: 'integer', description: 'The HTTP status.' },
      },
    },
  },
};

/** The error responses that these statuses need. */
export function componentResponses(statuses: Iterable<number>): Json {
  const entries = [...new Set(statuses)]
    .sort((a, b) => a - b)
    .map((status) => [meaningOf(status).name, errorResponse(status)]);
  return Object.fromEntries(entries);
}

/** A reference to the response of an error. */
export function errorReference(status: number): Json {
  return { $ref: `#/components/responses/${meaningOf(status).name}` };
}

function errorResponse(status: number): Json {
  const { description, example } = meaningOf(status);
  const retry = [423, 429, 503].includes(status) ? { 'Retry-After': header('RetryAfter') } : {};
  return {
    description,
    headers: { ...commonHeaders, ...retry },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        example: { error: { ...example, status } },
      },
    },
  };
}

function meaningOf(status: number) {
  const meaning = meanings[status];
  if (!meaning) throw new Error(`The document has no words for status ${status}`);
  return meaning;
}
