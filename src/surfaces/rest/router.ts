import { Router, type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import { AppError } from '../../kit/errors.ts';
import { clientError, envelopeOf } from '../errors.ts';
import { exchangeOf } from '../exchange.ts';
import { tooMany, type Gate } from '../gate.ts';
import { requireHost } from '../host.ts';
import type { OpenApiDocument } from '../openapi/document.ts';
import { answerOf, type Answer, type RestDeps } from './answer.ts';
import type { Operation } from './operations.ts';

/** Routes beside the operations: a path with its answer to GET. */
export type PlainRoutes = Readonly<Record<string, RequestHandler>>;

/** Routes every operation, and answers everything else below the API's root with an error of the same form. */
export function restRouter(operations: readonly Operation[], rest: RestDeps, plain: PlainRoutes): Router {
  const router = Router({ caseSensitive: true });
  router.use(requireHost);
  for (const [path, handler] of Object.entries(plain)) addPath(router, path, new Map([['GET', handler]]), rest.gate);
  for (const [path, methods] of byPath(operations)) {
    const answers = methods.map((operation): [string, Answer] => [operation.route.method, answerOf(operation, rest)]);
    addPath(router, path, new Map(answers), rest.gate);
  }
  router.use(async (req, res) => {
    await countUnrouted(req, res, rest.gate);
    throw new AppError('NOT_FOUND', `No route ${req.method} ${req.baseUrl}${req.path.slice(0, 200)}; see /api/v1/docs`);
  });
  router.use(restErrors(rest));
  return router;
}

/** `GET /docs`: the document for programs; people are led to its page. */
export function documentRoute(document: OpenApiDocument, gate: Gate): RequestHandler {
  const json = JSON.stringify(document);
  return async (req, res) => {
    exchangeOf(req).route = '/docs';
    await gate.identify(req);
    const verdict = await gate.count(req, res, 'read');
    if (verdict.limited) throw tooMany(verdict);
    res.vary('Accept');
    if (req.accepts(['application/json', 'text/html']) === 'text/html') return res.redirect('/docs');
    res.setHeader('Content-Type', 'application/json; charset=utf-8').end(json);
  };
}

/** Paths with fewer parameters first, so that `/accounts/setup` is not taken for an id. */
function byPath(operations: readonly Operation[]): [string, Operation[]][] {
  const groups = Map.groupBy(operations, (operation) => operation.route.path);
  const weight = (path: string) => path.split('{').length;
  return [...groups].sort(([a], [b]) => weight(a) - weight(b) || (a < b ? -1 : 1));
}

function expressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function addPath(
  router: Router,
  path: string,
  answers: ReadonlyMap<string, RequestHandler | Answer>,
  gate: Gate,
): void {
  const methods = [...answers.keys(), ...(answers.has('GET') ? ['HEAD'] : []), 'OPTIONS'].sort();
  const allow = methods.join(', ');
  router.all(expressPath(path), async (req, res, next) => {
    const answer = answers.get(req.method === 'HEAD' ? 'GET' : req.method);
    if (answer) return answer(req, res, next);
    exchangeOf(req).route = path;
    await countUnrouted(req, res, gate);
    if (req.method === 'OPTIONS') return void res.status(204).setHeader('Allow', allow).end();
    throw new AppError('METHOD_NOT_ALLOWED', `${path} does not take ${req.method}; it takes ${allow}`, {
      headers: { Allow: allow },
    });
  });
}

/** Requests that reach no operation are counted and told so, but never refused for it: the route is checked first. */
async function countUnrouted(req: Request, res: Response, gate: Gate): Promise<void> {
  if (exchangeOf(req).verdict) return;
  await gate.identify(req);
  const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(req.method);
  await gate.count(req, res, isRead ? 'read' : 'write');
}

/** Every error below the API's root ends here. */
function restErrors({ deps, gate }: RestDeps): ErrorRequestHandler {
  return async (thrown: unknown, req, res, next) => {
    const error = clientError(thrown, { log: deps.log, requestId: exchangeOf(req).requestId });
    if (res.headersSent) return next(thrown);
    await countUnrouted(req, res, gate).catch(() => undefined);
    for (const name of ['ETag', 'Content-Disposition']) res.removeHeader(name);
    for (const [name, value] of Object.entries(error.headers)) res.setHeader(name, value);
    res.setHeader('Cache-Control', 'no-store');
    res.status(error.status).json(envelopeOf(error));
  };
}
