import { GraphQLSchema } from 'graphql';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { aWorld, type Answered, type World } from '../support/world.ts';
import { essentials } from '../support/essentials.ts';
import './things.ts';

const limits = { auth: 20, read: 100, write: 30, report: 5, export: 10 };
const limited = () => aWorld({ config: { rateLimits: limits } });

function left(answer: Answered): string {
  const { headers } = answer;
  return `${headers.get('x-ratelimit-remaining')}/${headers.get('x-ratelimit-limit')}`;
}

describe('REST rate limits', () => {
  it('admit exactly 100 of 200 parallel reads', async () => {
    const world = await limited();
    const { token } = await world.register();
    const answers = await Promise.all(Array.from({ length: 200 }, () => world.rest('GET', '/things/t1', { token })));
    const admitted = answers.filter((answer) => answer.status === 200);
    expect(admitted).toHaveLength(100);
    expect(new Set(admitted.map(left)).size).toBe(100);
    const refused = answers.find((answer) => answer.status === 429);
    expect(essentials(refused?.body)).toEqual({
      error: {
        code: 'RATE_LIMITED',
        message: expect.stringMatching(/^More than 100 read requests per minute; try again in \d+ s$/),
        status: 429,
      },
    });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused && left(refused)).toBe('0/100');
  });

  it('count each category separately per user', async () => {
    const world = await limited();
    const [a, b] = [await world.register(), await world.register()];
    expect(left(await world.rest('GET', '/things', { token: a.token }))).toBe('99/100');
    expect(left(await world.rest('PATCH', '/things/t1', { token: a.token, body: { seen_by: 'x' } }))).toBe('29/30');
    expect(left(await world.rest('GET', '/things', { token: a.token, headers: { accept: 'text/csv' } }))).toBe('9/10');
    expect(left(await world.rest('GET', '/things/failing', { token: a.token }))).toBe('4/5');
    expect(left(await world.rest('GET', '/things', { token: a.token }))).toBe('98/100');
    expect(left(await world.rest('GET', '/things', { token: b.token }))).toBe('99/100');
  });

  it('count invalid requests, too, and unauthenticated ones by address', async () => {
    const world = await limited();
    const { token } = await world.register();
    expect(left(await world.rest('GET', '/things?x=1', { token }))).toBe('99/100');
    expect(left(await world.rest('GET', '/things'))).toBe('18/20');
    expect(left(await world.rest('GET', '/nothing'))).toBe('17/20');
    expect(left(await world.rest('GET', '/docs'))).toBe('16/20');
    expect(left(await world.rest('GET', '/things', { token: 'forged' }))).toBe('15/20');
    expect(left(await world.rest('GET', '/nothing', { token }))).toBe('98/100');
  });

  it('count an API token as its user', async () => {
    const world = await limited();
    const { token } = await world.register();
    const made = await world.rest<{ token: string }>('POST', '/auth/tokens', { token, body: { name: 'CI' } });
    expect(left(made)).toBe('29/30');
    expect(left(await world.rest('GET', '/things', { token: made.body.token }))).toBe('99/100');
    expect(left(await world.gql('{ me { role } }', {}, token))).toBe('98/100');
    expect(left(await world.rest('GET', '/things', { token: `${made.body.token}x` }))).toBe('18/20');
  });

  it('are returned as headers with every response', async () => {
    const world = await limited();
    const { token } = await world.register();
    const etag = (await world.rest('GET', '/costs/summary', { token })).headers.get('etag') ?? '';
    const answers = [
      await world.rest('GET', '/costs/summary', { token, headers: { 'if-none-match': etag } }),
      await world.rest('HEAD', '/org', { token }),
      await world.rest('DELETE', '/things/t1', { token }),
      await world.rest('GET', '/things', { token, headers: { accept: 'text/csv' } }),
      await world.rest('OPTIONS', '/org', { token }),
      await world.rest('PUT', '/org', { token }),
      await world.rest('POST', '/things', { token, raw: 'x', headers: { 'content-type': 'text/plain' } }),
      await world.rest('GET', '/things/failing', { token }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([304, 200, 204, 200, 204, 405, 415, 500]);
    for (const answer of answers) {
      expect(left(answer)).toMatch(/^\d+\/\d+$/);
      expect(answer.headers.get('x-ratelimit-reset')).toMatch(/^\d{10}$/);
      expect(answer.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
    }
  });

  it('apply before authentication and validation, but after routing', async () => {
    const world = await limited();
    for (let n = 0; n < 20; n += 1) await world.rest('GET', '/things');
    expect((await world.rest('POST', '/auth/login', { raw: '{' })).status).toBe(429);
    expect((await world.rest('GET', '/things')).status).toBe(429);
    expect((await world.rest('GET', '/nothing')).status).toBe(404);
    expect((await world.rest('DELETE', '/things')).status).toBe(405);
  });

  it('do not apply to probes and pages', async () => {
    const world = await limited();
    for (const path of ['/health', '/ready', '/docs', '/graphql/assets/start.js']) {
      const answer = await fetch(world.url + path);
      expect([path, answer.status, answer.headers.get('x-ratelimit-limit')]).toEqual([path, 200, null]);
    }
  });
});

describe('GraphQL rate limits', () => {
  it('count every root field, including aliases and fragments, against the same budgets as REST', async () => {
    const world = await limited();
    const { token } = await world.register();
    await world.rest('GET', '/things/t1', { token });
    const query =
      'query { a: thing(id: "t1") { id } ...more } fragment more on Query { b: thing(id: "t2") { id } c: things { pagination { total } } }';
    expect(left(await world.gql(query, {}, token))).toBe('96/100');
    expect(left(await world.gql('mutation { a: deleteThing(id: "t1") b: deleteThing(id: "t1") }', {}, token))).toBe(
      '28/30',
    );
    expect(
      left(
        await world.gql(
          'query ($no: Boolean!) { thing(id: "t1") @include(if: $no) { id } thingFailing }',
          { no: false },
          token,
        ),
      ),
    ).toBe('4/5');
  });

  it('admit no more root fields in a batch of aliases than in single requests', async () => {
    const world = await limited();
    const logins = Array.from(
      { length: 21 },
      (_, n) => `a${n}: login(email: "a@example.com", password: "x") { tokenType }`,
    );
    const answer = await world.gql(`mutation { ${logins.join(' ')} }`);
    expect(answer.status).toBe(429);
    expect(essentials(answer.body.errors?.map((error) => error.extensions))).toEqual([
      { code: 'RATE_LIMITED', status: 429 },
    ]);
    expect(answer.body.data).toBeUndefined();
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('count an invalid document once', async () => {
    const world = await limited();
    const { token } = await world.register();
    expect(left(await world.gql('{', {}, token))).toBe('99/100');
    expect(left(await world.gql('{ nothing }', {}, token))).toBe('98/100');
    expect(left(await world.gql('{ __typename }', {}, token))).toBe('97/100');
    expect(left(await world.gql('{ things { pagination { total } } }'))).toBe('18/20');
  });

  it('reject documents without a token above the limit before they are validated', async () => {
    const world = await limited();
    const lookUp = vi.spyOn(GraphQLSchema.prototype, 'getType');
    onTestFinished(() => lookUp.mockRestore());
    const ask = (type: string) => world.gql(`{ ... on ${type} { id } }`);
    for (let sent = 0; sent < limits.auth; sent++) expect((await ask('Unknown')).status).toBe(400);
    expect(lookUp).toHaveBeenCalledWith('Unknown');
    expect((await ask('Unread')).status).toBe(429);
    expect(lookUp).not.toHaveBeenCalledWith('Unread');
  });

  it('reject documents above the limit before they are validated, by the kind of their operation', async () => {
    const world = await limited();
    const { token } = await world.register();
    const lookUp = vi.spyOn(GraphQLSchema.prototype, 'getType');
    onTestFinished(() => lookUp.mockRestore());
    const ask = (kind: string, type: string) => world.gql(`${kind} { ... on ${type} { id } }`, {}, token);
    for (const [kind, limit] of [
      ['query', limits.read],
      ['mutation', limits.write],
    ] as const) {
      for (let sent = 0; sent < limit; sent++) expect((await ask(kind, 'Unknown')).status).toBe(400);
      const refused = await ask(kind, `Unread_${kind}`);
      expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
      expect(lookUp).not.toHaveBeenCalledWith(`Unread_${kind}`);
    }
    expect(lookUp).toHaveBeenCalledWith('Unknown');
  });

  it('apply to unparsable documents, too', async () => {
    const world = await limited();
    for (let n = 0; n < 20; n += 1) await world.gql('{');
    expect((await world.gql('{')).status).toBe(429);
  });

  it('apply before the body is read, but after routing, and count invalid bodies and unknown paths for the caller', async () => {
    const world = await limited();
    const { token } = await world.register();
    const headers = { authorization: `Bearer ${token}` };
    const send = async (path: string, init: RequestInit) => fetch(world.url + path, { ...init, headers });
    for (const [method, path] of [
      ['PUT', '/graphql'],
      ['POST', '/graphql/nothing'],
      ['OPTIONS', '/graphql'],
    ] as const)
      expect((await send(path, { method })).headers.get('x-ratelimit-limit')).toBe('100');
    for (let n = 0; n < 98; n += 1) await send('/graphql', { method: 'POST', body: 'x' });
    const refused = await send('/graphql', { method: 'POST', body: 'x' });
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect((await send('/graphql', { method: 'PUT' })).status).toBe(405);
  });

  it('admit exactly 30 of 60 parallel mutations', async () => {
    const world: World = await limited();
    const { token } = await world.register();
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => world.gql('mutation { deleteThing(id: "t1") }', {}, token)),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(30);
  });
});
