import type { Request, RequestHandler, Response as ExpressResponse } from 'express';
import { createRouter, Response, type RouteHandler } from 'fets';
import type { Context } from '../../graph/context.ts';
import type { Deps } from '../../kit/deps.ts';
import { AppError, fix, message, restName } from '../../kit/errors/errors.ts';
import { exchangeOf, signalOf } from '../http/exchange.ts';
import { callerUnknown, enter, type Gate } from '../http/gate.ts';
import { csvFormOf, csvResponse, prefersCsv, takeLayout } from './csv.ts';
import { isNotModified, revalidation } from './etag.ts';
import { readJsonBody, readListBody, refuseBody } from './input/body.ts';
import { parseSearch, searchOf } from './input/query.ts';
import { readVariables } from './input/variables.ts';
import { colonPath, statusOf } from './route.ts';
import type { Operation } from './sofa/operations.ts';
import type { Call, Sofa } from './sofa/sofa.ts';

/** Dependencies of every route. */
export interface RestDeps {
  readonly deps: Deps;
  readonly gate: Gate;
}

/** The Express objects of one exchange. */
export interface Exchanged {
  readonly req: Request;
  readonly res: ExpressResponse;
}

type SofaRequest = Parameters<RouteHandler>[0];
type SofaResponse = Awaited<ReturnType<RouteHandler>>;

const root = '/api/v1';

/** Dot segments and backslashes: URL parsing would resolve them to a different path than a proxy has checked. */
const otherPath = /\\|\/(?:\.|%2e){1,2}(?=\/|$)|\/$/i;

/** Matches requests with Sofa's routes, wraps Sofa's handlers with REST's checks and representations, and sends the
 *  response. Passes on requests that match no route. */
export function sofaRouter(sofa: Sofa, operations: readonly Operation[], rest: RestDeps): RequestHandler {
  const byRoute = new Map(operations.map((operation) => [keyOf(operation.route), operation]));
  const router = createRouter<object>({
    base: root,
    landingPage: false,
    openAPI: { endpoint: false },
    swaggerUI: { endpoint: false },
    onError: (error) => {
      throw error;
    },
    plugins: [
      {
        onRoute({ route }) {
          const operation = byRoute.get(keyOf(route));
          const answer = operation ? answerOf(operation, route.handler, rest) : refuse;
          // The context passed to router.fetch below.
          route.handler = async (request, context) => answer(request, context as Exchanged);
        },
      },
    ],
  }).use(sofa);
  return async (req, res, next) => {
    if (otherPath.test(req.path)) throw noRoute(req);
    const method = req.method === 'HEAD' ? 'GET' : req.method;
    const url = root + req.path;
    const response: globalThis.Response | undefined = await router.fetch(url, { method }, { req, res });
    return response ? send(response, res) : next();
  };
}

/** The error for a request without a matching route. */
export function noRoute(req: Request): AppError {
  return new AppError(
    'NOT_FOUND',
    message`No route ${req.method} ${req.baseUrl}${req.path.slice(0, 200)}${fix}see /api/v1/docs`,
  );
}

/** Disables Sofa's webhook routes, which would let anyone make the server call any URL (SSRF). */
function refuse(_request: unknown, { req }: Exchanged): never {
  throw noRoute(req);
}

function keyOf({ method, path }: { readonly method?: string; readonly path: string }): string {
  return `${method} ${colonPath(path)}`;
}

/** Encodes the text once: for a string, Node would first measure and then encode it as UTF-8. */
async function send(response: globalThis.Response, res: ExpressResponse): Promise<void> {
  response.headers.forEach((value, name) => res.setHeader(name, value));
  res.status(response.status).end(Buffer.from(await response.text()));
}

/** Wraps an operation with its checks and its response. The order of checks is part of the contract: 429, 401, 413 /
 *  415 / 400, 403, 404, 409. */
function answerOf(operation: Operation, run: RouteHandler<object>, rest: RestDeps): RouteHandler<Exchanged> {
  const { route } = operation;
  const csv = csvFormOf(operation);
  const readBody = bodyReaderOf(operation);
  return async (request, { req, res }) => {
    const path = { ...request.params };
    exchangeOf(req).route = route.path;
    const form = csv !== null && prefersCsv(req) ? csv : null;
    if (csv) res.vary('Accept');
    const ctx = await admit(operation, form !== null, rest, { req, res });
    const body = await readBody(req, res);
    const { layout, query } = takeLayout(route, parseSearch(searchOf(req)));
    const args = readVariables(operation.parameters, route, { path, query, body });
    // Default until the field reports what its response depends on, if it does.
    res.setHeader('Cache-Control', 'no-store');
    const call: Call = { ctx, nulls: nullsIn(args) };
    const response = await Promise.resolve(run(checked(request, args), call)).catch(notModified);
    if (response.status === 204) return new Response(null, { status: 204 });
    if (form && response.ok) return csvResponse(form, await response.text(), operation, { req, ctx, args, layout });
    const status = response.ok ? statusOf(route, args) : response.status;
    return status === response.status ? response : new Response(response.body, { status, headers: response.headers });
  };
}

function bodyReaderOf({ route: { listBody }, parameters }: Operation): typeof readJsonBody {
  if (listBody) return (req, res) => readListBody(listBody, req, res);
  return parameters.some(({ place }) => place === 'body') ? readJsonBody : refuseBody;
}

async function admit(
  operation: Operation,
  isExport: boolean,
  { deps, gate }: RestDeps,
  { req, res }: Exchanged,
): Promise<Context> {
  const { route } = operation;
  const viewer = await enter(gate, req, res, isExport ? 'export' : route.category);
  if (!viewer && !route.public) throw callerUnknown();
  const { origin, requestId } = exchangeOf(req);
  const dependsOn = revalidation(req, res, isExport ? 'csv' : 'json');
  return { deps, viewer, actor: origin, requestId, rest: true, spell: restName, res, signal: signalOf(res), dependsOn };
}

/** The request in the form that Sofa reads: all arguments as JSON in the body. From a query string, Sofa would drop
 *  empty values and turn lists of more than 20 items into objects; and a path parameter may replace an argument of
 *  another type. */
function checked(request: SofaRequest, args: Readonly<Record<string, unknown>>): SofaRequest {
  const body = JSON.stringify(args);
  return Object.create(request, { params: { value: {} }, body: { value: body }, text: { value: async () => body } });
}

function nullsIn(args: Readonly<Record<string, unknown>>): Record<string, null> {
  const names = Object.keys(args).filter((name) => args[name] === null);
  return Object.fromEntries(names.map((name) => [name, null]));
}

function notModified(thrown: unknown): SofaResponse {
  if (!isNotModified(thrown)) throw thrown;
  return new Response(null, { status: 304 });
}
