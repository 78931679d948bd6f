import { describe, expect, it } from 'vitest';
import { worldOfFile, type Answered } from '../../support/world.ts';
import { essentials } from '../../support/essentials.ts';
import '../things.ts';

const at = worldOfFile();

/** Sends any request to `/graphql`. */
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
  it('requires only JSON and a Bearer token', async () => {
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
    ['no body', { headers: json }, 400, 'VALIDATION_ERROR'],
    ['a batch', { body: '[{"query":"{ __typename }"}]', headers: json }, 400, 'VALIDATION_ERROR'],
    ['a query that is not a string', { body: '{"query":5}', headers: json }, 400, 'VALIDATION_ERROR', 'query'],
    [
      'variables that are not an object',
      { body: '{"query":"{ __typename }","variables":[]}', headers: json },
      400,
      'VALIDATION_ERROR',
      'variables',
    ],
    [
      'extensions that are not an object',
      { body: '{"query":"{ __typename }","extensions":"x"}', headers: json },
      400,
      'VALIDATION_ERROR',
      'extensions',
    ],
    [
      'an operation name that is not a string',
      { body: '{"query":"{ __typename }","operationName":5}', headers: json },
      400,
      'VALIDATION_ERROR',
      'operationName',
    ],
    [
      'unknown keys',
      { body: '{"query":"{ __typename }","qurey_text":1}', headers: json },
      400,
      'VALIDATION_ERROR',
      'qurey_text',
    ],
    [
      'a form body',
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
    ['a huge body', { body: `{"query":"${'x'.repeat(1_100_000)}"}`, headers: json }, 413, 'PAYLOAD_TOO_LARGE'],
    ['another method', { method: 'PUT', body: '{}', headers: json }, 405, 'METHOD_NOT_ALLOWED'],
  ])('is rejected with a GraphQL error: %s', async (_what, init, status, ...[code, field]) => {
    const answer = await send(init);
    expect([answer.status, essentials(answer.body.errors?.map((error) => error.extensions))]).toEqual([
      status,
      [{ code, status, field }],
    ]);
    expect(answer.headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/);
  });

  it('can only read by GET, and only with a header that other sites cannot send', async () => {
    const { token } = await at().register();
    const authorization = `Bearer ${token}`;
    const accept = 'application/json';
    const read = await send({ method: 'GET', headers: { authorization, accept } }, '?query={thing(id:"t1"){id}}');
    expect([read.status, read.text]).toEqual([200, '{"data":{"thing":{"id":"t1"}}}']);
    const write = await send(
      { method: 'GET', headers: { authorization, accept } },
      '?query=mutation{deleteThing(id:"t1")}',
    );
    expect([write.status, write.headers.get('allow'), essentials(write.body.errors?.[0]?.extensions)]).toEqual([
      405,
      'POST',
      { code: 'METHOD_NOT_ALLOWED', status: 405 },
    ]);
    const foreign = await send({ method: 'GET', headers: { accept } }, '?query={__typename}');
    expect([foreign.status, essentials(foreign.body.errors)]).toEqual([
      403,
      [
        {
          message:
            'GET /graphql needs a header that another site cannot send, one of Authorization, X-CSRF, X-Requested-With, ' +
            'GraphQL-Require-Preflight; add "X-CSRF: 1"',
          extensions: { code: 'FORBIDDEN', status: 403 },
        },
      ],
    ]);
    const own = await send({ method: 'GET', headers: { accept, 'x-csrf': '1' } }, '?query={__typename}');
    expect([own.status, own.text]).toEqual([200, '{"data":{"__typename":"Query"}}']);
  });

  it.each([
    ['?query={__typename}&some_thing=1', 'some_thing', 'some_thing is not a known parameter; use query, variables,'],
    ['?query={__typename}&query={a:__typename}', 'query', 'query was given 2 times; send it once'],
    ['?query={__typename}&variables={}&variables={}', 'variables', 'variables was given 2 times'],
    ['?query={__typename}&variables=[]', 'variables', 'variables must be a JSON object, not a list'],
    ['?query={__typename}&extensions=5', 'extensions', 'extensions must be a JSON object, not a number'],
    [
      '?query={__typename}&operationName=A',
      'operationName',
      'operationName "A" is not an operation of the document; it has',
    ],
    ['?query=', 'query', 'query is required'],
    ['?variables={}', 'query', 'query is required'],
    ['?query=%ff', undefined, 'The query string is not valid percent-encoding near "%ff"'],
  ])('is rejected by GET with %s, naming the parameter', async (search, field, message) => {
    const answer = await send({ method: 'GET', headers: { 'x-csrf': '1', accept: 'application/json' } }, search);
    expect([answer.status, essentials(answer.body.errors)]).toEqual([
      400,
      [{ message: expect.stringContaining(message), extensions: { code: 'VALIDATION_ERROR', status: 400, field } }],
    ]);
  });

  it('treats empty parameters in a GET as missing', async () => {
    const init = { method: 'GET', headers: { 'x-csrf': '1', accept: 'application/json' } };
    const { status, text } = await send(init, '?%71uery={__typename}&operationName=&variables=&extensions=');
    expect([status, text]).toEqual([200, '{"data":{"__typename":"Query"}}']);
  });

  it.each([
    ['query A { __typename } query B { __typename }', undefined, 'it has "A", "B"'],
    ['query A { __typename }', 'B', 'operationName "B" is not an operation of the document; it has "A"'],
    ['{ __typename }', '', 'operationName "" is not an operation of the document; it has one without a name'],
  ])(
    'is rejected for %j with the operation name %j, listing the available operations',
    async (query, operationName, message) => {
      const answer = await send({ body: JSON.stringify({ query, operationName }), headers: json });
      expect([answer.status, essentials(answer.body.errors)]).toEqual([
        400,
        [
          {
            message: expect.stringContaining(message),
            extensions: { code: 'VALIDATION_ERROR', status: 400, field: 'operationName' },
          },
        ],
      ]);
    },
  );
});

describe('a GraphQL error', () => {
  it('sets the HTTP status when one root field was requested', async () => {
    const { token } = await at().register();
    const answer = await at().gql('{ thing(id: "nope") { id } }', {}, token);
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({
      data: { thing: null },
      errors: [{ message: 'Thing "nope" not found', path: ['thing'], extensions: { code: 'NOT_FOUND', status: 404 } }],
    });
  });

  it('does not affect other root fields', async () => {
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
    ['{', undefined, 400, 'VALIDATION_ERROR', 'query'],
    ['{ thing { id } }', undefined, 400, 'VALIDATION_ERROR', 'id'],
    ['query ($id: ID!) { thing(id: $id) { id } }', undefined, 400, 'VALIDATION_ERROR', 'id'],
    ['{ things(kind: [DON]) { data { id } } }', undefined, 400, 'VALIDATION_ERROR', 'kind[0]'],
    ['{ things(since: "2026-02-30") { data { id } } }', undefined, 400, 'VALIDATION_ERROR', 'since'],
    ['subscription { x }', undefined, 400, 'VALIDATION_ERROR', 'query'],
    ['query A { __typename } query B { __typename }', undefined, 400, 'VALIDATION_ERROR', 'operationName'],
    ['fragment F on Thing { id }', undefined, 400, 'VALIDATION_ERROR', 'query'],
    ['{ things { data { id secretive } } }', undefined, 400, 'VALIDATION_ERROR', 'things.data.secretive'],
  ])('of %s with token %s has status %i and code %s', async (query, token, status, ...[code, field]) => {
    const answer = await at().gql(query, {}, token);
    expect([answer.status, essentials(answer.body.errors?.[0]?.extensions)]).toEqual([status, { code, status, field }]);
  });

  it.each([
    ['without a token', '{ thing(id: "t1") { id } }'],
    ['failed login', 'mutation { login(email: "nobody@example.com", password: "x") { accessToken } }'],
  ])('has WWW-Authenticate with status 401: %s', async (_what, query) => {
    const { status, headers } = await at().gql(query);
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });

  it('names the argument in GraphQL spelling', async () => {
    const { token } = await at().register();
    const answer = await at().gql('{ things(perPage: 101) { data { id } } }', {}, token);
    expect(answer.body.errors?.[0]?.message).toBe('perPage must be 1 to 100, not 101');
  });

  it('reveals only the request id for an internal error', async () => {
    const { token } = await at().register();
    const { status, text, headers } = await at().gql('{ thingFailing }', {}, token);
    expect(status).toBe(500);
    expect(text).toContain(
      `Unexpected error; the server log has the details of request ${headers.get('x-request-id')}`,
    );
    expect(text).not.toMatch(/hunter2|ECONNREFUSED|stack/);
  });

  it('is a client error for text that the database cannot store', async () => {
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

const wide = 'things(perPage: 100) { data { id labels seenBy kind amount displayName origin { madeAt } } }';
const aliased = (times: number, field: string) =>
  `{ ${Array.from({ length: times }, (_, n) => `a${n}: ${field}`).join(' ')} }`;

describe('an expensive query', () => {
  it.each([
    ['one wide page', aliased(1, wide), null],
    [
      'deep introspection',
      `{ __schema { types ${'{ fields { type { ofType '.repeat(6)}{ name }${' } } }'.repeat(6)} } }`,
      'Maximum introspection depth exceeded',
    ],
    [
      'many wide pages',
      aliased(30, wide),
      'query has a complexity of 27030, 901 of it from things, and the maximum is 20000; request fewer days, fewer items with perPage, first or limit, or fewer fields',
    ],
    [
      'many fields',
      aliased(50, 'things { data { id labels seenBy kind amount displayName origin { madeAt } } }'),
      'query has a breadth of 500, and the maximum is 400; select fewer fields',
    ],
    [
      'many levels',
      `{ accounts(perPage: 1) { data ${'{ budgets(first: 1) { account '.repeat(5)}{ id }${' } }'.repeat(5)} } }`,
      'query has a depth of 13, and the maximum is 10; select fewer fields inside others',
    ],
    [
      'many aliases',
      aliased(60, 'thing(id: "t1") { id }'),
      'query has more than 50 aliases; send several smaller requests',
    ],
    [
      'aliases in introspection',
      '{ __schema { types { name } more: types { name } } }',
      'query has the alias more in introspection; select each field once',
    ],
    [
      'introspection under an alias',
      '{ more: __type(name: "Thing") { name } }',
      'query has the alias more in introspection; select each field once',
    ],
    [
      'many directives',
      `{ thing(id: "t1") { id ${'@include(if: true) '.repeat(60)} } }`,
      'query has more than 50 directives; send several smaller requests',
    ],
    [
      'many tokens',
      `{ thing(id: "t1") { ${'id '.repeat(4100)} } }`,
      'query has more than 4000 tokens; send several smaller requests',
    ],
  ])('is limited: %s', async (_what, query, message) => {
    const { token } = await at().register();
    const answer = await at().gql(query, {}, token);
    const again = await at().gql(query, {}, token);
    for (const { status, body } of [answer, again]) {
      expect([status, essentials(body.errors)]).toEqual(
        message === null
          ? [200, undefined]
          : [
              400,
              [
                expect.objectContaining({
                  message,
                  extensions: {
                    code: 'VALIDATION_ERROR',
                    status: 400,
                    field: expect.stringMatching(/^(query|__schema)$/),
                  },
                }),
              ],
            ],
      );
      expect('data' in body).toBe(message === null);
    }
  });

  it('is no longer validated after ten errors', async () => {
    const { token } = await at().register();
    const fields = Array.from({ length: 200 }, (_, index) => `nothing${index}`);
    const { status, body } = await at().gql(`{ ${fields.join(' ')} }`, {}, token);
    const messages = body.errors?.map(({ message }) => message) ?? [];
    expect([status, messages.length]).toEqual([400, 11]);
    expect(messages.at(-1)).toBe('Too many validation errors, error limit reached. Validation aborted.');
  });

  it('is measured by the requested page size, also when repeated', async () => {
    const { token } = await at().register();
    const query = `query ($n: Int) ${aliased(40, 'things(perPage: $n) { data { id labels seenBy kind amount } }')}`;
    expect((await at().gql(query, { n: 1 }, token)).body.errors).toBeUndefined();
    const { status, body } = await at().gql(query, { n: 100 }, token);
    expect([status, body.errors?.map(({ message }) => message)]).toEqual([
      400,
      [expect.stringContaining('query has a complexity of 24040, 601 of it from things, and the maximum is 20000')],
    ]);
  });

  it('is measured by the operation that runs', async () => {
    const { token } = await at().register();
    const query = `query Small { __typename } query Large ${aliased(30, wide)}`;
    const run = async (operationName: string) => {
      const body = JSON.stringify({ query, operationName });
      return (await send({ body, headers: { ...json, authorization: `Bearer ${token}` } })).status;
    };
    expect([await run('Small'), await run('Large')]).toEqual([200, 400]);
  });
});
