import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Request, RequestHandler, Response } from 'express';
import { AppError, message } from '../../kit/errors/errors.ts';
import type { Deps } from '../../kit/deps.ts';
import type { Origin } from '../../graph/context.ts';
import type { Verdict } from '../../tenancy/limits/limiter.ts';
import type { Viewer } from '../../tenancy/auth/scope.ts';
import type { Metrics } from '../metrics.ts';

/** What we know of one request while it is answered. */
export interface Exchange {
  readonly requestId: string;
  readonly origin: Origin;
  /** Null until it was asked, and when nobody is signed in. */
  viewer: Viewer | null;
  /** The count it was held against; null until it was counted. */
  verdict: Verdict | null;
  /** The route's pattern or the root field's name, for the log and the metrics: never what a client could invent. */
  route: string;
}

const exchanges = new WeakMap<IncomingMessage, Exchange>();

/** What is known of this request. */
export function exchangeOf(req: IncomingMessage): Exchange {
  const exchange = exchanges.get(req);
  if (!exchange) throw new Error('The request was never opened: openExchange must come first');
  return exchange;
}

/** Gives each request its id, and writes its one line of log when it ends. */
export function openExchange(deps: Pick<Deps, 'log' | 'clock'>, metrics: Metrics): RequestHandler {
  // Its fields are all ours and none is a secret, so the search for secrets, a tenth of a small request, is left out.
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
      log.info({ ...facts, userId: viewer?.userId ?? null, ipAddress: origin.ipAddress, ...ended }, 'request');
    });
    next();
  };
}

/** Aborted when the client leaves before its answer was sent. Its reason is an error that is no defect. */
export function signalOf(res: Response): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished)
      controller.abort(new AppError('SERVICE_UNAVAILABLE', message`The client disconnected before the response`));
  });
  return controller.signal;
}

/** The client's address, behind the proxies that are trusted. Some of them write a port behind it, which is another one
 *  for each connection; and what is no address is nobody's, so the proxy's own stands for it. */
function addressOf(req: Request): string {
  const address = plain(req.ip ?? '');
  return isIP(address) === 0 ? plain(req.socket.remoteAddress ?? '') : address;
}

/** `203.0.113.7:51234` and `[2001:db8::1]:51234` without the port. A server that listens on IPv6 sees IPv4 clients as
 *  `::ffff:203.0.113.7`; logs and people know them as 203.0.113.7. */
function plain(text: string): string {
  const address = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
}

/** The form of a request id. */
export const requestIdPattern = '^[\\w.-]{8,64}$';
const requestIdForm = new RegExp(requestIdPattern);

/** A proxy's request id is kept, so that its log and ours meet; anything odd is replaced. */
function clientRequestId(req: Request): string | null {
  const given = req.get('x-request-id');
  return given && requestIdForm.test(given) ? given : null;
}
