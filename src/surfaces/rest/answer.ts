import type { Request, Response as ExpressResponse } from 'express';
import { Response, type RouteHandler } from 'fets';
import { z } from 'zod';
import { actorOf, type Context } from '../../graph/context.ts';
import type { RestRoute } from '../../graph/rest.ts';
import type { Deps } from '../../kit/deps.ts';
import { arg, invalid, restName } from '../../kit/errors/errors.ts';
import { csvLayouts, type CsvLayout } from '../../kit/text/spreadsheet.ts';
import { resourceTypeOf } from '../../tenancy/audit/actions.ts';
import { writeAudit } from '../../tenancy/audit/store.ts';
import { exchangeOf, signalOf } from '../http/exchange.ts';
import { callerUnknown, tooMany, type Gate } from '../http/gate.ts';
import { readJsonBody, refuseBody } from './input/body.ts';
import { csvFormOf, type CsvForm } from './csv.ts';
import { isNotModified, revalidation } from './etag.ts';
import type { Operation } from './sofa/operations.ts';
import { oneOf, parseSearch, searchOf, type Query } from './input/query.ts';
import { statusOf } from './route.ts';
import type { Call } from './sofa/sofa.ts';
import { readVariables } from './input/variables.ts';

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

/** Wraps an operation with its checks and its response. The order of checks is part of the contract: 429, 401, 413 /
 *  415 / 400, 403, 404, 409. */
export function answerOf(operation: Operation, run: RouteHandler<object>, rest: RestDeps): RouteHandler<Exchanged> {
  const { route } = operation;
  const csv = csvFormOf(operation);
  const readBody = operation.parameters.some(({ place }) => place === 'body') ? readJsonBody : refuseBody;
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

interface Asked {
  req: Request;
  ctx: Context;
  args: Readonly<Record<string, unknown>>;
  layout: CsvLayout;
}

async function admit(
  operation: Operation,
  isExport: boolean,
  { deps, gate }: RestDeps,
  { req, res }: Exchanged,
): Promise<Context> {
  const { route } = operation;
  const viewer = await gate.identify(req);
  const verdict = await gate.count(req, res, isExport ? 'export' : route.category);
  if (verdict.limited) throw tooMany(verdict);
  if (!viewer && !route.public) throw callerUnknown();
  const { origin, requestId } = exchangeOf(req);
  const dependsOn = revalidation(req, res, isExport ? 'csv' : 'json');
  return { deps, viewer, actor: origin, requestId, rest: true, spell: restName, res, signal: signalOf(res), dependsOn };
}

/** The request in the form that Sofa reads: all arguments as JSON in the body. From a query string, Sofa would drop
 *  empty values and turn lists of more than 20 items into objects; and a path parameter may replace an argument of
 *  another type. */
function checked(request: SofaRequest, args: Asked['args']): SofaRequest {
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

/** The request's arguments as received: JSON. */
const asked = z.record(z.string(), z.json());

/** Resource type of an export in the audit log: the first segment of its path. */
export function exportedType({ path }: Pick<RestRoute, 'path'>): ReturnType<typeof resourceTypeOf> {
  return resourceTypeOf(path.split('/')[1] ?? '');
}

/** Data is sent only after the audit log has recorded it. */
async function csvResponse(form: CsvForm, json: string, operation: Operation, { req, ctx, args, layout }: Asked) {
  const { text, rows, nextPage } = form.write(json, layout);
  const resourceType = exportedType(operation.route);
  const details = { operation: operation.name, format: 'csv', rows, parameters: asked.parse(args) };
  await writeAudit(ctx.deps.db, actorOf(ctx), { action: 'data_exported', resourceType, details });
  const file = operation.route.path
    .split('/')
    .filter((part) => part !== '' && !part.startsWith('{'))
    .join('-');
  const headers = new Headers({
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${file}.csv"`,
  });
  if (nextPage !== null) headers.set('Link', `<${withPage(req, nextPage)}>; rel="next"`);
  return new Response(text, { headers });
}

/** Removes `layout` from the query of a route with CSV layouts: it is not an argument of the field.
 *  @throws {AppError} VALIDATION_ERROR for an unknown layout */
function takeLayout({ csvLayouts: hasLayouts }: RestRoute, query: Query): { layout: CsvLayout; query: Query } {
  if (!hasLayouts) return { layout: 'long', query };
  const { layout: given = [], ...others } = Object.fromEntries(query);
  const text = oneOf(given, 'layout') ?? 'long';
  const layout = csvLayouts.find((known) => known === text);
  if (!layout) throw invalid`${arg('layout', text)} must be ${csvLayouts.join(' or ')}`;
  return { layout, query: new Map(Object.entries(others)) };
}

/** CSV has no place for pagination, so the next page is in a Link header (RFC 8288). */
function withPage(req: Request, page: number): string {
  const url = new URL(req.originalUrl, 'http://localhost');
  url.searchParams.set('page', String(page));
  return `${url.pathname}${url.search}`;
}

/** JSON is the default, unless the client prefers CSV. */
function prefersCsv(req: Request): boolean {
  return req.accepts(['application/json', 'text/csv']) === 'text/csv';
}
