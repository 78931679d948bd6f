import { describe, expect, it } from 'vitest';
import { newToken } from '../../../src/tenancy/tokens/run.ts';
import { aTeam, conflict, failure, forbidden, invalid, start, type Team } from '../team.ts';
import { essentials } from '../../support/essentials.ts';

const day = 86_400_000;
const unauthorized = failure(401, 'UNAUTHORIZED');

async function make(team: Team, who: string, input: object = {}) {
  const answer = await team.rest(who, 'POST', '/auth/tokens', { name: 'CI', ...input });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer));
  return answer.body;
}

describe('creating an API token', () => {
  it('returns the token once, and stores only its hash', async () => {
    const team = await aTeam();
    const made = await make(team, 'cleo', { expires_at: '2026-12-01T00:00:00Z', read_only: true });
    const kept = {
      id: made.id,
      name: 'CI',
      last_four: made.token.slice(-4),
      read_only: true,
      created_at: start.toISOString(),
      expires_at: '2026-12-01T00:00:00.000Z',
      last_used_at: null,
    };
    expect(made).toEqual({ ...kept, token: expect.stringMatching(/^svc_\w{39}$/) });
    expect(await team.rest('cleo', 'GET', '/auth/tokens')).toEqual({
      status: 200,
      body: { data: [kept], pagination: { page: 1, per_page: 20, total: 1, total_pages: 1 } },
    });
    const row = await team.db.apiToken.findUniqueOrThrow({ where: { id: made.id } });
    expect(JSON.stringify(row)).not.toContain(made.token.slice(4, 20));
    expect(await team.recorded()).toEqual([
      {
        action: 'api_token_created',
        actorEmail: 'cleo@example.com',
        resourceType: 'api_token',
        details: { name: 'CI', read_only: true, expires_at: '2026-12-01T00:00:00.000Z' },
      },
    ]);
  });

  it('is allowed for every role, and tokens are visible only to their owner', async () => {
    const team = await aTeam();
    for (const name of ['ana', 'ben', 'cleo', 'dan']) await make(team, name, { name });
    for (const name of ['ana', 'ben', 'cleo', 'dan']) {
      const { body } = await team.rest(name, 'GET', '/auth/tokens');
      expect(body.data.map((token: { name: string }) => token.name)).toEqual([name]);
    }
    const { id } = (await team.rest('ana', 'GET', '/auth/tokens')).body.data[0];
    expect(await team.rest('ben', 'DELETE', `/auth/tokens/${id}`)).toEqual(failure(404, 'NOT_FOUND', id));
  });

  it('rejects invalid values', async () => {
    const team = await aTeam();
    const send = (body: object) => team.rest('dan', 'POST', '/auth/tokens', body);
    expect(await send({})).toEqual(invalid(/^name is required/));
    expect(await send({ name: ' ' })).toEqual(invalid(/^name must/));
    expect(await send({ name: 'x', expires_at: start.toISOString() })).toEqual(
      invalid(
        /^expires_at "2026-11-21T10:00:00\.000Z" must be in the future; leave it out for a token that never expires$/,
      ),
    );
    expect(await send({ name: 'x', expires_at: 'soon' })).toEqual(invalid(/^expires_at/));
    expect(await send({ name: 'x', read_only: 'yes' })).toEqual(invalid(/^read_only/));
  });

  it('is limited to 100 tokens, also under concurrency', async () => {
    const team = await aTeam();
    const { userId } = await team.db.membership.findUniqueOrThrow({ where: { id: team.id('cleo') } });
    const row = (n: number) => ({
      organizationId: team.organizationId,
      userId,
      name: `${n}`,
      lastFour: 'abcd',
      tokenHash: Buffer.from(`${n}`),
    });
    await team.db.apiToken.createMany({ data: Array.from({ length: 99 }, (_, n) => row(n)) });
    const both = await Promise.all([1, 2].map(() => team.rest('cleo', 'POST', '/auth/tokens', { name: 'last' })));
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(await team.rest('cleo', 'POST', '/auth/tokens', { name: 'x' })).toEqual(conflict(/100 API tokens/));
  });

  it('adds it to a list that can be paged and sorted', async () => {
    const team = await aTeam();
    for (const name of ['b', 'C', 'a']) {
      await make(team, 'cleo', { name });
      team.passMs(1000);
    }
    const names = async (query: string) =>
      (await team.rest('cleo', 'GET', `/auth/tokens?${query}`)).body.data.map((token: { name: string }) => token.name);
    expect(await names('')).toEqual(['a', 'C', 'b']);
    expect(await names('sort_by=name')).toEqual(['a', 'b', 'C']);
    expect(await names('sort_by=-name&per_page=1&page=2')).toEqual(['b']);
    expect(await team.rest('cleo', 'GET', '/auth/tokens?sort_by=token_hash')).toEqual(
      invalid(/^sort_by must be one of name/),
    );
  });
});

describe('an API token', () => {
  it('acts as its owner in REST and GraphQL, with their current role and accounts', async () => {
    const team = await aTeam();
    const { token } = await make(team, 'ben');
    const me = await team.rest(token, 'GET', '/auth/me');
    expect(me.body).toMatchObject({ user: { email: 'ben@example.com' }, role: 'admin', account_access: null });
    expect((await team.gql(token, '{ me { role } }')).body.data).toEqual({ me: { role: 'ADMIN' } });
    expect((await team.rest(token, 'PATCH', '/org', { name: 'Pear' })).status).toBe(200);
    const change = { role: 'viewer', account_access: [team.accounts.one] };
    await team.rest('ana', 'PATCH', `/org/members/${team.id('ben')}`, change);
    expect((await team.rest(token, 'GET', '/auth/me')).body).toMatchObject(change);
    expect((await team.rest(token, 'PATCH', '/org', { name: 'Plum' })).status).toBe(403);
  });

  it('records its last use at most once per minute', async () => {
    const team = await aTeam();
    const { token, id } = await make(team, 'cleo');
    const used = async () => (await team.db.apiToken.findUniqueOrThrow({ where: { id } })).lastUsedAt;
    await team.rest(token, 'GET', '/auth/me');
    expect(await used()).toEqual(start);
    team.passMs(59_999);
    await team.rest(token, 'GET', '/auth/me');
    expect(await used()).toEqual(start);
    team.passMs(1);
    await team.gql(token, '{ me { role } }');
    expect(await used()).toEqual(new Date(start.getTime() + 60_000));
  });

  it('is rejected when expired, revoked or unknown', async () => {
    const team = await aTeam();
    const { token } = await make(team, 'cleo', { expires_at: new Date(start.getTime() + day).toISOString() });
    const other = await make(team, 'cleo');
    team.passMs(day - 1);
    expect((await team.rest(token, 'GET', '/org')).status).toBe(200);
    team.passMs(1);
    expect(await team.rest(token, 'GET', '/org')).toEqual(unauthorized);
    expect((await team.gql(token, '{ me { role } }')).status).toBe(401);
    await team.loginAgain('cleo');
    expect(await team.rest('cleo', 'DELETE', `/auth/tokens/${other.id}`)).toEqual({ status: 204, body: null });
    expect(await team.rest(other.token, 'GET', '/org')).toEqual(unauthorized);
    expect(await team.rest('cleo', 'DELETE', `/auth/tokens/${other.id}`)).toEqual(failure(404, 'NOT_FOUND'));
    expect(await team.rest(newToken(), 'GET', '/org')).toEqual(unauthorized);
  });

  it('with a wrong checksum is rejected without a database query', async () => {
    const team = await aTeam();
    const { token } = await make(team, 'cleo');
    const wrong = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`;
    // With the pool closed, a query would result in 503.
    await team.deps.pool.end();
    expect(await team.rest(wrong, 'GET', '/org')).toEqual(unauthorized);
  });

  it('cannot write anything in REST or GraphQL when read-only', async () => {
    const team = await aTeam();
    const { token } = await make(team, 'ana', { read_only: true });
    expect((await team.rest(token, 'GET', '/org/members')).status).toBe(200);
    const refused = forbidden('The API token is read-only');
    expect(await team.rest(token, 'PATCH', '/org', { name: 'Pear' })).toEqual(refused);
    expect(await team.rest(token, 'POST', '/org/invite', { emails: 'x@example.com', role: 'viewer' })).toEqual(refused);
    expect(await team.rest(token, 'POST', '/auth/logout')).toEqual(refused);
    const { status, body } = await team.gql(token, 'mutation { updateOrganization(input: { name: "Pear" }) { name } }');
    expect([status, essentials(body.errors[0].extensions)]).toEqual([403, { code: 'FORBIDDEN', status: 403 }]);
    expect((await team.rest('ana', 'GET', '/org')).body.name).toBe('ana Inc');
  });

  it('cannot be used for actions that require a session', async () => {
    const team = await aTeam();
    const { token, id } = await make(team, 'ana');
    const refused = forbidden('API tokens cannot be used for this');
    const password = 'plum kite orbit';
    for (const [method, path, body] of [
      ['GET', '/auth/tokens'],
      ['POST', '/auth/tokens', { name: 'x' }],
      ['DELETE', `/auth/tokens/${id}`],
      ['POST', '/org/transfer-ownership', { member_id: team.id('ben'), password }],
      ['DELETE', '/org', { password }],
      ['POST', '/auth/switch-organization', { organization_id: team.organizationId }],
      ['POST', '/org/invites/accept', { invite_token: 'x' }],
      ['POST', '/auth/change-password', { password, new_password: 'orbit kite plum' }],
    ] as const) {
      expect([path, await team.rest(token, method, path, body)]).toEqual([path, refused]);
    }
    expect(await team.rest(token, 'POST', '/auth/logout')).toEqual(forbidden('has no session to end'));
    const { body } = await team.gql(token, 'mutation { createApiToken(input: { name: "x" }) { token } }');
    expect(essentials(body.errors[0].extensions)).toEqual({ code: 'FORBIDDEN', status: 403 });
  });

  it('is deleted when the membership ends, and belongs to one organization', async () => {
    const team = await aTeam();
    const { token } = await make(team, 'cleo');
    const zoe = await team.register('zoe');
    const { userId } = await team.db.membership.findUniqueOrThrow({ where: { id: team.id('cleo') } });
    const { organizationId } = zoe.viewer.scope;
    await team.db.membership.create({ data: { organizationId, userId, role: 'admin' } });
    const { body } = await team.rest(token, 'GET', '/auth/me');
    expect([body.organization.name, body.organizations]).toEqual([
      'ana Inc',
      [{ id: team.organizationId, name: 'ana Inc', role: 'member' }],
    ]);
    expect((await team.rest('ben', 'DELETE', `/org/members/${team.id('cleo')}`)).status).toBe(204);
    expect(await team.rest(token, 'GET', '/org')).toEqual(unauthorized);
    expect(await team.db.apiToken.count()).toBe(0);
  });
});
