import { randomUUID } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Limiter } from '../../kit/process/limiter.ts';
import type { Log } from '../../kit/log.ts';
import { type Health, openHealth } from '../health.ts';
import type { Settings } from '../settings.ts';
import { answer, type ExchangeDeps, type RequestRecord } from './exchange.ts';
import { admit, corsOf, preflight, type Refusal, refuse } from './gate.ts';

/** Notification streams, open until the client disconnects or their maximum age is reached. */
export interface Streams {
  /** @param end closes the stream from our side
   *  @returns a function to call when it has ended; null if there are too many */
  open(owner: string, end: () => void): (() => void) | null;
  endAll(): void;
  readonly count: number;
}

/** @param limits maximum in total, maximum per owner, and maximum age */
function openStreams(limits: { most: number; mostOfOne: number; maxAgeMs: number }): Streams {
  const limiter = new Limiter({ limit: limits.most, limitPerOwner: limits.mostOfOne });
  const ends = new Set<() => void>();
  return {
    open(owner, end) {
      const release = limiter.tryAcquire({ owner });
      if (!release) return null;
      const timer = setTimeout(end, limits.maxAgeMs);
      ends.add(end);
      return () => {
        clearTimeout(timer);
        ends.delete(end);
        release();
      };
    },
    endAll: () => {
      for (const end of ends) end();
    },
    get count() {
      return limiter.running;
    },
  };
}

/** A running server. */
export interface Running {
  /** Its URL, such as `http://127.0.0.1:3005`. */
  readonly address: string;
  /** Accepts requests already in flight, then no more; ends streams and waits for running calls, up to a limit. */
  stop(): Promise<void>;
}

/** Limits of the server. */
export interface Limits {
  /** Concurrent requests, in total and per token. */
  readonly requests: number;
  readonly requestsOfOne: number;
  /** Open notification streams, in total and per token. */
  readonly streams: number;
  readonly streamsOfOne: number;
  readonly streamMaxAgeMs: number;
  /** Concurrent API requests. */
  readonly apiAtOnce: number;
  /** Grace period after a stop for requests that were sent before clients could know of it. */
  readonly graceMs: number;
  /** Time limit of running calls after a stop; container runtimes kill after 10 seconds. */
  readonly drainMs: number;
}

const usual: Limits = {
  requests: 1024,
  requestsOfOne: 512,
  streams: 256,
  streamsOfOne: 16,
  streamMaxAgeMs: 600_000,
  apiAtOnce: 64,
  graceMs: 250,
  drainMs: 7_000,
};

// Proxies keep connections for a minute: if the server closed them first, requests in flight would be lost.
const timeouts = { requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 65_000 };

interface Parts {
  readonly settings: Settings;
  readonly log: Log;
  readonly health: Health;
  readonly requests: Limiter;
  readonly streams: Streams;
  readonly exchange: ExchangeDeps;
}

/** Serves MCP over Streamable HTTP at `/mcp`, and `/health`.
 *  @param limits override the defaults
 *  @throws {Error} if it cannot listen, with the reason and the remedy */
export async function serveHttp(settings: Settings, log: Log, limits: Partial<Limits> = {}): Promise<Running> {
  const { requests, requestsOfOne, streams: most, streamsOfOne, ...more } = { ...usual, ...limits };
  const streams = openStreams({ most, mostOfOne: streamsOfOne, maxAgeMs: more.streamMaxAgeMs });
  const parts: Parts = {
    settings,
    log,
    streams,
    health: openHealth(settings),
    requests: new Limiter({ limit: requests, limitPerOwner: requestsOfOne }),
    exchange: {
      apiUrl: settings.apiUrl,
      log,
      queue: new Limiter({ limit: more.apiAtOnce }),
      openStream: (owner, end) => streams.open(owner, end),
    },
  };
  const inHand = new Set<ServerResponse>();
  const server = http.createServer(timeouts, (req, res) => {
    inHand.add(res);
    res.once('close', () => inHand.delete(res) && !server.listening && hangUp(server, inHand));
    route(req, res, parts).catch((err: unknown) => {
      log.error({ err }, 'A request failed');
      if (res.headersSent) res.destroy();
      else refuse(res, { status: 500, message: 'Unexpected error; the log of the MCP server has the details' });
    });
  });
  const address = await listen(server, settings);
  return { address, stop: () => drain(server, { streams, inHand, graceMs: more.graceMs, limitMs: more.drainMs }) };
}

async function route(req: IncomingMessage, res: ServerResponse, parts: Parts): Promise<void> {
  const [pathname] = (req.url ?? '/').split('?');
  if (pathname === '/mcp') return serveMcp(req, res, parts);
  if (pathname === '/health') return parts.health.answer(req, res);
  refuse(res, { status: 404, message: 'Not found: MCP is at /mcp, the health check at /health' });
}

async function serveMcp(req: IncomingMessage, res: ServerResponse, parts: Parts): Promise<void> {
  const { settings, requests, exchange } = parts;
  const record: RequestRecord = { requestId: requestIdOf(req), rpc: null, calls: [] };
  logAtEnd(req, res, { record, log: parts.log });
  const entry = admit(req, settings);
  const cors = 'status' in entry && entry.status === 403 ? {} : corsOf(req, settings);
  for (const [name, value] of Object.entries({ ...cors, 'x-request-id': record.requestId })) res.setHeader(name, value);
  if (req.method === 'OPTIONS' && 'access-control-allow-origin' in cors)
    return void res.writeHead(204, preflight).end();
  if ('status' in entry) return refuse(res, entry);
  const release = requests.tryAcquire({ owner: entry.token });
  if (!release) return refuse(res, tooMany);
  res.once('close', release);
  await answer(req, res, { token: entry.token, record, deps: exchange });
}

const tooMany: Refusal = {
  status: 503,
  message: 'Too many concurrent requests: send fewer at a time',
  headers: { 'retry-after': '1' },
};

/** Uses the client's request id if it is well-formed, so that it appears in both our log and the API's. */
function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{8,64}$/.test(given) ? given : randomUUID();
}

/** Logs one line per request. */
function logAtEnd(
  req: IncomingMessage,
  res: ServerResponse,
  { record, log }: { record: RequestRecord; log: Log },
): void {
  const start = performance.now();
  res.once('close', () => {
    const { requestId, rpc, calls } = record;
    const [call, ...others] = calls;
    const ms = Math.round(performance.now() - start);
    const tool = call ? { tool: call.tool, outcome: call.outcome } : {};
    const more = others.length > 0 ? { calls } : {};
    const isWhole = res.writableFinished;
    log.info({ requestId, method: req.method, rpc, ...tool, ...more, status: res.statusCode, isWhole, ms }, 'request');
  });
}

async function listen(server: http.Server, { host, port }: Settings): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  // The backlog matches the maximum number of concurrent requests.
  server.listen({ port, host, backlog: usual.requests }, resolve);
  await promise.catch((cause: unknown) => {
    const reason =
      cause instanceof Error
        ? 'code' in cause && cause.code === 'EADDRINUSE'
          ? 'the port is in use'
          : cause.message
        : '';
    throw new Error(`Cannot listen on ${host} port ${port}: ${reason}; set another MCP_HOST or PORT`, { cause });
  });
  const bound = server.address();
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${typeof bound === 'object' && bound ? bound.port : port}`;
}

interface Draining {
  readonly streams: Streams;
  readonly inHand: ReadonlySet<ServerResponse>;
  readonly graceMs: number;
  readonly limitMs: number;
}

async function drain(server: http.Server, { streams, inHand, graceMs, limitMs }: Draining): Promise<void> {
  if (graceMs > 0) await pause(graceMs);
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  streams.endAll();
  hangUp(server, inHand);
  const limit = setTimeout(() => server.closeAllConnections(), limitMs);
  await promise;
  clearTimeout(limit);
}

/** Closes idle keep-alive connections, which would delay a stop. */
function hangUp(server: http.Server, inHand: ReadonlySet<ServerResponse>): void {
  // After the last bytes have been sent.
  setImmediate(() => inHand.size === 0 && server.closeAllConnections());
}
