import type { z } from 'zod';
import { ApiFailure, BadArguments, jsonOf, readText, refusalOf, unexpectedAnswer, unreachable } from './failure.ts';
import type { Limiter } from '../../kit/process/limiter.ts';

/** A value of the query; a list repeats the parameter, and what is absent is left out. */
type QueryValue = string | number | boolean | readonly string[] | undefined;

export type Query = Readonly<Record<string, QueryValue>>;

/** The REST API, as one caller sees it: it carries that caller's token and is used for one call of a tool. */
export interface Api {
  /** Reads.
   *  @param path under `/api/v1`, such as `/costs/summary`; made with `apiPath` where it holds what was sent
   *  @param shape picks what is wanted of the answer; further fields are dropped
   *  @throws {ApiFailure} */
  get<S extends z.ZodType>(path: string, query: Query, shape: S): Promise<z.output<S>>;
  /** Writes.
   *  @throws {ApiFailure} */
  send<S extends z.ZodType>(method: 'POST' | 'PATCH', path: string, body: object, shape: S): Promise<z.output<S>>;
}

/** A path with what was sent as segments of it, each encoded: apiPath`/budgets/${id}`.
 *  @throws {BadArguments} for one that a URL cannot hold: it would name what is above */
export function apiPath(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw({ raw: parts }, ...values.map(segment));
}

/** Dots are a way up even where they are encoded, and nothing is the list itself. */
function segment(value: string): string {
  if (/^\.{0,2}$/.test(value)) throw new BadArguments(`"${value}" is not a valid id: use one from a list`);
  return encodeURIComponent(value);
}

/** Whose API it is, and for which call. */
interface ApiTarget {
  /** Where the API is, `/api/v1` included, without a slash at its end. */
  readonly base: string;
  /** Of the caller; sent to `base` and nowhere else. */
  readonly token: string;
  /** By which the API's log knows the call; the API gives it one of its own otherwise. */
  readonly requestId?: string | undefined;
  /** Ends the question when the caller no longer waits. */
  readonly signal?: AbortSignal | undefined;
  /** How long an answer may take, waiting for a turn included, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** Where questions wait for their turn, so that many callers do not flood the API; without it none waits. */
  readonly queue?: Limiter | undefined;
}

const defaultTimeoutMs = 30_000;

/** Answers are bounded by the API's own paging; beyond this something else answers. */
const maxAnswerBytes = 8 * 1024 * 1024;

/** The REST API over HTTP. */
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
    // A redirect would take the token elsewhere.
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

/** The API closed a connection that it had kept, as the question was on its way. Reading again does no harm. */
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
    // The API takes a list apart at commas, unless they are escaped.
    if (typeof value === 'object') for (const one of value) params.append(name, one.replaceAll(',', '\\,'));
    else params.append(name, String(value));
  }
  return params.size === 0 ? '' : `?${params.toString()}`;
}
