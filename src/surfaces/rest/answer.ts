import type { Request, Response } from 'express';
import { z } from 'zod';
import { actorOf, type Context } from '../../graph/context.ts';
import type { Deps } from '../../kit/deps.ts';
import { writeAudit } from '../../tenancy/audit/store.ts';
import { exchangeOf, signalOf } from '../exchange.ts';
import { tooMany, unauthorized, type Gate } from '../gate.ts';
import { readJsonBody } from './body.ts';
import { csvFormOf, type CsvForm } from './csv.ts';
import { isNotModified, revalidation } from './etag.ts';
import type { Operation } from './operations.ts';
import { takesBody } from './route.ts';
import type { Run } from './run.ts';
import { readVariables } from './variables.ts';

/** What every route answers with. */
export interface RestDeps {
  readonly deps: Deps;
  readonly gate: Gate;
  readonly run: Run;
}

/** Answers one route, whose own parts were worked out at start. */
export type Answer = (req: Request, res: Response) => Promise<void>;

/** Builds the answer of an operation. The order of its checks is the contract's: 429, 401, 413 / 415 / 400, 403, 404, 409. */
export function answerOf(operation: Operation, rest: RestDeps): Answer {
  const { route } = operation;
  const csv = csvFormOf(operation);
  return async (req, res) => {
    exchangeOf(req).route = route.path;
    const form = csv !== null && prefersCsv(req) ? csv : null;
    if (csv) res.vary('Accept');
    const ctx = await admit(operation, form !== null, rest, { req, res });
    const body = takesBody(route) ? await readJsonBody(req, res) : undefined;
    const variables = readVariables(operation.parameters, route, { path: req.params, search: searchOf(req), body });
    // Until the field tells what its answer depends on, if it does.
    res.setHeader('Cache-Control', 'no-store');
    const json = await rest.run(operation, ctx, variables).catch(nullIfNotModified);
    if (json === null) res.status(304).end();
    else if (route.status === 204) res.status(204).end();
    else if (form) await sendCsv(form, json, operation, { ctx, variables });
    else sendText(res, route.status, 'application/json', json);
  };
}

interface Pair {
  req: Request;
  res: Response;
}

interface Asked {
  ctx: Context;
  variables: Readonly<Record<string, unknown>>;
}

async function admit(
  operation: Operation,
  isExport: boolean,
  { deps, gate }: RestDeps,
  { req, res }: Pair,
): Promise<Context> {
  const { route } = operation;
  const viewer = await gate.identify(req);
  const verdict = await gate.count(req, res, isExport ? 'export' : route.category);
  if (verdict.limited) throw tooMany(verdict);
  if (!viewer && !route.public) throw unauthorized();
  const { origin, requestId } = exchangeOf(req);
  const dependsOn = revalidation(req, res, isExport ? 'csv' : 'json');
  return { deps, viewer, actor: origin, requestId, rest: true, res, signal: signalOf(res), dependsOn };
}

function nullIfNotModified(thrown: unknown): null {
  if (!isNotModified(thrown)) throw thrown;
  return null;
}

/** What was asked for, as it came: JSON. */
const asked = z.record(z.string(), z.json());

/** Data leaves only after the audit log knows of it. */
async function sendCsv(form: CsvForm, json: string, operation: Operation, { ctx, variables }: Asked): Promise<void> {
  const { text, rows, nextPage } = form.write(json);
  const resourceType = operation.route.path.split('/')[1] ?? operation.name;
  const details = { operation: operation.name, format: 'csv', rows, parameters: asked.parse(variables) };
  await writeAudit(ctx.deps.db, actorOf(ctx), { action: 'data_exported', resourceType, details });
  const file = operation.route.path.slice(1).replaceAll(/[^\w-]+/g, '-');
  ctx.res?.setHeader('Content-Disposition', `attachment; filename="${file}.csv"`);
  if (ctx.res && nextPage !== null) ctx.res.setHeader('Link', `<${withPage(ctx.res.req, nextPage)}>; rel="next"`);
  if (ctx.res) sendText(ctx.res, 200, 'text/csv', text);
}

/** CSV has no place for the pagination, so its way on is a header (RFC 8288). */
function withPage(req: Request, page: number): string {
  const url = new URL(req.originalUrl, 'http://localhost');
  url.searchParams.set('page', String(page));
  return `${url.pathname}${url.search}`;
}

/** The length is said even where HEAD leaves the text out. Encoded once: a string would be measured and written as UTF-8. */
function sendText(res: Response, status: number, type: string, text: string): void {
  const bytes = Buffer.from(text);
  res.setHeader('Content-Type', `${type}; charset=utf-8`);
  res.setHeader('Content-Length', bytes.length);
  res.status(status).end(bytes);
}

/** JSON is the answer unless the client would rather have CSV. */
function prefersCsv(req: Request): boolean {
  return req.accepts(['application/json', 'text/csv']) === 'text/csv';
}

function searchOf(req: Request): string {
  const cut = req.originalUrl.indexOf('?');
  return cut === -1 ? '' : req.originalUrl.slice(cut + 1);
}
