import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Request, RequestHandler, Response } from 'express';
import { AppError, message } from '../../kit/errors/errors.ts';
import type { Deps } from '../../kit/deps.ts';
import { beginSpan } from '../../kit/tracing/spans.ts';
import type { Origin } from '../../graph/context.ts';
import type { Verdict } from '../../tenancy/limits/limiter.ts';
import type { Viewer } from '../../tenancy/auth/scope.ts';
import type { Metrics } from '../metrics.ts';

/** State of one request while it is processed. */
export interface Exchange {
  readonly requestId: string;
  readonly origin: Origin;
  /** Null until identified, or if unauthenticated. */
  viewer: Viewer | null;
  /** Result of rate limiting; null until counted. */
  verdict: Verdict | null;
  /** The route pattern or root field name, for the log and metrics: never a client-chosen value. */
  route: string;
}

const exchanges = new WeakMap<IncomingMessage, Exchange>();

/** The state of this request. */
export function exchangeOf(req: IncomingMessage): Exchange {
  const exchange = exchanges.get(req);
  if (!exchange) throw new Error('The request was never opened: openExchange must come first');
  return exchange;
}

/** Assigns each request an id and logs one line when it ends. */
export function openExchange(deps: Pick<Deps, 'log' | 'clock'>, metrics: Metrics): RequestHandler {
  // All fields are our own and contain no secrets, so redaction, a tenth of the time of a small request, is disabled.
  const log = deps.log.child({}, { redact: [] });
  return (req, res, next) => {
    const startedMs = performance.now();
    const exchange: Exchange = {
      requestId: clientRequestId(req) ?? randomUUID(),
      origin: { ipAddress: addressOf(req), userAgent: req.get('user-agent') ?? '', clock: deps.clock },
      viewer: null,
      verdict: null,
      route: 'unknown',
    };
    exchanges.set(req, exchange);
    res.setHeader('X-Request-Id', exchange.requestId);
    const { method, path } = req;
    const fields = { 'http.request.method': method, 'url.path': path, 'costkeep.request_id': exchange.requestId };
    const span = isProbe(path) ? null : beginSpan(method, { entry: 'server', headers: req.headers }, fields);
    res.once('close', () => {
      const durationMs = performance.now() - startedMs;
      metrics.observe({ method, route: exchange.route, status: res.statusCode, durationMs });
      const { requestId, origin, viewer, route } = exchange;
      const ended = res.writableFinished ? {} : { aborted: true };
      const facts = {
        requestId,
        method,
        path,
        route,
        status: res.statusCode,
        durationMs: Math.round(durationMs * 10) / 10,
      };
      const fieldsOfEnd = { 'http.route': route, 'http.response.status_code': res.statusCode };
      span?.end({ name: `${method} ${route}`, fields: fieldsOfEnd, ...(res.statusCode >= 500 && { error: null }) });
      log.info(
        { ...facts, ...span?.logFields, userId: viewer?.userId ?? null, ipAddress: origin.ipAddress, ...ended },
        'request',
      );
    });
    if (span) span.run(next);
    else next();
  };
}

/** Whether a path is that of a probe or scrape: these are frequent and alike, and not traced. */
function isProbe(path: string): boolean {
  return path === '/health' || path === '/ready' || path === '/metrics';
}

/** Aborted when the client disconnects before the response is sent. The reason is an error that does not count as a
 *  defect. */
export function signalOf(res: Response): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished)
      controller.abort(new AppError('SERVICE_UNAVAILABLE', message`The client disconnected before the response`));
  });
  return controller.signal;
}

/** The client's address, behind trusted proxies. Some proxies append a port, which differs per connection; if the
 *  value is not an IP address, the proxy's own address is used. */
function addressOf(req: Request): string {
  const address = plain(req.ip ?? '');
  return isIP(address) === 0 ? plain(req.socket.remoteAddress ?? '') : address;
}

/** Strips the port of `203.0.113.7:51234` and `[2001:db8::1]:51234`. A server that listens on IPv6 sees IPv4 clients
 *  as `::ffff:203.0.113.7`, which becomes 203.0.113.7, the form that logs and people use. */
function plain(text: string): string {
  const address = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
}

/** Valid request ids. */
export const requestIdPattern = '^[\\w.-]{8,64}$';
const requestIdForm = new RegExp(requestIdPattern);

/** Keeps a proxy's request id, so that its log and ours can be correlated; replaces malformed ones. */
function clientRequestId(req: Request): string | null {
  const given = req.get('x-request-id');
  return given && requestIdForm.test(given) ? given : null;
}
