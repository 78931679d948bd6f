import {
  AppError,
  arg,
  fix,
  forbidden,
  invalid,
  message,
  notFound,
  statusOf,
  unauthorized,
} from '../../kit/errors/errors.ts';
import { envelopeOf } from '../errors.ts';
import { requestIdPattern } from '../http/exchange.ts';
import { int32, type Json } from './schemas.ts';

/** The meaning of each status, as documented. */
const meanings: Readonly<Record<number, { name: string; description: string; example: AppError }>> = {
  400: {
    name: 'BadRequest',
    description: 'The request is invalid. The message names the field, its value and how to fix it.',
    example: invalid`${arg('per_page', 500)} must be 1 to 100`,
  },
  401: {
    name: 'Unauthorized',
    description: 'The token is missing, expired or revoked.',
    example: unauthorized`Authentication is missing or no longer valid${fix}send "Authorization: Bearer <token>"`,
  },
  403: {
    name: 'Forbidden',
    description: 'The caller is not allowed to do this.',
    example: forbidden`The role viewer does not allow this${fix}ask an Admin of the organization`,
  },
  404: {
    name: 'NotFound',
    description: 'The resource does not exist, or is outside the caller’s scope.',
    example: notFound('Account', '019a8c2e-0000-7000-8000-000000000000'),
  },
  409: {
    name: 'Conflict',
    description: 'The current state of the resource does not allow this.',
    example: new AppError(
      'CONFLICT',
      message`${arg('settings.path')} belongs to "exports", which is already connected as account "019a8c2e-0000-7000-8000-000000000000"${fix}use that account`,
      { resourceId: '019a8c2e-0000-7000-8000-000000000000' },
    ),
  },
  413: {
    name: 'PayloadTooLarge',
    description: 'The body is larger than 1 MiB, or an uploaded file is larger than the server’s limit.',
    example: new AppError('PAYLOAD_TOO_LARGE', 'The body is larger than 1 MiB'),
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body is not `application/json`, or an uploaded file is not sent as raw bytes.',
    example: new AppError('UNSUPPORTED_MEDIA_TYPE', 'The Content-Type must be application/json, not text/plain'),
  },
  416: {
    name: 'RangeNotSatisfiable',
    description: 'The range is outside the file; `Content-Range` has its size.',
    example: new AppError('RANGE_NOT_SATISFIABLE', 'The range starts at byte 9000, but the file has only 5120 bytes'),
  },
  423: {
    name: 'Locked',
    description: 'Too many failed logins. `Retry-After` is the number of seconds to wait.',
    example: new AppError('ACCOUNT_LOCKED', message`Too many failed logins${fix}try again in 60 s`),
  },
  429: {
    name: 'TooManyRequests',
    description: 'The rate limit of this category is exceeded. `Retry-After` is the number of seconds to wait.',
    example: new AppError('RATE_LIMITED', message`More than 100 read requests per minute${fix}try again in 31 s`),
  },
  500: {
    name: 'InternalError',
    description: 'Unexpected error. Find it in the server’s log by `X-Request-Id`.',
    example: new AppError(
      'INTERNAL_ERROR',
      'Unexpected error; the server log has the details of request 5f0c1f0e-7a3b-4a83-9d3a-0a8f3c1b2d4e',
    ),
  },
  503: {
    name: 'Unavailable',
    description:
      'The server, its database or a provider is temporarily unavailable, or a cost query exceeds its limits. ' +
      '`Retry-After`, if present, is the number of seconds to wait.',
    example: new AppError('SERVICE_UNAVAILABLE', message`The database is temporarily unavailable${fix}try again`),
  },
};

const header = (name: string): Json => ({ $ref: `#/components/headers/${name}` });

/** The headers of every response; the CORS header only for allowed origins. */
export const commonHeaders: Json = {
  'Access-Control-Allow-Origin': header('Access-Control-Allow-Origin'),
  'X-RateLimit-Limit': header('RateLimitLimit'),
  'X-RateLimit-Remaining': header('RateLimitRemaining'),
  'X-RateLimit-Reset': header('RateLimitReset'),
  'X-Request-Id': header('RequestId'),
};

/** Header components referenced by responses. */
export const componentHeaders: Json = {
  'Access-Control-Allow-Origin': {
    description: 'The `Origin` of the request, if the operator allows it in `CORS_ORIGINS`. Otherwise absent.',
    schema: { type: 'string', format: 'uri' },
  },
  RateLimitLimit: {
    description: 'Requests allowed per minute in this category.',
    required: true,
    schema: { ...int32, minimum: 0 },
  },
  RateLimitRemaining: {
    description: 'Requests left in the current minute.',
    required: true,
    schema: { ...int32, minimum: 0 },
  },
  RateLimitReset: {
    description: 'When the current minute ends, as Unix time in seconds.',
    required: true,
    schema: { type: 'integer', format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  },
  RequestId: {
    description: 'Identifies the request in the server’s log.',
    required: true,
    schema: { type: 'string', pattern: requestIdPattern, maxLength: 64 },
  },
  RetryAfter: {
    description: 'Seconds to wait before the next attempt.',
    required: true,
    schema: { ...int32, minimum: 1 },
  },
  ETag: {
    description: 'Version of the response. Send it as `If-None-Match` to revalidate a cached copy.',
    required: true,
    schema: { type: 'string' },
  },
  FileName: {
    description: 'For CSV: marks the response as a file and names it.',
    schema: { type: 'string', example: 'attachment; filename="accounts.csv"' },
  },
  NextPage: {
    description: 'For CSV: the URL of the next page, if there is one (RFC 8288).',
    schema: { type: 'string', example: '</api/v1/accounts?page=2>; rel="next"' },
  },
};

/** The headers of a response that can be CSV. */
export const csvHeaders: Json = { 'Content-Disposition': header('FileName'), Link: header('NextPage') };

/** The body of every error. */
export const errorSchema: Json = {
  type: 'object',
  description: 'The body of every error.',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'status', 'reason'],
      properties: {
        code: { type: 'string', enum: Object.keys(statusOf), description: 'Machine-readable cause.' },
        message: { type: 'string', description: 'Field, value, reason and remedy in one line.' },
        status: { ...int32, minimum: 400, maximum: 599, description: 'The HTTP status.' },
        field: {
          type: 'string',
          description: 'The argument at fault, such as `settings.path`. Absent when there is none.',
          example: 'settings.path',
        },
        value: {
          type: 'string',
          description:
            'The value of the argument, cut to 80 characters. Absent when the error does not repeat it; secrets are never repeated.',
        },
        reason: {
          type: 'string',
          description: 'What is wrong. Where there is a `field`, it continues its name: `must be 1 to 100`.',
        },
        remedy: {
          type: 'string',
          description: 'What to do. Absent when there is no remedy, or when the reason includes it.',
        },
        operation: {
          type: 'string',
          description:
            'The operation that the remedy names, such as `PATCH /accounts/{id}`. Absent when there is none.',
        },
        resource_id: {
          type: 'string',
          description:
            'Id of the conflicting resource, such as the account that is already connected. Absent when there is none.',
        },
      },
    },
  },
};

/** The response components for these error statuses. */
export function componentResponses(statuses: Iterable<number>): Json {
  const entries = [...new Set(statuses)]
    .sort((a, b) => a - b)
    .map((status) => [meaningOf(status).name, errorResponse(status)]);
  return Object.fromEntries(entries);
}

/** References to error responses, by their status. */
export function errorReferences(statuses: readonly number[]): Json {
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${meaningOf(status).name}` }]),
  );
}

function errorResponse(status: number): Json {
  const { description, example } = meaningOf(status);
  const retry = [423, 429, 503].includes(status) ? { 'Retry-After': header('RetryAfter') } : {};
  return {
    description,
    headers: { ...commonHeaders, ...retry },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ErrorResponse' },
        example: envelopeOf(example),
      },
    },
  };
}

function meaningOf(status: number) {
  const meaning = meanings[status];
  if (!meaning) throw new Error(`The document has no description of status ${status}`);
  return meaning;
}
