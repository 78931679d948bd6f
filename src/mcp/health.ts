import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { version } from '../kit/package.ts';
import { openApi } from './api/client.ts';
import { ApiFailure, type Failure } from './api/failure.ts';
import { refuse } from './http/gate.ts';
import type { Settings } from './settings.ts';
import { tools } from './tools/registry.ts';

/** State of the API. `error`: it responds, but not as expected. */
interface ApiState {
  readonly status: 'ok' | 'error' | 'unreachable';
  /** Null if it is ok. */
  readonly code: string | null;
  readonly checked_at: string;
}

/** Whether the API accepts this server's token; unknown in multi-tenant mode, which has no token. */
type TokenState = 'accepted' | 'refused' | 'unknown';

export interface Health {
  /** Answers `/health`: 200 as long as this server runs; `degraded` while the API is not healthy. */
  answer(req: IncomingMessage, res: ServerResponse): Promise<void>;
}

const timeoutMs = 2_000;
/** Cache time of the API state in milliseconds, since probes are frequent. */
const apiKeptMs = 5_000;
/** Cache time of the token state in milliseconds. Each check counts against the rate limit of the token's user, but
 *  a revoked token must not look valid for long. */
const tokenKeptMs = 15_000;

/** @param now current time in milliseconds */
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
        return refuse(res, {
          status: 405,
          message: 'The health check supports GET and HEAD only',
          headers: { allow: 'GET, HEAD' },
        });
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

/** Caches the last result for a while and allows one request at a time.
 *  @param forMs cache time of a result, in milliseconds */
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

/** Checks the API without a token, which is cheap for it: it rejects the request before any lookup. */
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
