import { Router, type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Deps } from '../../kit/deps.ts';
import { AppError, arg, fix, forbidden, invalid, mention, message, not, restName } from '../../kit/errors/errors.ts';
import { inSpan } from '../../kit/tracing/spans.ts';
import { clientError, headersOf } from '../errors.ts';
import { exchangeOf } from '../http/exchange.ts';
import { tooMany, type Gate } from '../http/gate.ts';
import { requireHost } from '../http/host.ts';
import { isDocumentTooDeep, isNestedTooDeep, maxNesting } from '../http/nesting.ts';
import { closeAfterLargeBody, readJsonBody } from '../rest/input/body.ts';
import { oneOf, parseSearch, searchOf } from '../rest/input/query.ts';
import { givenAs, objectOf, showKind } from '../rest/input/readers.ts';
import { withoutQuote } from '../http/secrets.ts';
import { extensionsOf } from './errors.ts';
import { graphiqlAssets, graphiqlPage } from './graphiql.ts';
import { namesOperation } from './persisted.ts';
import { createGraphQL } from './yoga.ts';

const METHODS = 'GET, HEAD, OPTIONS, POST';

/** Media types that Yoga can send. If a client accepts none of them, Yoga would respond with 406 and an empty body. */
const ANSWERS = ['application/json', 'application/graphql-response+json', 'text/event-stream', 'multipart/mixed'];

/** `/graphql`: the API for programs, GraphiQL for people, and GraphiQL's own files. */
export function graphqlRouter(parts: { deps: Deps; gate: Gate; schema: GraphQLSchema }): Router {
  const { deps, gate } = parts;
  const yoga = createGraphQL(parts);
  const router = Router({ caseSensitive: true });
  router.use(requireHost);
  router.use(closeAfterLargeBody);
  router.get('/assets/:file', graphiqlAssets);
  router.get('/', async (req, res, next) => {
    if (!wantsPage(req)) return next();
    exchangeOf(req).route = 'graphiql';
    await gate.identify(req);
    await gate.count(req, res, 'read', 0);
    graphiqlPage(res);
  });
  router.all('/', refuseOthers(gate), async (req, res) => {
    await gate.identify(req);
    // Responses contain figures and tokens.
    res.setHeader('Cache-Control', 'no-store');
    const isPersisted = deps.config.persistedOperations !== null;
    if (req.method === 'POST') req.body = checkedBody(await readJsonBody(req, res), isPersisted);
    else prepareGet(req, isPersisted);
    if (!req.accepts(ANSWERS)) req.headers.accept = 'application/json';
    await inSpan('graphql', {}, async () => yoga(req, res, { req, res }));
  });
  router.use((req) => {
    throw new AppError('NOT_FOUND', message`No route ${req.baseUrl}${req.path.slice(0, 200)}${fix}use /graphql`);
  });
  router.use(transportErrors(deps, gate));
  return router;
}

/** Whether a browser navigates to the page, as opposed to a client sending a query. */
function wantsPage(req: Request): boolean {
  return (
    !req.originalUrl.includes('query=') &&
    req.accepts(['application/json', 'application/graphql-response+json', 'text/html']) === 'text/html'
  );
}

function refuseOthers(gate: Gate): RequestHandler {
  return async (req, res, next) => {
    if (req.method === 'OPTIONS') {
      await gate.identify(req);
      await gate.count(req, res, 'read', 0);
      return void res.status(204).setHeader('Allow', METHODS).end();
    }
    if (METHODS.includes(req.method)) return next();
    throw new AppError('METHOD_NOT_ALLOWED', message`/graphql does not allow ${req.method}${fix}use ${METHODS}`, {
      headers: { Allow: METHODS },
    });
  };
}

/** Allowed parameters, in the body of POST and the query string of GET. */
const parameterNames = ['query', 'variables', 'operationName', 'extensions'];

/** @throws {AppError} VALIDATION_ERROR: otherwise Yoga would wait for a body that was already read */
function checkedBody(body: unknown, isPersisted: boolean): object {
  if (Array.isArray(body)) throw invalid`Batched requests are not supported${fix}send one operation per request`;
  const parameters = objectOf(body);
  if (!parameters) throw invalid`The body must be a JSON object with a query`;
  refuseUnknown(Object.keys(parameters), 'field of the body');
  checkParameters(parameters, isPersisted);
  return parameters;
}

function refuseUnknown(names: Iterable<string>, kind: string): void {
  for (const name of names)
    if (!parameterNames.includes(name))
      throw invalid`${arg(name.slice(0, 80))} is not a known ${kind}${fix}use ${mention(...parameterNames)}`;
}

/** @param isPersisted whether a request may refer to an operation by id instead of sending its text
 *  @throws {AppError} VALIDATION_ERROR naming the parameter */
function checkParameters(parameters: Readonly<Record<string, unknown>>, isPersisted: boolean): void {
  const { query, operationName = null } = parameters;
  for (const name of ['variables', 'extensions']) {
    const value = parameters[name] ?? {};
    // The value may contain secrets, so the message does not repeat it.
    if (!objectOf(value)) throw invalid`${arg(name, not(showKind(value), null))} must be a JSON object`;
  }
  if (operationName !== null && typeof operationName !== 'string')
    throw invalid`${arg('operationName', givenAs(operationName, 'operationName'))} must be a string`;
  if (isPersisted && query === undefined && namesOperation(parameters)) return;
  if (query === undefined || query === '') throw invalid`${arg('query')} is required and must be a string`;
  if (typeof query !== 'string') throw invalid`${arg('query', givenAs(query, 'query'))} must be a string`;
  if (isDocumentTooDeep(query)) throw invalid`${arg('query')} nests deeper than ${maxNesting} levels`;
}

/** Headers that forms and links of other sites cannot set. */
const ownHeaders = ['Authorization', 'X-CSRF', 'X-Requested-With', 'GraphQL-Require-Preflight'];

/** Prevents CSRF.
 *  @throws {AppError} FORBIDDEN for a request that another site could have made a browser send */
function requireOwnHeader(req: Request): void {
  const isJson = req.get('content-type')?.startsWith('application/json') === true;
  if (isJson || ownHeaders.some((name) => req.get(name) !== undefined)) return;
  throw forbidden`${req.method} /graphql needs a header that another site cannot send, one of ${ownHeaders.join(', ')}${fix}add "X-CSRF: 1"`;
}

/** Validates the query string that Yoga would fail on. HEAD is handled as GET; Node omits the body.
 *  @throws {AppError} VALIDATION_ERROR naming the parameter */
function prepareGet(req: Request, isPersisted: boolean): void {
  requireOwnHeader(req);
  req.method = 'GET';
  const given = parseSearch(searchOf(req));
  refuseUnknown(given.keys(), 'parameter');
  const textOf = (name: string) => oneOf(given.get(name) ?? [], name);
  const [query, operationName] = [textOf('query'), textOf('operationName')];
  const [variables, extensions] = ['variables', 'extensions'].map((name) => jsonOf(textOf(name), name));
  checkParameters({ query, operationName, variables, extensions }, isPersisted);
}

/** An empty string counts as absent (GraphQL over HTTP, "GET"). */
function jsonOf(text: string | undefined, name: string): unknown {
  if (!text) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (!isNestedTooDeep(value)) return value;
  } catch (cause) {
    throw invalid`${arg(name)} is not valid JSON: ${cause instanceof Error ? withoutQuote(cause.message) : 'unreadable'}`;
  }
  throw invalid`${arg(name)} nests deeper than ${maxNesting} levels`;
}

/** Formats errors of requests that never became an operation as GraphQL errors, too. */
function transportErrors(deps: Deps, gate: Gate): ErrorRequestHandler {
  return async (thrown: unknown, req, res: Response, next) => {
    const exchange = exchangeOf(req);
    if (res.headersSent) return next(thrown);
    const known = clientError(thrown, { log: deps.log, requestId: exchange.requestId });
    const error = exchange.verdict ? known : await counted(known, gate, { req, res });
    for (const [name, value] of Object.entries(headersOf(error))) res.setHeader(name, value);
    // Names outside the document are in the spelling that was sent.
    res.status(error.status).json({ errors: [{ message: error.message, extensions: extensionsOf(error, restName) }] });
  };
}

/** Replaces the error if the caller is above the rate limit, except for an unknown route: the limit is checked
 *  before the body. */
async function counted(error: AppError, gate: Gate, { req, res }: { req: Request; res: Response }): Promise<AppError> {
  try {
    if (!exchangeOf(req).viewer) await gate.identify(req);
    const verdict = await gate.count(req, res, 'read');
    return verdict.limited && [400, 413, 415].includes(error.status) ? tooMany(verdict) : error;
  } catch {
    return error; // the original error is more informative
  }
}
