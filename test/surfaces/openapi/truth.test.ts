import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { restApiOf } from '../../../src/surfaces/rest/api.ts';
import { buildSchema } from '../../../src/surfaces/schema.ts';
import recorded from '../../../src/surfaces/openapi/examples.json' with { type: 'json' };
import { csvCells } from '../../support/rfc4180.ts';
import { worldOfFile, type Answered } from '../../support/world.ts';
import { departures } from './conformance.ts';

const focusRoot = mkdtempSync(path.join(tmpdir(), 'costkeep-truth-'));
afterAll(() => rmSync(focusRoot, { recursive: true, force: true }));
for (const name of ['may', 'june']) {
  mkdirSync(path.join(focusRoot, name));
  writeFileSync(path.join(focusRoot, name, 'bill.csv'), 'BilledCost\n');
}

const origin = 'https://finops.example.com';
const at = worldOfFile({ config: { focusRoot, corsOrigins: [origin] } });
const document: Record<string, unknown> = { ...restApiOf(buildSchema()).document };

function partOf(from: unknown, ...keys: string[]): unknown {
  return keys.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    from,
  );
}

interface ParameterObject {
  readonly name: string;
  readonly in: string;
  readonly example: unknown;
}

/** The GET operations without a record id, with their parameters. */
function listings(): [route: string, parameters: ParameterObject[]][] {
  const routes = Object.keys(Object(document['paths'])).filter((route) => !route.includes('{id}'));
  return routes.flatMap((route): [string, ParameterObject[]][] => {
    const parameters = partOf(document, 'paths', route, 'get', 'parameters');
    return Array.isArray(parameters) ? [[route, parameters.filter((parameter) => 'in' in parameter)]] : [];
  });
}

/** Sent to the allowed origin of these requests. */
const allowed = 'Access-Control-Allow-Origin';

function isAlwaysSent(header: unknown): boolean {
  const reference = partOf(header, '$ref');
  const stated = typeof reference === 'string' ? partOf(document, ...reference.slice(2).split('/')) : header;
  return partOf(stated, 'required') === true;
}

/** Sends a request as a browser page of an allowed origin does. */
function ask<Body = unknown>(...[method, url, options]: Parameters<ReturnType<typeof at>['rest']>) {
  return at().rest<Body>(method, url, { ...options, headers: { ...options?.headers, origin } });
}

/** The differences between a response and its documentation. */
function untruths(method: string, route: string, answer: Answered): string[] {
  const stated = partOf(document, 'paths', route, method.toLowerCase(), 'responses', String(answer.status));
  const reference = partOf(stated, '$ref');
  const response = typeof reference === 'string' ? partOf(document, ...reference.slice(2).split('/')) : stated;
  if (response === undefined) return [`${answer.status} is not in the document`];
  const headers = Object.entries(Object(partOf(response, 'headers')))
    .filter(([name, header]) => name === allowed || isAlwaysSent(header))
    .filter(([name]) => !answer.headers.has(name))
    .map(([name]) => name);
  const type = answer.headers.get('content-type')?.split(';')[0];
  const schema = type === undefined ? undefined : partOf(response, 'content', type, 'schema');
  const body = type === 'application/json' ? departures(document, schema, answer.body) : [];
  return [...headers.map((name) => `header ${name} is missing`), ...body];
}

/** A token of an organization with the metric of the examples. */
async function aToken(): Promise<string> {
  const { token } = await at().register();
  const body = { key: 'checkouts', name: 'Checkouts', unit: 'checkout' };
  await at().rest('POST', '/metrics', { token, body });
  const rules = [{ value_from: { dimension: 'tag:team' } }];
  await at().rest('POST', '/virtual-tags', { token, body: { name: 'Team', rules } });
  return token;
}

/** Every operation, as method and route. */
function allOperations(): [method: string, route: string][] {
  return Object.entries(Object(document['paths'])).flatMap(([route, methods]) =>
    Object.keys(Object(methods))
      .filter((method) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
      .map((method): [string, string] => [method.toUpperCase(), route]),
  );
}

describe('the document', () => {
  it('has no route that answers with a trailing slash', async () => {
    const { token } = await at().register();
    for (const [method, route] of allOperations()) {
      const id = '019a8c2e-0000-7000-8000-000000000000';
      const url = `${route.replaceAll(/\{\w+\}/g, id)}/`;
      const answer = await ask<{ error: { message: string } }>(method, url, { token });
      expect([method, url, answer.status, answer.body.error.message]).toEqual([
        method,
        url,
        404,
        `No route ${method} /api/v1${url}; see /api/v1/docs`,
      ]);
    }
  });

  it('has the 403 of a read-only token for every change, also where no token is needed', async () => {
    const { token } = await at().register();
    const body = { name: 'Reader', read_only: true };
    const { body: made } = await at().rest<{ token: string }>('POST', '/auth/tokens', { token, body });
    const isPublic = ([method, route]: readonly [string, string]) =>
      Array.isArray(partOf(document, 'paths', route, method.toLowerCase(), 'security'));
    for (const [method, route] of allOperations().filter((each) => each[0] !== 'GET' && isPublic(each))) {
      const example = partOf(
        document,
        'paths',
        route,
        method.toLowerCase(),
        'requestBody',
        'content',
        'application/json',
        'example',
      );
      const answer = await ask(method, route, { token: made.token, ...(example ? { body: example } : {}) });
      expect([method, route, untruths(method, route, answer)]).toEqual([method, route, []]);
    }
    const logout = await ask('POST', '/auth/logout', { token: made.token });
    expect([logout.status, untruths('POST', '/auth/logout', logout)]).toEqual([403, []]);
  });

  it.each<[call: string, url: string, body: object | null, status: number]>([
    ['GET /auth/me', '/auth/me', null, 200],
    ['GET /org', '/org', null, 200],
    ['PATCH /org', '/org', { name: 'Pear' }, 200],
    ['PATCH /org', '/org', {}, 400],
    [
      'PUT /org/exchange-rates',
      '/org/exchange-rates',
      { rates: [{ month: '2026-05', from: 'EUR', to: 'USD', rate: 1.1 }] },
      200,
    ],
    ['GET /org/exchange-rates', '/org/exchange-rates', null, 200],
    ['GET /accounts/setup', '/accounts/setup?provider=aws', null, 200],
    ['GET /accounts/setup', '/accounts/setup?provider=focus', null, 200],
    ['GET /accounts', '/accounts', null, 200],
    ['GET /accounts', '/accounts?sort_by=createdAt', null, 400],
    ['GET /accounts/{id}', '/accounts/x', null, 404],
    ['POST /accounts', '/accounts', { name: 'x', provider: 'focus', settings: { path: 'nope' } }, 400],
    ['GET /costs/summary', '/costs/summary?granularity=daily', null, 200],
    ['GET /costs/summary', '/costs/summary?granularity=weekly', null, 400],
    ['GET /costs/by-service', '/costs/by-service', null, 200],
    ['GET /costs/by-account', '/costs/by-account', null, 200],
    ['GET /costs/by-region', '/costs/by-region', null, 200],
    ['GET /costs/by-tag', '/costs/by-tag?tag_key=team', null, 200],
    ['GET /costs/daily', '/costs/daily', null, 200],
    ['GET /costs/daily', '/costs/daily?group_by=service', null, 200],
    ['GET /costs/trend', '/costs/trend', null, 200],
    ['GET /docs', '/docs', null, 200],
  ])('describes the response of %s at %s', async (call, url, body, status) => {
    const [method = '', route = ''] = call.split(' ');
    const { token } = await at().register();
    const answer = await ask(method, url, { token, ...(body ? { body } : {}) });
    expect([answer.status, untruths(method, route, answer)]).toEqual([status, []]);
    if (method !== 'GET' || route === '/docs') return;
    const nobody = await ask(method, url);
    expect([nobody.status, untruths(method, route, nobody)]).toEqual([401, []]);
  });

  it.each(listings())('has examples for %s that are accepted together in one request', async (route, parameters) => {
    const token = await aToken();
    const given = (place: string) => parameters.filter((parameter) => parameter.in === place);
    const filled = given('path').reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), route);
    const query = given('query').map(({ name, example }): [string, string] => [name, String(example)]);
    const answer = await ask('GET', `${filled}?${new URLSearchParams(query)}`, { token });
    expect([answer.status, answer.status === 200 ? [] : answer.body]).toEqual([200, []]);
  });

  it.each(
    listings().flatMap(([route]) => {
      const operation = partOf(document, 'paths', route, 'get');
      const example = partOf(operation, 'responses', '200', 'content', 'text/csv', 'example');
      return example === undefined ? [] : [[route, String(partOf(operation, 'operationId')), String(example)] as const];
    }),
  )('has the CSV header of %s in its example', async (route, operationId, example) => {
    const token = await aToken();
    const { path: given, query } = Object(recorded)[operationId].request;
    const filled = route.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => String(given[name]));
    const address = `${filled}?${new URLSearchParams(query)}`;
    const answer = await ask('GET', address, { token, headers: { accept: 'text/csv' } });
    expect([answer.status, untruths('GET', route, answer)]).toEqual([200, []]);
    expect(csvCells(answer.text)[0]).toEqual(csvCells(example)[0]);
  });

  it('describes login, refresh and logout', async () => {
    const { email, password, refreshToken } = await at().register();
    const person = { email, password, name: 'Ana', organization_name: 'Plum' };
    const calls = [
      ['/auth/register', person, 409],
      ['/auth/register', { ...person, email: 'truth@example.com' }, 201],
      ['/auth/login', { email, password }, 200],
      ['/auth/login', { email, password: 'wrong' }, 401],
      ['/auth/refresh', { refresh_token: refreshToken }, 200],
      ['/auth/refresh', {}, 401],
      ['/auth/logout', { refresh_token: refreshToken }, 204],
      ['/auth/logout', {}, 401],
    ] as const;
    for (const [route, body, status] of calls) {
      const answer = await ask('POST', route, { body });
      expect([route, answer.status, untruths('POST', route, answer)]).toEqual([route, status, []]);
    }
  });

  it('describes the lifecycle of an account', async () => {
    const { token } = await at().register();
    const connect = (name: string) =>
      ask<{ id: string }>('POST', '/accounts', {
        token,
        body: { name, provider: 'focus', settings: { path: name } },
      });
    const [may, june] = [await connect('may'), await connect('june')];
    expect([may, june, await connect('may')].map((answer) => untruths('POST', '/accounts', answer))).toEqual([
      [],
      [],
      [],
    ]);
    const { id } = may.body;
    const calls = [
      ['GET', '/accounts/{id}', undefined, 200],
      ['PATCH', '/accounts/{id}', { name: 'May' }, 200],
      ['PATCH', '/accounts/{id}', { settings: { path: 'june' } }, 409],
      ['POST', '/accounts/{id}/sync', undefined, 202],
      ['DELETE', '/accounts/{id}/sync', undefined, 204],
      ['DELETE', '/accounts/{id}/sync', undefined, 409],
      ['GET', '/accounts/{id}', undefined, 200],
      ['DELETE', '/accounts/{id}', undefined, 204],
      ['POST', '/accounts/{id}/sync', undefined, 409],
    ] as const;
    for (const [method, route, body, status] of calls) {
      const answer = await ask(method, route.replace('{id}', id), { token, body });
      expect([method, route, answer.status, untruths(method, route, answer)]).toEqual([method, route, status, []]);
    }
  });
});
