import { describe, expect, it } from 'vitest';
import { worldOfFile, type Answered } from '../../support/world.ts';
import '../things.ts';

const at = worldOfFile();

/** Sends anything to `/graphql`. */
async function send(
  init: RequestInit & { headers?: Record<string, string> },
  search = '',
): Promise<Answered<{ errors?: { message: string; extensions: object }[] }>> {
  const response = await fetch(`${at().url}/graphql${search}`, { method: 'POST', ...init });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

const json = { 'content-type': 'application/json' };

describe('a GraphQL request', () => {
  it('needs no more than JSON and a Bearer token', async () => {
    const { token } = await at().register();
    const { status, body, headers } = await at().gql(
      'query ($id: ID!) { thing(id: $id) { id displayName kind seenBy secret } }',
      { id: 't0' },
      token,
    );
    expect([status, body]).toEqual([
      200,
      { data: { thing: { id: 't0', displayName: '=2+3', kind: 'DONE', seenBy: null, secret: 'hidden' } } },
    ]);
    expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  });

  it.each([
    ['not JSON', { body: '{"query"', headers: json }, 400, 'VALIDATION_ERROR'],
    ['an empty object', { body: '{}', headers: json }, 400, 'VALIDATION_ERROR', 'query'],
    ['nothing', { headers: json }, 400, 'VALIDATION_ERROR'],
    ['a batch', { body: '[{"query":"{ __typename }"}]', headers: json }, 400, 'VALIDATION_ERROR'],
    ['a query that is no string', { body: '{"query":5}', headers: json }, 400, 'VALIDATION_ERROR', 'query'],
    [
      'variables that are no object',
      { body: '{"query":"{ __typename }","variables":[]}', headers: json },
      400,
      'VALIDATION_ERROR',
    ],
    ['unknown keys', { body: '{"query":"{ __typename }","qurey":1}', headers: json }, 400, 'VALIDATION_ERROR'],
    [
      'a form',
      { body: 'query={__typename}', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'plain text',
      { body: '{"query":"{ __typename }"}', headers: { 'content-type': 'text/plain' } },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['too much', { body: `{"query":"${'x'.repeat(1_100_000)}"}`, headers: json }, 413, 'PAYLOAD_TOO_LARGE'],
    ['another method', { method: 'PUT', body: '{}', headers: json }, 405, 'METHOD_NOT_ALLOWED'],
  ])('that is %s is refused in GraphQL’s own form', async (_what, init, status, ...[code, field]) => {
    const answer = await send(init);
    expect([answer.status, answer.body.errors?.map((error) => error.extensions)]).toEqual([
      status,
      [{ code, status, field }],
    ]);
    expect(answer.headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/);
  });

  it('by GET reads when another site could not have sent it, and never writes', async () => {
    const { token } = await at().register();
    const authorization = `Bearer ${token}`;
    const accept = 'application/json';
    const read = await send({ method: 'GET', headers: { authorization, accept } }, '?query={thing(id:"t1"){id}}');
    expect([read.status, read.text]).toEqual([200, '{"data":{"thing":{"id":"t1"}}}']);
    const write = await send(
      { method: 'GET', headers: { authorization, accept } },
      '?query=mutation{deleteThing(id:"t1")}',
    );
    expect([write.status, write.body.errors?.[0]?.extensions]).toEqual([
      405,
      { code: 'METHOD_NOT_ALLOWED', status: 405 },
    ]);
    const foreign = await send({ method: 'GET', headers: { accept } }, '?query={__typename}');
    expect([foreign.status, foreign.body.errors?.[0]?.extensions]).toEqual([403, { code: 'FORBIDDEN', status: 403 }]);
  });
});

describe('an error', () => {
  it('sets the status of the response when one root field was asked', async () => {
    const { token } = await at().register();
    const answer = await at().gql('{ thing(id: "nope") { id } }', {}, token);
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({
      data: { thing: null },
      errors: [{ message: 'Thing "nope" not found', path: ['thing'], extensions: { code: 'NOT_FOUND', status: 404 } }],
    });
  });

  it('leaves the other root fields their answers', async () => {
    const { token } = await at().register();
    const answer = await at().gql('{ bad: thing(id: "nope") { id } good: thing(id: "t1") { id } }', {}, token);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      data: { bad: null, good: { id: 't1' } },
      errors: [{ path: ['bad'], extensions: { code: 'NOT_FOUND', status: 404 } }],
    });
  });

  it.each([
    ['{ thing(id: "t1") { id } }', undefined, 401, 'UNAUTHORIZED'],
    ['{', undefined, 400, 'VALIDATION_ERROR'],
    ['{ thing { id } }', undefined, 400, 'VALIDATION_ERROR', 'id'],
    ['query ($id: ID!) { thing(id: $id) { id } }', undefined, 400, 'VALIDATION_ERROR', 'id'],
    ['{ things(kind: [DON]) { data { id } } }', undefined, 400, 'VALIDATION_ERROR', 'kind[0]'],
    ['{ things(since: "2026-02-30") { data { id } } }', undefined, 400, 'VALIDATION_ERROR', 'since'],
    ['subscription { x }', undefined, 400, 'VALIDATION_ERROR'],
    ['query A { __typename } query B { __typename }', undefined, 400, 'VALIDATION_ERROR'],
  ])('of %s is %s %i %s', async (query, token, status, ...[code, field]) => {
    const answer = await at().gql(query, {}, token);
    expect([answer.status, answer.body.errors?.[0]?.extensions]).toEqual([status, { code, status, field }]);
  });

  it('names the argument as GraphQL spells it', async () => {
    const { token } = await at().register();
    const answer = await at().gql('{ things(perPage: 101) { data { id } } }', {}, token);
    expect(answer.body.errors?.[0]?.message).toBe('perPage must be 1 to 100, not 101');
  });

  it('of the inside tells nothing but the request’s id', async () => {
    const { token } = await at().register();
    const { status, text, headers } = await at().gql('{ thingFailing }', {}, token);
    expect(status).toBe(500);
    expect(text).toContain(
      `Unexpected error; the server log has the details of request ${headers.get('x-request-id')}`,
    );
    expect(text).not.toMatch(/hunter2|ECONNREFUSED|stack/);
  });

  it('for a text that the database cannot hold is the client’s', async () => {
    const { token } = await at().register();
    const literal = await at().gql('mutation { updateOrganization(input: { name: "a\\u0000b" }) { id } }', {}, token);
    const variable = await at().gql(
      'mutation ($name: String) { updateOrganization(input: { name: $name }) { id } }',
      { name: 'a\u0000b' },
      token,
    );
    for (const answer of [literal, variable]) {
      expect([answer.status, answer.body.errors?.[0]?.message]).toEqual([
        400,
        'input.name must not contain the character U+0000',
      ]);
    }
  });
});

describe('a greedy query', () => {
  it.each([
    ['deep', `{ __schema { types ${'{ fields { type { ofType '.repeat(6)}{ name }${' } } }'.repeat(6)} } }`, true],
    [
      'wide pages',
      '{ a: things(perPage: 100) { data { id labels seenBy kind amount displayName origin { madeAt } } } }',
      false,
    ],
    [
      'many wide pages',
      `{ ${Array.from({ length: 30 }, (_, n) => `a${n}: things(perPage: 100) { data { id labels seenBy kind amount displayName origin { madeAt } } }`).join(' ')} }`,
      true,
    ],
    ['many aliases', `{ ${Array.from({ length: 60 }, (_, n) => `a${n}: thing(id: "t1") { id }`).join(' ')} }`, true],
    ['many tokens', `{ thing(id: "t1") { ${'id '.repeat(4100)} } }`, true],
  ])('of %s is weighed', async (_what, query, isRefused) => {
    const { token } = await at().register();
    const answer = await at().gql(query, {}, token);
    const again = await at().gql(query, {}, token);
    for (const { body } of [answer, again]) {
      expect(body.errors?.[0]?.extensions).toEqual(isRefused ? { code: 'VALIDATION_ERROR', status: 400 } : undefined);
      expect(Object.values(body.data ?? {}).every((value) => value === null)).toBe(isRefused);
    }
  });

  it('is weighed by the page it asks for, also the second time', async () => {
    const { token } = await at().register();
    const query = `query ($n: Int) { ${Array.from({ length: 40 }, (_, n) => `a${n}: things(perPage: $n) { data { id labels seenBy kind amount } }`).join(' ')} }`;
    expect((await at().gql(query, { n: 1 }, token)).body.errors).toBeUndefined();
    const wide = await at().gql(query, { n: 100 }, token);
    expect(wide.body.errors?.[0]?.message).toContain('complexity 24040 of 20000; ask for less at once');
  });
});
