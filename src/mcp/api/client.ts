import type { z } from 'zod';
import { ApiFailure, BadArguments, jsonOf, readText, refusalOf, unexpectedAnswer, unreachable } from './failure.ts';
import type { Limiter } from '../../kit/process/limiter.ts';

/** A query parameter value; a list repeats the parameter, and undefined omits it. */
type QueryValue = string | number | boolean | readonly string[] | undefined;

export type Query = Readonly<Record<string, QueryValue>>;

/** A REST API client for one caller: it carries the caller's token and serves one tool call. */
export interface Api {
  /** Sends a GET request.
   *  @param path under `/api/v1`, such as `/costs/summary`; use `apiPath` if it contains user input
   *  @param shape selects the fields of the response; others are dropped
   *  @throws {ApiFailure} */
  get<S extends z.ZodType>(path: string, query: Query, shape: S): Promise<z.output<S>>;
  /** Sends a write request.
   *  @throws {ApiFailure} */
  send<S extends z.ZodType>(method: 'POST' | 'PATCH', path: string, body: object, shape: S): Promise<z.output<S>>;
}

/** Builds a path with encoded segments from user input: apiPath`/budgets/${id}`.
 *  @throws {BadArguments} for a segment that a URL cannot contain, because it would address a parent path */
export function apiPath(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw({ raw: parts }, ...values.map(segment));
}

/** Dot segments navigate up even when encoded, and an empty one addresses the list itself. */
function segment(value: string): string {
  if (/^\.{0,2}$/.test(value)) throw new BadArguments(`"${value}" is not a valid id: use one from a list`);
  return encodeURIComponent(value);
}

/** The API and caller of one call. */
interface ApiTarget {
  /** Base URL of the API including `/api/v1`, without a trailing slash. */
  readonly base: string;
  /** The caller's token; sent only to `base`. */
  readonly token: string;
  /** Request id for the API's log; by default, the API generates one. */
  readonly requestId?: string | undefined;
  /** Cancels the request when the client disconnects. */
  readonly signal?: AbortSignal | undefined;
  /** Response timeout in milliseconds, including time in the queue. */
  readonly timeoutMs?: number | undefined;
  /** Limits concurrent requests, so that many callers do not overload the API; unlimited by default. */
  readonly queue?: Limiter | undefined;
}

const defaultTimeoutMs = 30_000;

/** Responses are bounded by the API's paging; anything larger is not from the API. */
const maxAnswerBytes = 8 * 1024 * 1024;

/** Creates an HTTP client for the REST API. */
export function openApi(target: ApiTarget): Api {
  return {
    get: (path, query, shape) => ask(target, { method: 'GET', path: path + queryText(query) }, shape),
    send: (method, path, body, shape) => ask(target, { method, path, body }, shape),
  };
}

interface Question {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly body?: object;
}

async function ask<S extends z.ZodType>(target: ApiTarget, question: Question, shape: S): Promise<z.output<S>> {
  const timeout = AbortSignal.timeout(target.timeoutMs ?? defaultTimeoutMs);
  const signal = target.signal ? AbortSignal.any([timeout, target.signal]) : timeout;
  let endTurn: (() => void) | undefined;
  try {
    endTurn = await target.queue?.acquire({ owner: target.token, signal });
    const response = await request(target, question, signal);
    const text = await readText(response, maxAnswerBytes);
    if (!response.ok) throw refusalOf(response, text, target.base);
    const read = shape.safeParse(jsonOf(text));
    if (!read.success) throw unexpectedAnswer(response, target.base, read.error);
    return read.data;
  } catch (error) {
    if (error instanceof ApiFailure) throw error;
    const isLeft = target.signal?.aborted === true;
    throw unreachable(error, target, { isLeft, isLate: timeout.aborted, wasSaid: question.method !== 'GET' });
  } finally {
    endTurn?.();
  }
}

async function request(target: ApiTarget, question: Question, signal: AbortSignal): Promise<Response> {
  const init: RequestInit = {
    method: question.method,
    headers: headersOf(target, question),
    body: question.body === undefined ? null : JSON.stringify(question.body),
    // A redirect would leak the token to another server.
    redirect: 'manual',
    signal,
  };
  const url = target.base + question.path;
  try {
    return await fetch(url, init);
  } catch (error) {
    if (question.method !== 'GET' || !wasClosed(error)) throw error;
    return fetch(url, init);
  }
}

/** Whether the API closed a keep-alive connection while the request was in flight. GET requests are then safe to retry. */
function wasClosed(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && (cause.code === 'UND_ERR_SOCKET' || cause.code === 'ECONNRESET');
}

function headersOf({ token, requestId }: ApiTarget, { body }: Question): Record<string, string> {
  return {
    accept: 'application/json',
    authorization: `Bearer ${token}`,
    'user-agent': 'costkeep-mcp',
    ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
}

function queryText(query: Query): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    // The API splits lists at commas, unless they are escaped.
    if (typeof value === 'object') for (const one of value) params.append(name, one.replaceAll(',', '\\,'));
    else params.append(name, String(value));
  }
  return params.size === 0 ? '' : `?${params.toString()}`;
}
