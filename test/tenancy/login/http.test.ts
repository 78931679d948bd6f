import { describe, expect, it } from 'vitest';
import { essentials } from '../../support/essentials.ts';
import { password, serve, tenancyWorld } from '../support.ts';

const ana = { email: 'Ana@Example.com', password, name: 'Ana Li', organization_name: 'Plum Inc' };
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function api() {
  const world = await tenancyWorld({ RATE_LIMIT_AUTH: '1000' });
  const ask = await serve(world.deps);
  const post = (path: string, body?: unknown, headers?: Record<string, string>) =>
    ask('POST', `/api/v1/auth/${path}`, body, headers);
  return { world, ask, post };
}

const organization = {
  id: expect.any(String),
  name: 'Plum Inc',
  require_two_factor: false,
  automatic_exchange_rates: false,
  mail_configured: false,
  costs_loaded: false,
  sample_data: false,
  owner_tag_key: null,
  fiscal_year_start_month: 1,
  currency: 'USD',
  member_count: 1,
  account_count: 0,
  created_at: '2026-11-21T10:00:00.000Z',
  billing: { email: null, plan: 'self-hosted' },
};
const user = { id: expect.any(String), email: 'ana@example.com', name: 'Ana Li' };

describe('authentication routes', () => {
  it('return the same shape for registration and login', async () => {
    const { post } = await api();
    const form = {
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 900,
      user,
      organization,
      two_factor_setup_required: false,
      two_factor_required: false,
      challenge_token: null,
      methods: [],
    };
    const registered = await post('register', ana);
    expect([registered.status, registered.body]).toEqual([201, form]);
    expect(registered.cookie).toBe(`costkeep_refresh=${registered.body.refresh_token}`);
    const loggedIn = await post('login', { email: ana.email, password });
    expect([loggedIn.status, loggedIn.body]).toEqual([200, form]);
  });

  it('return the current user from /auth/me', async () => {
    const { ask, post } = await api();
    const { body } = await post('register', ana);
    const me = await ask('GET', '/api/v1/auth/me', undefined, bearer(body.access_token));
    expect(me.body).toEqual({
      user,
      organization,
      organizations: [{ id: expect.any(String), name: 'Plum Inc', role: 'super_admin' }],
      role: 'super_admin',
      account_access: null,
      two_factor_enabled: false,
      two_factor_setup_required: false,
      second_factors: [],
      recovery_codes_left: 0,
    });
    expect((await ask('GET', '/api/v1/org', undefined, bearer(body.access_token))).body).toEqual(organization);
  });

  it('accept the refresh token from the cookie or the body', async () => {
    const { post } = await api();
    const { cookie, body } = await post('register', ana);
    const byCookie = await post('refresh', undefined, { cookie: cookie ?? '' });
    expect(byCookie.status).toBe(200);
    expect(byCookie.body.refresh_token).not.toBe(body.refresh_token);
    const byBody = await post('refresh', { refresh_token: byCookie.body.refresh_token }, { cookie: cookie ?? '' });
    expect(byBody.cookie).toBe(`costkeep_refresh=${byBody.body.refresh_token}`);
    expect((await post('refresh')).status).toBe(401);
  });

  it('log out with the Bearer token, effective from the next request', async () => {
    const { ask, post } = await api();
    const { body } = await post('register', ana);
    const out = await post('logout', undefined, bearer(body.access_token));
    expect(out).toEqual({ status: 204, cookie: 'costkeep_refresh=', body: null, text: '' });
    expect((await ask('GET', '/api/v1/org', undefined, bearer(body.access_token))).status).toBe(401);
    expect((await post('refresh', { refresh_token: body.refresh_token })).status).toBe(401);
  });

  it('return byte-identical responses for a wrong password and an unknown email', async () => {
    const { post } = await api();
    await post('register', ana);
    const [wrong, unknown] = [
      await post('login', { email: ana.email, password: 'wrong password' }),
      await post('login', { email: 'eve@example.com', password: 'wrong password' }),
    ];
    expect(essentials(wrong.body.error)).toEqual({
      code: 'UNAUTHORIZED',
      message: 'The email or the password is wrong',
      status: 401,
    });
    expect(unknown).toEqual(wrong);
  });

  it('return 409 for a second registration, and 400 with the field for invalid values', async () => {
    const { post } = await api();
    await post('register', ana);
    expect((await post('register', ana)).body.error).toMatchObject({ code: 'CONFLICT', status: 409 });
    for (const [field, value] of [
      ['email', 7],
      ['email', 'nobody'],
      ['password', null],
      ['password', '1234567'],
      ['name', []],
      ['organization_name', ' '],
    ] as const) {
      const { status, body } = await post('register', { ...ana, [field]: value });
      expect([field, status, body.error.message.startsWith(field)]).toEqual([field, 400, true]);
    }
  });
});

describe('organization settings and exchange rates', () => {
  it('are writable by Admins and readable by every role', async () => {
    const { world, ask, post } = await api();
    const { body } = await post('register', ana);
    const headers = bearer(body.access_token);
    const rates = [{ month: '2026-10', from: 'EUR', to: 'USD', rate: 1.1 }];
    const write = async () => [
      (await ask('PATCH', '/api/v1/org', { name: 'Plum' }, headers)).status,
      (await ask('PUT', '/api/v1/org/exchange-rates', { rates }, headers)).status,
    ];
    for (const [role, status] of [
      ['viewer', 403],
      ['member', 403],
      ['admin', 200],
      ['super_admin', 200],
    ] as const) {
      await world.deps.db.membership.updateMany({ data: { role } });
      expect(await write()).toEqual([status, status]);
      expect((await ask('GET', '/api/v1/org/exchange-rates', undefined, headers)).status).toBe(200);
    }
    expect((await ask('GET', '/api/v1/org/exchange-rates', undefined, headers)).body).toEqual({
      rates: rates.map((rate) => ({ ...rate, source: 'typed', provisional: false })),
      download_host: 'www.ecb.europa.eu',
    });
  });

  it('are isolated from other organizations', async () => {
    const { ask, post } = await api();
    const [one, two] = [await post('register', ana), await post('register', { ...ana, email: 'ben@example.com' })];
    await ask('PATCH', '/api/v1/org', { name: 'Pear' }, bearer(one.body.access_token));
    expect((await ask('GET', '/api/v1/org', undefined, bearer(two.body.access_token))).body.name).toBe('Plum Inc');
  });
});

describe('authentication in GraphQL', () => {
  it('resolves billing with the role of the user who logs in', async () => {
    const { ask, post } = await api();
    await post('register', ana);
    const query =
      'mutation ($password: String!) { login(email: "ana@example.com", password: $password) { user { email } organization { billing { plan } } } }';
    const { body } = await ask('POST', '/graphql', { query, variables: { password } });
    expect(body.data.login).toEqual({
      user: { email: 'ana@example.com' },
      organization: { billing: { plan: 'self-hosted' } },
    });
    const refused = await ask('POST', '/graphql', { query, variables: { password: 'wrong password' } });
    expect(refused).toMatchObject({
      status: 401,
      body: { errors: [{ extensions: { code: 'UNAUTHORIZED', status: 401 } }] },
    });
  });

  it('does not accept the refresh token cookie, which belongs to REST', async () => {
    const { ask, post } = await api();
    const { cookie } = await post('register', ana);
    const { status } = await ask(
      'POST',
      '/graphql',
      { query: 'mutation { refresh { accessToken } }' },
      { cookie: cookie ?? '' },
    );
    expect(status).toBe(401);
  });
});
