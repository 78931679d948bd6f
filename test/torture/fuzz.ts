import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { isJson, type Json } from '../surfaces/openapi/arbitrary.ts';
import { addressOf, operationsOf, requestsOf, type Operation, type Request } from '../surfaces/openapi/requests.ts';
import type { Attack, Context } from './attack.ts';
import { aGraphQLRequest } from './fuzz-graphql.ts';
import { buildWorld, type Caller, type FuzzWorld } from './fuzz-world.ts';
import { Installation, onInstallation, password, type Answer } from './installation.ts';

const document = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, '../../schema/openapi.json'), 'utf8'),
) as Json;

/** Operations that access clouds, or fill the organization with much data. */
const skipped = new Set(['connectAccount', 'loadSampleData']);
/** Operations that would change the access of callers, or lock them out. */
const skippedIfTrusted = new Set(['updateOrganization', 'updateAccount', 'deleteOrganization']);
const operations = operationsOf(document).filter(({ operation }) => !skipped.has(operation.operationId));

const concurrency = 8;
const requests = { short: 400, round: 4_000 };
/** Requests between two checks that the world is complete. */
const lookEvery = 500;

const hostile = [
  '\u0000',
  "'; DROP TABLE accounts; --",
  '../../../../etc/passwd',
  '%00',
  '\uD800',
  '\u202Egnp.exe',
  '__proto__',
  '${7*7}{{7*7}}<script>alert(1)</script>',
  'x'.repeat(12_000),
  '-1',
  '1e999',
  'NaN',
  '2026-02-30',
  '9'.repeat(40),
  '*',
  ',',
  '(((((((((((((((((((((a+)+)+)+)+)+$',
];

/** Sends requests generated from the OpenAPI document and the GraphQL schema, as every kind of caller, and expects no status
 *  of 500 or above, no hanging request, and no text of hidden accounts or other organizations. */
export const fuzz: Attack = async (context) => {
  await onInstallation(new Installation(context), async (site) => {
    await site.start();
    let world = await buildWorld(site, 0);
    for (let round = 0; round === 0 || context.hasTime(); round++) {
      const total = context.isShort ? requests.short : requests.round;
      for (let sent = 0; sent < total; sent += lookEvery) {
        context.show(`${context.findings.countOf('requests')} requests`);
        await burst(context, { site, world }, Math.min(lookEvery, total - sent));
        if (await isComplete(context, site, world)) continue;
        context.findings.count('worlds that requests destroyed');
        world = await buildWorld(site, context.findings.countOf('worlds that requests destroyed'));
      }
    }
    if (site.server?.hasEnded()) context.findings.fault(`the server ended: ${site.server.said().slice(-2_000)}`);
  });
};

interface Stage {
  readonly site: Installation;
  readonly world: FuzzWorld;
}

async function burst(context: Context, stage: Stage, count: number): Promise<void> {
  let left = count;
  const work = async () => {
    while (left-- > 0) await (context.random.next() < 0.25 ? askGraphQL(context, stage) : askRest(context, stage));
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}

/** Pool of generated requests by operation: creating an arbitrary takes longer than sampling it. */
const stock = new Map<Operation, Request[]>();

function aRequest(of: Operation, { random, isShort }: Context): Request {
  const requestsLeft = stock.get(of) ?? [];
  if (requestsLeft.length === 0)
    requestsLeft.push(
      ...fc.sample(requestsOf(document, of.operation), { numRuns: isShort ? 3 : 20, seed: random.below(2 ** 31) }),
    );
  stock.set(of, requestsLeft);
  const request = requestsLeft.pop();
  if (!request) throw new Error('fast-check made no request');
  return request;
}

async function askRest(context: Context, { site, world }: Stage): Promise<void> {
  const { random } = context;
  const caller = random.pick(world.callers);
  const of = random.pick(operations.filter(({ operation }) => isAllowed(caller, operation.operationId)));
  const isChange = of.method !== 'get';
  const ids = caller.isTrusted && isChange ? [] : idsFor(world, of, random.next() < 0.7);
  const request = spoilt(withIds(plain(aRequest(of, context), of, context), ids, context), context) as Request;
  const address = addressOf(of.path, { ...request, ...encodable(request) });
  const { body } = request;
  const accept = random.pick(['application/json', 'text/csv', '*/*']);
  const answer = await site.ask(address, {
    method: of.method.toUpperCase(),
    token: caller.token,
    headers: { accept, ...(isUpload(of) && { 'content-type': 'text/csv' }) },
    ...(isUpload(of) ? { body: Buffer.from(random.pick(hostile)) } : body === undefined ? {} : { body }),
  });
  examine(context, caller, { what: `${of.method} ${address} with ${JSON.stringify(body)?.slice(0, 500)}`, answer });
}

async function askGraphQL(context: Context, { site, world }: Stage): Promise<void> {
  const { random, findings } = context;
  const caller = random.pick(world.callers);
  const all = [...world.ids.values()].flat();
  const text = () => (random.next() < 0.6 ? random.pick(all) : random.pick(hostile));
  const harmless = () => random.pick(hostile);
  const made = aGraphQLRequest({ random, text }, (name) => !isAllowed(caller, name));
  // A trusted caller gets no ids in changes.
  const { query } =
    made.isMutation && caller.isTrusted
      ? aGraphQLRequest({ random, text: harmless }, (name) => name !== made.name)
      : made;
  const answer = await site.request('/graphql', { method: 'POST', body: { query }, token: caller.token });
  findings.count('GraphQL requests');
  if (answer.status === 200) findings.count('of them, answered 200');
  examine(context, caller, { what: `GraphQL ${query.slice(0, 1_500)}`, answer });
}

function isAllowed({ isTrusted }: Caller, operationId: string): boolean {
  return !skipped.has(operationId) && !(isTrusted && skippedIfTrusted.has(operationId));
}

function isUpload({ operation }: Operation): boolean {
  return operation.operationId === 'uploadAccountFile';
}

/** Ids of the records that an operation is about, or of all records. */
function idsFor({ ids }: FuzzWorld, { path: at }: Operation, isFitting: boolean): readonly string[] {
  const own = ids.get(at.replace(/\/\{.*$/, '')) ?? [];
  return isFitting && own.length > 0 ? own : [...ids.values()].flat();
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Leaves out most filters of half of the requests: with all of them, hardly anything is found. */
function plain(request: Request, { operation }: Operation, { random }: Context): Request {
  if (random.next() < 0.5) return request;
  const required = new Set(operation.parameters?.flatMap(({ name = '', required: is }) => (is ? [name] : [])));
  const kept = Object.entries(request.query).filter(([name]) => required.has(name) || random.next() < 0.1);
  return { ...request, query: Object.fromEntries(kept) };
}

/** Replaces most generated ids with existing ones. */
function withIds(value: unknown, ids: readonly string[], context: Context): unknown {
  if (typeof value === 'string' && uuid.test(value) && ids.length > 0)
    return context.random.next() < 0.8 ? context.random.pick(ids) : value;
  return mapped(value, (each) => withIds(each, ids, context));
}

/** Replaces single values with hostile ones in a quarter of the requests. */
function spoilt(value: unknown, context: Context, odds = context.random.next() < 0.25 ? 0.3 : 0): unknown {
  const { random } = context;
  if (value === null || typeof value !== 'object')
    return value !== undefined && random.next() < odds
      ? random.pick<unknown>([...hostile, null, 0, -1, 1e308, true, [], {}, [[]]])
      : value;
  return mapped(value, (each) => spoilt(each, context, odds));
}

/** The parts of the address without unpaired surrogates, which a URL cannot have. */
function encodable({ path: named, query }: Request): Pick<Request, 'path' | 'query'> {
  const text = (value: unknown): unknown => (typeof value === 'string' ? value.toWellFormed() : mapped(value, text));
  return { path: mapped(named, text) as Json, query: mapped(query, text) as Json };
}

function mapped(value: unknown, change: (each: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(change);
  if (!isJson(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, change(each)]));
}

/** Internals that no answer may contain. */
const inside = /\n\s+at .+:\d+:\d+|"code":"INTERNAL_ERROR"|node_modules|PrismaClient|graphile_worker/;

function examine({ findings }: Context, caller: Caller, { what, answer }: { what: string; answer: Answer }): void {
  const { status, text, ms } = answer;
  findings.measure('requests', ms);
  findings.count(`answered ${status === 0 ? 'not at all' : `${Math.floor(status / 100)}xx`}`);
  const as = `${what} as ${caller.name}`;
  if (status === 0) findings.fault(`${as} was not answered`);
  if (status === 503) findings.fault(`${as} answered 503: ${text.slice(0, 500)}`);
  if (!what.startsWith('get /docs') && inside.test(text))
    findings.fault(`${as} revealed internals: ${text.slice(0, 500)}`);
  const leak = caller.forbidden.exec(text);
  if (leak) findings.fault(`${as} leaked: ${text.slice(Math.max(0, leak.index - 200), leak.index + 200)}`);
}

/** Signs in callers whose session has ended, and returns whether the marks are still there and each caller has access. */
async function isComplete({ findings }: Context, site: Installation, { owner, callers }: FuzzWorld): Promise<boolean> {
  for (const caller of callers) {
    if (caller.token === null || (await site.ask('/org', { token: caller.token })).status === 200) continue;
    const body = { email: caller.email, password };
    const answer = await site.ask<{ access_token?: string }>('/auth/login', { method: 'POST', body, token: null });
    const token = answer.body.access_token;
    if (!token || (await site.ask('/org', { token })).status !== 200) return false;
    findings.count('sessions that requests ended');
    caller.token = token;
  }
  const days = 'start_date=2026-03-01&end_date=2026-05-31';
  return /zqhidden/.test((await site.ask(`/costs/by-service?${days}`, { token: owner.token })).text);
}
