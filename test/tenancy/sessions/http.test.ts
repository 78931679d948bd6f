import { expect, it } from 'vitest';
import { worldOfFile } from '../../support/world.ts';

const opened = worldOfFile();

interface Sessions {
  data: { id: string; current: boolean; organization_name: string; created_at: string }[];
  pagination: { total: number };
}

it("lists the caller's sessions with GET /auth/sessions, and ends one with DELETE", async () => {
  const world = opened();
  const { email, token, password } = await world.register();
  const login = { body: { email, password }, headers: { 'user-agent': 'A browser' } };
  const other = await world.rest<{ access_token: string }>('POST', '/auth/login', login);
  const listed = await world.rest<Sessions>('GET', '/auth/sessions', { token });
  expect(listed.body).toMatchObject({
    data: [
      {
        current: false,
        user_agent: 'A browser',
        ip_address: expect.stringMatching(/127\.0\.0\.1$/),
        method: 'password',
      },
      { current: true, organization_name: 'Plum' },
    ],
    pagination: { page: 1, per_page: 20, total: 2, total_pages: 1 },
  });
  const [elsewhere] = listed.body.data;
  const keys =
    'id created_at last_used_at expires_at ip_address user_agent current method organization_id organization_name';
  expect(Object.keys(elsewhere ?? {})).toEqual(keys.split(' '));
  const ended = await world.rest('DELETE', `/auth/sessions/${elsewhere?.id}`, { token });
  expect(ended).toMatchObject({ status: 204, text: '' });
  expect((await world.rest('GET', '/auth/me', { token: other.body.access_token })).status).toBe(401);
  expect((await world.rest<Sessions>('GET', '/auth/sessions', { token })).body.pagination.total).toBe(1);
});

it('truncates the user agent to 512 characters', async () => {
  const world = opened();
  const { email, token, password } = await world.register();
  const login = { body: { email, password }, headers: { 'user-agent': 'u'.repeat(9000) } };
  await world.rest('POST', '/auth/login', login);
  const { body } = await world.rest<{ data: { user_agent: string }[] }>('GET', '/auth/sessions', { token });
  expect(body.data[0]?.user_agent).toBe('u'.repeat(512));
});

it("returns the same 404 for another user's session as for an unknown one", async () => {
  const world = opened();
  const [ana, bo] = [await world.register(), await world.register()];
  const [theirs] = (await world.rest<Sessions>('GET', '/auth/sessions', { token: bo.token })).body.data;
  const answers = [];
  for (const id of [theirs?.id ?? '', '0193a000-0000-7000-8000-000000000002', 'x']) {
    const { status, text } = await world.rest('DELETE', `/auth/sessions/${id}`, { token: ana.token });
    answers.push([status, text.replaceAll(id, 'ID')]);
  }
  expect(answers).toEqual([answers[0], answers[0], answers[0]]);
  expect(answers[0]?.[0]).toBe(404);
  expect((await world.rest('GET', '/auth/me', { token: bo.token })).status).toBe(200);
});

it('returns the same in GraphQL', async () => {
  const world = opened();
  const { token } = await world.register();
  const query = '{ sessions { data { id current method } pagination { total } } }';
  interface Listed {
    sessions: { data: { id: string }[] };
  }
  const { body } = await world.gql<Listed>(query, {}, token);
  expect(body).toMatchObject({
    data: { sessions: { data: [{ current: true, method: 'PASSWORD' }], pagination: { total: 1 } } },
  });
  const id = body.data?.sessions.data[0]?.id;
  const ended = await world.gql('mutation ($id: ID!) { revokeSession(id: $id) }', { id }, token);
  expect(ended.body).toEqual({ data: { revokeSession: true } });
  expect((await world.gql(query, {}, token)).body.errors?.[0]?.extensions.code).toBe('UNAUTHORIZED');
});
