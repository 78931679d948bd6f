import type { CallToolResult } from '@modelcontextprotocol/server';
import { ApiFailure, type Failure } from './api/failure.ts';
import { isGatewayStatus } from './api/faults.ts';
import { cut } from './cut.ts';
import { BadArguments } from './bad-arguments.ts';

/** Enough for each message of ours; what an argument was comes back as long as it went in. */
const mostCharacters = 1000;

/** What went wrong in a tool, as the model reads it. An error that is none of ours is an INTERNAL_ERROR, its words kept back. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ApiFailure) return error.failure;
  const none = { status: null, retryAfterS: null, requestId: null };
  if (error instanceof BadArguments)
    return {
      code: 'VALIDATION_ERROR',
      message: cut(error.message, mostCharacters),
      ...(error.field !== null && { field: error.field }),
      ...none,
    };
  return { code: 'INTERNAL_ERROR', message: 'Unexpected error; the log of the MCP server has the details', ...none };
}

/** A failure as the result of a tool. */
export function toolError(failure: Failure): CallToolResult {
  const { code, message, field, status, retryAfterS, requestId } = failure;
  const error = {
    code,
    message,
    ...(field === undefined ? {} : { field }),
    status,
    ...(retryAfterS === null ? {} : { retry_after_s: retryAfterS }),
    ...(requestId === null ? {} : { request_id: requestId }),
  };
  return { isError: true, content: [{ type: 'text', text: JSON.stringify({ error, hint: hintOf(failure) }) }] };
}

function hintOf({ code, field, status, retryAfterS }: Failure): string {
  if (code === 'CANCELLED') return 'The client cancelled the call';
  if (status === 429) return `Wait ${retryAfterS ?? 60} s, then retry with fewer calls at a time`;
  // A status that is not Costkeep's own: a wrong address says nothing about an id, and a gateway nothing about arguments.
  if (code === 'API_UNEXPECTED_ANSWER' && status !== null && isGatewayStatus(status))
    return `The API is starting or unavailable: retry in ${retryAfterS ?? 30} s, then tell the user`;
  if (code.startsWith('API_')) return 'Tell the user; an immediate retry will not help';
  if (code === 'TWO_FACTOR_SETUP_REQUIRED')
    return 'The user of this token must first set up a second factor in Costkeep';
  if (status === 401)
    return 'The API token was rejected: the user must create a new one in Costkeep (POST /auth/tokens) and set it as SVC_API_TOKEN';
  if (status === 403) return 'The token does not allow this: its user needs a role that does';
  if (status === 404) return 'Use an id from a new list call';
  if (status === 413) return 'Retry with fewer or shorter values';
  if (status === 409) return 'Read the current state, then decide again';
  if (status === 503) return `The API is busy or starting: retry in ${retryAfterS ?? 30} s`;
  if (status === 400 || code === 'VALIDATION_ERROR') return `Correct ${field ?? 'the argument named in the message'}`;
  return 'Tell the user, and include the request id if there is one, so that the operator can look it up';
}
