import { describe, expect, it } from 'vitest';
import { aTeam, failure, invalid, start } from '../team.ts';

const week = 7 * 86_400_000;
const unauthorized = failure(401, 'UNAUTHORIZED');

/** Cleo, a Member of `ana Inc` and an Admin of `zoe Inc`. */
async function twice() {
  const team = await aTeam();
  const zoe = await team.register('zoe');
  const other = zoe.viewer.scope.organizationId;
  team.tokens['zoe'] = zoe.accessToken;
  const { userId } = await team.db.membership.findUniqueOrThrow({ where: { id: team.id('cleo') } });
  await team.db.membership.create({ data: { organizationId: other, userId, role: 'admin', joinedAt: start } });
  const move = (organizationId: string, who = 'cleo') =>
    team.ask(
      'POST',
      '/api/v1/auth/switch-organization',
      { organization_id: organizationId },
      { authorization: `Bearer ${team.tokens[who]}` },
    );
  return { team, other, userId, move };
}

describe('switching the organization', () => {
  it('returns tokens and a cookie like a login', async () => {
    const { team, other, move } = await twice();
    const { status, body, cookie } = await move(other);
    expect([status, body]).toEqual([
      200,
      {
        access_token: expect.any(String),
        refresh_token: expect.any(String),
        token_type: 'Bearer',
        expires_in: 900,
        user: expect.objectContaining({ email: 'cleo@example.com' }),
        organization: expect.objectContaining({ id: other, name: 'zoe Inc', billing: null }),
        two_factor_setup_required: false,
        two_factor_required: false,
        challenge_token: null,
        methods: [],
      },
    ]);
    expect(cookie).toBe(`costkeep_refresh=${body.refresh_token}`);
    const me = (await team.rest(body.access_token, 'GET', '/auth/me')).body;
    expect([me.organization.id, me.role]).toEqual([other, 'admin']);
    expect(me.organizations.map(({ name, role }: { name: string; role: string }) => `${name} ${role}`)).toEqual([
      'ana Inc member',
      'zoe Inc admin',
    ]);
  });

  it('ends the previous session, and keeps its times for the new one', async () => {
    const { team, other, move } = await twice();
    team.passMs(60_000);
    const before = team.tokens['cleo'] ?? '';
    const { body } = await move(other);
    expect(await team.rest(before, 'GET', '/org')).toEqual(unauthorized);
    expect((await move(other)).status).toBe(401);
    const session = await team.db.session.findFirstOrThrow({
      where: { organizationId: other, user: undefined, revokedAt: null, userAgent: 'node' },
    });
    expect([session.createdAt, session.expiresAt, session.method]).toEqual([
      start,
      new Date(start.getTime() + week),
      'password',
    ]);
    const refreshed = await team.ask('POST', '/api/v1/auth/refresh', { refresh_token: body.refresh_token });
    expect([refreshed.status, refreshed.body.organization.id]).toEqual([200, other]);
  });

  it('is remembered by the next login', async () => {
    const { team, other, move } = await twice();
    team.passMs(1000);
    await move(other);
    team.passMs(1000);
    expect((await team.login('cleo')).viewer.scope.organizationId).toBe(other);
  });

  it('is audited in both organizations, without the name of the other', async () => {
    const { team, other, move } = await twice();
    await move(other);
    const entries = await team.db.auditEntry.findMany({
      where: { action: 'organization_switched' },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ organizationId, details }) => [organizationId, details])).toEqual([
      [team.organizationId, { direction: 'left' }],
      [other, { direction: 'entered' }],
    ]);
  });

  it("is limited to the user's organizations", async () => {
    const { team, other, move } = await twice();
    for (const id of [team.organizationId, 'nope', '01933333-0000-7000-8000-000000000000'])
      expect(await move(id, 'zoe')).toMatchObject(invalid(`organization_id "${id}" is not one of your organizations`));
    expect((await team.rest('zoe', 'GET', '/auth/me')).body.organization.id).toBe(other);
  });

  it('works in GraphQL', async () => {
    const { team, other } = await twice();
    const query = `mutation { switchOrganization(organizationId: "${other}") { accessToken organization { name } } }`;
    const { body } = await team.gql('cleo', query);
    expect(body.data.switchOrganization.organization).toEqual({ name: 'zoe Inc' });
    expect((await team.gql(body.data.switchOrganization.accessToken, '{ me { role } }')).body.data.me.role).toBe(
      'ADMIN',
    );
  });
});
