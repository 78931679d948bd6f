import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { worldOfFile } from '../support/world.ts';
import './things.ts';

const at = worldOfFile();

/** Nested deeper than JSON.stringify and the parsers support. */
const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
const json = { 'content-type': 'application/json' };

/** Sends a raw request to `/graphql` or a route. */
async function send(path: string, init: RequestInit & { headers?: Record<string, string> }) {
  const response = await fetch(`${at().url}${path}`, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('a hostile body', () => {
  it('is rejected by both APIs when nested too deeply', async () => {
    const { token } = await at().register();
    const authorization = `Bearer ${token}`;
    const bodies = [
      ['/api/v1/things', `{"display_name":"x","settings":{"a":${deep}}}`],
      ['/graphql', `{"query":"{ __typename }","variables":{"a":${deep}}}`],
      ['/graphql', `{"query":"{ __typename }","extensions":{"a":${deep}}}`],
    ] as const;
    for (const [path, body] of bodies) {
      const { status, text } = await send(path, { method: 'POST', headers: { ...json, authorization }, body });
      expect([path, status, text]).toEqual([
        path,
        400,
        expect.stringContaining('The body nests deeper than 100 levels'),
      ]);
    }
  });

  it('can be nested a hundred levels deep', async () => {
    const { token } = await at().register();
    const nested = (levels: number) => JSON.parse(`${'[1,'.repeat(levels)}0${']'.repeat(levels)}`) as unknown;
    const body = (levels: number) => ({ display_name: 'x', settings: { a: nested(levels) } });
    expect((await at().rest('POST', '/things', { token, body: body(98) })).status).toBe(201);
    expect((await at().rest('POST', '/things', { token, body: body(99) })).status).toBe(400);
  });

  it.each([
    ['gzip', Buffer.from('garbage')],
    ['gzip', gzipSync(JSON.stringify({ display_name: 'x'.repeat(100) })).subarray(0, 20)],
    ['br', Buffer.from('garbage')],
    ['zstd', Buffer.from('garbage')],
    ['zstd', zstdCompressSync(JSON.stringify({ display_name: 'x'.repeat(100) })).subarray(0, 20)],
  ])('is a client error when it is not valid %s', async (encoding, bytes) => {
    const { token } = await at().register();
    const headers = { ...json, authorization: `Bearer ${token}`, 'content-encoding': encoding };
    for (const path of ['/api/v1/things', '/graphql']) {
      const { status, text } = await send(path, { method: 'POST', headers, body: new Uint8Array(bytes) });
      expect([path, status, text]).toEqual([path, 400, expect.stringContaining('The body cannot be unpacked')]);
    }
  });

  it('is rejected with an unpaired surrogate, but not with an escaped backslash in its place', async () => {
    const { token } = await at().register();
    const half = '\ud800';
    const bad = [
      [{ display_name: half }, 'display_name must not contain an unpaired surrogate'],
      [{ display_name: 'x', tags: ['a', half] }, 'tags[1] must not contain an unpaired surrogate'],
      [{ display_name: 'x', settings: { a: [{ [half]: 1 }] } }, 'settings must not contain an unpaired surrogate'],
    ] as const;
    for (const [body, message] of bad) {
      const { status, text } = await at().rest('POST', '/things', { token, body });
      expect([status, text]).toEqual([400, expect.stringContaining(message)]);
    }
    const harmless = { display_name: '\\u0000', settings: { a: '\\u0000 \\ud800 😀' } };
    expect((await at().rest('POST', '/things', { token, body: harmless })).status).toBe(201);
    const query = 'mutation ($name: String) { updateOrganization(input: { name: $name }) { id } }';
    const answer = await at().gql(query, { name: half }, token);
    expect([answer.status, answer.body.errors?.[0]?.message]).toEqual([
      400,
      'input.name must not contain an unpaired surrogate',
    ]);
  });
});

describe('a hostile id', () => {
  it('is not found, whatever its characters', async () => {
    const { token } = await at().register();
    for (const [method, path] of [
      ['GET', '/things/%00'],
      ['GET', '/accounts/a%00b'],
      ['DELETE', '/accounts/%00/sync'],
      ['POST', '/accounts/%00/sync'],
    ] as const) {
      const { status, body } = await at().rest<{ error: { code: string } }>(method, path, { token });
      expect([path, status, body.error.code]).toEqual([path, 404, 'NOT_FOUND']);
    }
    const filter = await at().rest<{ total_cost: number }>('GET', '/costs/summary?account_id=%00', { token });
    expect([filter.status, filter.body.total_cost]).toEqual([200, 0]);
  });
});

describe('a hostile query', () => {
  it.each([
    ['nested lists', `{ costsSummary(service: ${'['.repeat(1900)}${']'.repeat(1900)}) { totalCost } }`],
    ['unclosed objects', `{ costsSummary(service: ${'{a:'.repeat(1300)}`],
    ['nested selections', `{${' a {'.repeat(150)}`],
  ])('is rejected before parsing: %s', async (_what, query) => {
    const { token } = await at().register();
    const { status, body } = await at().gql(query, {}, token);
    expect([status, body.errors?.[0]?.message]).toEqual([400, 'query nests deeper than 100 levels']);
    const byGet = await send(`/graphql?query=${encodeURIComponent(query)}`, {
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
    });
    expect(byGet.status).toBe(400);
  });

  it('ignores brackets in strings and comments', async () => {
    const { token } = await at().register();
    const brackets = '['.repeat(200);
    const query = `# ${brackets}\n{ costsSummary(service: ["${brackets}\\"", """${brackets}\\""" " """]) { totalCost } }`;
    expect((await at().gql(query, {}, token)).status).toBe(200);
  });

  it.each([
    ['x', 'variables is not valid JSON'],
    ['{', 'variables is not valid JSON'],
    ['[', 'variables is not valid JSON'],
    ['%ff', 'not valid percent-encoding near \\"%ff\\"'],
  ])('is a client error by GET with variables %j', async (variables, message) => {
    const { token } = await at().register();
    const { status, text } = await send(`/graphql?query={__typename}&variables=${variables}`, {
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
    });
    expect([status, text]).toEqual([400, expect.stringContaining(message)]);
  });

  it.each(['application/xml', 'text/csv', 'image/png;q=0.1'])(
    'gets a JSON response even if it accepts only %s',
    async (accept) => {
      const { token } = await at().register();
      const headers = { ...json, authorization: `Bearer ${token}`, accept };
      const { status, text } = await send('/graphql', { method: 'POST', headers, body: '{"query":"{ __typename }"}' });
      expect([status, text]).toEqual([200, '{"data":{"__typename":"Query"}}']);
    },
  );

  it('is answered for HEAD like for GET, without a body', async () => {
    const { token } = await at().register();
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    const { status, text } = await send('/graphql?query={__typename}', { method: 'HEAD', headers });
    expect([status, text]).toEqual([200, '']);
  });
});

describe('a hostile list', () => {
  it.each([
    ['accounts(provider: $words)', 'AccountProvider', 'AWS'],
    ['accounts(status: $words)', 'AccountStatus', 'DISCONNECTED'],
    ['accounts(syncStatus: $words)', 'SyncStatus', 'RUNNING'],
    ['auditLogs(action: $words)', 'AuditAction', 'USER_REMOVED'],
  ])('is rejected in %s when it has more items than PostgreSQL allows parameters', async (field, type, word) => {
    const { token } = await at().register();
    const query = `query ($words: [${type}!]) { list: ${field} { pagination { total } } }`;
    const ask = (length: number) => at().gql(query, { words: Array.from({ length }, () => word) }, token);
    expect((await ask(1000)).body).toEqual({ data: { list: { pagination: { total: 0 } } } });
    const { status, body } = await ask(40_000);
    const argument = /\((\w+)/.exec(field)?.[1];
    const message = `${argument} has 40000 items; at most 1000 are allowed`;
    expect([status, body.errors?.[0]?.message]).toEqual([400, message]);
  });
});
