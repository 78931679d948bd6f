import { Router, type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import { AppError, arg, fix, invalid, message } from '../../kit/errors/errors.ts';
import { clientError, envelopeOf, headersOf } from '../errors.ts';
import { exchangeOf } from '../http/exchange.ts';
import { enter, type Gate } from '../http/gate.ts';
import { requireHost } from '../http/host.ts';
import type { OpenApiDocument } from '../openapi/document.ts';
import { noRoute, sofaRouter, type RestDeps } from './answer.ts';
import type { RestApi } from './api.ts';
import { closeAfterLargeBody, refuseBody } from './input/body.ts';
import { parseSearch, searchOf } from './input/query.ts';
import { colonPath } from './route.ts';

/** A route besides the operations. */
export interface PlainRoute {
  readonly method: 'GET' | 'POST';
  /** As in the document. */
  readonly path: string;
  readonly handler: RequestHandler;
}

/** Sofa's routes, a few plain ones, and a uniform error for everything else under the API's root. */
export function restRouter({ operations, sofa }: RestApi, rest: RestDeps, plain: readonly PlainRoute[]): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use(requireHost);
  for (const { method, path, handler } of plain) router[method === 'GET' ? 'get' : 'post'](colonPath(path), handler);
  // Uploads, which may be large, are among the routes above.
  router.use(closeAfterLargeBody);
  router.use(sofaRouter(sofa, operations, rest));
  const methods = new Map<string, string[]>();
  for (const { path, method } of [...plain, ...operations.map(({ route }) => route)])
    methods.set(path, [...(methods.get(path) ?? []), method]);
  for (const [path, taken] of methods) router.all(colonPath(path), otherMethods(path, taken, rest.gate));
  router.use(async (req, res) => {
    await countUnrouted(req, res, rest.gate);
    throw noRoute(req);
  });
  router.use(restErrors(rest));
  return router;
}

/** `GET /docs`: the document for programs; browsers are redirected to its page. */
export function documentRoute(document: OpenApiDocument, gate: Gate): RequestHandler {
  const json = JSON.stringify(document);
  return async (req, res) => {
    exchangeOf(req).route = '/docs';
    await enter(gate, req, res, 'read');
    await refuseBody(req, res);
    const [unknown] = parseSearch(searchOf(req)).keys();
    if (unknown !== undefined)
      throw invalid`${arg(unknown.slice(0, 80))} is not a known parameter${fix}leave it out: the document takes none`;
    res.vary('Accept');
    if (req.accepts(['application/json', 'text/html']) === 'text/html') return res.redirect('/docs');
    res.setHeader('Content-Type', 'application/json; charset=utf-8').end(json);
  };
}

/** Answers OPTIONS, and rejects methods that the path does not support. */
function otherMethods(path: string, taken: readonly string[], gate: Gate): RequestHandler {
  const allow = [...taken, ...(taken.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort().join(', ');
  return async (req, res) => {
    exchangeOf(req).route = path;
    await countUnrouted(req, res, gate);
    if (req.method === 'OPTIONS') return void res.status(204).setHeader('Allow', allow).end();
    throw new AppError('METHOD_NOT_ALLOWED', message`${path} does not allow ${req.method}${fix}use ${allow}`, {
      headers: { Allow: allow },
    });
  };
}

/** Requests without an operation are counted and get the headers, but are never rejected for the limit: the route is
 *  checked first. */
async function countUnrouted(req: Request, res: Response, gate: Gate): Promise<void> {
  if (exchangeOf(req).verdict) return;
  await gate.identify(req);
  const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(req.method);
  await gate.count(req, res, isRead ? 'read' : 'write');
}

/** Handles all errors under the API's root. */
function restErrors({ deps, gate }: RestDeps): ErrorRequestHandler {
  return async (thrown: unknown, req, res, next) => {
    const error = clientError(thrown, { log: deps.log, requestId: exchangeOf(req).requestId });
    if (res.headersSent) return next(thrown);
    await countUnrouted(req, res, gate).catch(() => undefined);
    for (const name of ['ETag', 'Content-Disposition']) res.removeHeader(name);
    for (const [name, value] of Object.entries(headersOf(error))) res.setHeader(name, value);
    res.setHeader('Cache-Control', 'no-store');
    res.status(error.status).json(envelopeOf(error));
  };
}
