import { stringifyDocument } from '@urql/core';
import { describe, expect, it } from 'vitest';
import { AccountDetail } from '../../../src/console/accounts/queries.ts';
import { worldOfFile } from '../../support/world.ts';
import { essentials } from '../../support/essentials.ts';

const listed = new Map([
  ['members-v1', 'query Roles($page: Int) { members(page: $page) { data { role } } }'],
  ['rename-v1', 'mutation Rename($input: UpdateMeInput!) { updateMe(input: $input) { user { name } } }'],
  ['both-v1', 'query A { me { role } } query B { organization { name } }'],
]);

const at = worldOfFile({ config: { persistedOperations: listed } });
const open = worldOfFile();

const named = (sha256Hash: string) => ({ persistedQuery: { version: 1, sha256Hash } });

/** Posts a GraphQL request in any shape. */
async function post(body: object, token?: string, url = at().url) {
  const headers = {
    'content-type': 'application/json',
    'x-csrf': '1',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
}

describe('/graphql with persisted operations', () => {
  it('executes an operation by id, with variables', async () => {
    const { token } = await at().register();
    expect(await post({ extensions: named('members-v1'), variables: { page: 1 } }, token)).toEqual({
      status: 200,
      body: { data: { members: { data: [{ role: 'SUPER_ADMIN' }] } } },
    });
    const rename = { extensions: named('rename-v1'), variables: { input: { name: 'Anna' } } };
    expect(await post(rename, token)).toEqual({
      status: 200,
      body: { data: { updateMe: { user: { name: 'Anna' } } } },
    });
  });

  it('executes an operation by id with GET, if the request has a header that other sites cannot send', async () => {
    const { token } = await at().register();
    const url = new URL('/graphql', at().url);
    url.searchParams.set('extensions', JSON.stringify(named('both-v1')));
    url.searchParams.set('operationName', 'B');
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    expect([response.status, await response.json()]).toEqual([200, { data: { organization: { name: 'Plum' } } }]);
    const bare = await fetch(url, { headers: { accept: 'application/json' } });
    expect(bare.status).toBe(403);
  });

  it('rejects a mutation in a GET request', async () => {
    const { token } = await at().register();
    const url = new URL('/graphql', at().url);
    url.searchParams.set('extensions', JSON.stringify(named('rename-v1')));
    url.searchParams.set('variables', JSON.stringify({ input: { name: 'Anna' } }));
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    expect([response.status, await response.json()]).toMatchObject([
      405,
      { errors: [{ extensions: { code: 'METHOD_NOT_ALLOWED', status: 405 } }] },
    ]);
  });

  it('accepts the text of a listed operation, whatever its white space', async () => {
    const { token } = await at().register();
    const query = 'query Roles($page: Int) {\n  members(page: $page) {\n    data { role }\n  }\n}';
    expect(await post({ query }, token)).toMatchObject({ status: 200, body: { data: { members: {} } } });
  });

  it("accepts the console's operations", async () => {
    const { token } = await at().register();
    const query = stringifyDocument(AccountDetail);
    const { body } = await post({ query, variables: { id: 'nope' } }, token);
    expect(body.errors).toMatchObject([{ message: 'Account "nope" not found', extensions: { code: 'NOT_FOUND' } }]);
  });

  it('rejects an unknown id', async () => {
    const { token } = await at().register();
    const field = 'extensions.persistedQuery.sha256Hash';
    expect(essentials(await post({ extensions: named('members-v2') }, token))).toEqual({
      status: 404,
      body: {
        errors: [
          {
            message: `${field} "members-v2" is not in this server’s list of operations`,
            extensions: { code: 'NOT_FOUND', status: 404, field },
          },
        ],
      },
    });
  });

  it.each([['{ __schema { queryType { name } } }'], ['{ me { role } }'], ['{ me {']])(
    'rejects %s, which is not listed',
    async (query) => {
      const { token } = await at().register();
      const refusal = {
        status: 403,
        body: {
          errors: [
            {
              message: 'query is not in this server’s list of operations; send one that is',
              extensions: { code: 'FORBIDDEN', status: 403, field: 'query' },
            },
          ],
        },
      };
      expect(essentials(await post({ query }, token))).toEqual(refusal);
      // The text is decisive, not an id sent with it.
      expect(essentials(await post({ query, extensions: named('members-v1') }, token))).toEqual(refusal);
    },
  );

  it.each([
    [{}, 'query is required and must be a string'],
    [{ extensions: {} }, 'query is required and must be a string'],
    [{ extensions: { persistedQuery: {} } }, 'extensions.persistedQuery.sha256Hash is required'],
    [
      { extensions: { persistedQuery: { version: 1, sha256Hash: 5 } } },
      'extensions.persistedQuery.sha256Hash is required',
    ],
  ])('names what is missing in %j', async (body, message) => {
    const answer = await post(body);
    expect(answer).toMatchObject({
      status: 400,
      body: {
        errors: [{ message: expect.stringContaining(message), extensions: { code: 'VALIDATION_ERROR', status: 400 } }],
      },
    });
  });

  it('counts persisted operations against the rate limits', async () => {
    const { token } = await at().register();
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const body = JSON.stringify({ extensions: named('members-v1') });
    const response = await fetch(`${at().url}/graphql`, { method: 'POST', headers, body });
    expect(response.headers.get('x-ratelimit-remaining')).toBe('99999');
  });
});

it('accepts only query texts on /graphql without persisted operations', async () => {
  const { token } = await open().register();
  const answer = await post({ extensions: named('members-v1') }, token, open().url);
  expect(answer).toMatchObject({
    status: 400,
    body: { errors: [{ message: 'query is required and must be a string' }] },
  });
  expect(await post({ query: '{ me { role } }' }, token, open().url)).toMatchObject({ status: 200 });
});
