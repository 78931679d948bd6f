import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { openApi } from './api/client.ts';
import { ApiFailure, type Failure } from './api/failure.ts';
import { refuse } from './http/gate.ts';
import type { Settings } from './settings.ts';
import { tools } from './tools/registry.ts';

const manifest = z.object({ version: z.string() });

/** Costkeep's, which the MCP server is a part of. */
export const { version } = manifest.parse(
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')),
);

/** How the API is. `error`: it answers, but not as it should. */
interface ApiState {
  readonly status: 'ok' | 'error' | 'unreachable';
  /** Null where it is ok. */
  readonly code: string | null;
  readonly checked_at: string;
}

/** Whether the API takes the token of this server; in multi-tenant mode it has none. */
type TokenState = 'accepted' | 'refused' | 'unknown';

export interface Health {
  /** Answers `/health`: 200 as long as this server lives; `degraded` while the API does not answer as it should. */
  answer(req: IncomingMessage, res: ServerResponse): Promise<void>;
}

const timeoutMs = 2_000;
/** Probes ask often; the API is asked so often at most. */
const apiKeptMs = 5_000;
/** This one counts against the limit of the token's user; a token that was revoked is not to look good for long. */
const tokenKeptMs = 15_000;

/** @param now the time in milliseconds */
export function openHealth({ apiUrl, token }: Settings, now: () => number = Date.now): Health {
  const apiState = kept(
    () => askApi(apiUrl, now),
    () => apiKeptMs,
    now,
  );
  const tokenState =
    token === null
      ? null
      : kept(
          () => askToken(apiUrl, token),
          (state) => (state === 'unknown' ? apiKeptMs : tokenKeptMs),
          now,
        );
  return {
    async answer(req, res) {
      if (req.method !== 'GET' && req.method !== 'HEAD')
        return refuse(res, { status: 405, message: 'GET the health check', headers: { allow: 'GET, HEAD' } });
      const api = await apiState();
      const tokenNow = api.status === 'ok' ? await tokenState?.() : 'unknown';
      const body = {
        status: api.status === 'ok' ? 'ok' : 'degraded',
        service: 'costkeep-mcp',
        version,
        mode: token === null ? 'multi-tenant' : 'single-tenant',
        tools: tools.length,
        api: { ...api, ...(token === null ? {} : { token: tokenNow }) },
      };
      res.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
      res.end(req.method === 'HEAD' ? undefined : JSON.stringify(body));
    },
  };
}

/** The last answer for a while, and one question at a time.
 *  @param forMs how long this answer is good */
function kept<Value>(
  ask: () => Promise<Value>,
  forMs: (value: Value) => number,
  now: () => number,
): () => Promise<Value> {
  let last: { until: number; readonly value: Promise<Value> } | undefined;
  return () => {
    if (last && now() < last.until) return last.value;
    const at = now();
    const asked = { until: Infinity, value: ask() };
    asked.value.then(
      (value) => (asked.until = at + forMs(value)),
      () => (asked.until = at),
    );
    last = asked;
    return asked.value;
  };
}

/** Costs the API nothing: it refuses before it looks anything up. */
async function askApi(base: string, now: () => number): Promise<ApiState> {
  const failure = await failureOf(base, '');
  const checked_at = new Date(now()).toISOString();
  if (failure === null || failure.code === 'UNAUTHORIZED' || failure.status === 429)
    return { status: 'ok', code: null, checked_at };
  return { status: failure.status === null ? 'unreachable' : 'error', code: failure.code, checked_at };
}

async function askToken(base: string, token: string): Promise<TokenState> {
  const failure = await failureOf(base, token);
  if (failure === null) return 'accepted';
  return failure.status === 401 ? 'refused' : 'unknown';
}

async function failureOf(base: string, token: string): Promise<Failure | null> {
  try {
    await openApi({ base, token, timeoutMs }).get('/auth/me', {}, z.object({}));
    return null;
  } catch (error) {
    if (error instanceof ApiFailure) return error.failure;
    throw error;
  }
}
