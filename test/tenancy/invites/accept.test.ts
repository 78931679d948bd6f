import { describe, expect, it } from 'vitest';
import { aTeam, conflict, failure, forbidden, invalid, password, type Team } from '../team.ts';

const week = 7 * 86_400_000;

/** Invites an address, and returns the id and the token from the mail. */
async function invited(team: Team, email: string, input: object = {}): Promise<{ id: string; token: string }> {
  const answer = await team.rest('ben', 'POST', '/org/invite', { emails: [email], role: 'member', ...input });
  return { id: answer.body.results[0].invite.id, token: await newest(team) };
}

async function newest(team: Team): Promise<string> {
  const mail = (await team.mails()).at(-1);
  return /token=([\w-]{43})/.exec(mail?.text ?? '')?.[1] ?? '';
}

/** A team, and Zoe with an organization of her own. */
async function withZoe(environment: Record<string, string> = {}) {
  const team = await aTeam(environment);
  team.tokens['zoe'] = (await team.register('zoe')).accessToken;
  const accept = (token: string, who = 'zoe') => team.rest(who, 'POST', '/org/invites/accept', { invite_token: token });
  return { team, accept };
}

describe('accepting an invitation as a user', () => {
  it("adds them as a member with its role and accounts, and keeps the session's organization", async () => {
    const { team, accept } = await withZoe();
    const { one } = team.accounts;
    const { token } = await invited(team, 'ZOE@example.com', { role: 'admin', account_access: [one] });
    const joined = { id: team.organizationId, name: 'ana Inc', role: 'admin' };
    expect(await accept(token)).toEqual({ status: 200, body: joined });
    const me = (await team.rest('zoe', 'GET', '/auth/me')).body;
    expect([me.organization.name, me.organizations]).toEqual([
      'zoe Inc',
      [joined, { id: me.organization.id, name: 'zoe Inc', role: 'super_admin' }],
    ]);
    const { body } = await team.rest('dan', 'GET', '/org/members?search=zoe');
    expect(body.data[0]).toMatchObject({ role: 'admin', account_access: [one], user: { email: 'zoe@example.com' } });
    expect((await team.recorded()).map(({ action, actorEmail }) => [action, actorEmail])).toEqual([
      ['invite_sent', 'ben@example.com'],
      ['invite_accepted', 'zoe@example.com'],
    ]);
    const { data } = (await team.rest('ben', 'GET', '/org/invites')).body;
    expect(data).toMatchObject([{ status: 'accepted', accepted_at: expect.any(String) }]);
  });

  it('works once, also under twenty concurrent requests', async () => {
    const { team, accept } = await withZoe();
    const { token, id } = await invited(team, 'zoe@example.com');
    const answers = await Promise.all(Array.from({ length: 20 }, () => accept(token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
    expect(await accept(token)).toEqual(conflict('was already accepted'));
    expect(await team.db.membership.count({ where: { organizationId: team.organizationId } })).toBe(5);
    expect(await team.rest('ben', 'POST', `/org/invites/${id}/resend`)).toEqual(conflict('was already accepted'));
    expect(await team.rest('ben', 'DELETE', `/org/invites/${id}`)).toEqual(conflict('was already accepted'));
  });

  it('is limited to the invited address, without revealing that address', async () => {
    const { team, accept } = await withZoe();
    const { token } = await invited(team, 'yan@example.com');
    const answer = await accept(token);
    expect(answer).toEqual(forbidden('for a different address than "zoe@example.com"'));
    expect(JSON.stringify(answer)).not.toContain('yan');
    expect(await team.db.membership.count({ where: { organizationId: team.organizationId } })).toBe(4);
  });

  it('fails when it has expired, was revoked, or was replaced by a newer link', async () => {
    const { team, accept } = await withZoe();
    const { token, id } = await invited(team, 'zoe@example.com');
    await team.rest('ben', 'POST', `/org/invites/${id}/resend`);
    expect(await accept(token)).toEqual(invalid(/^invite_token is unknown: .* a newer one was sent/));
    const second = await newest(team);
    team.passMs(week);
    await team.loginAgain('zoe', 'ben');
    expect(await accept(second)).toEqual(invalid(/^invite_token expired on 2026-11-28T10:00:00.000Z/));
    await team.rest('ben', 'POST', `/org/invites/${id}/resend`);
    const third = await newest(team);
    await team.rest('ben', 'DELETE', `/org/invites/${id}`);
    expect(await accept(third)).toEqual(invalid(/^invite_token was revoked/));
    expect(await accept('nope')).toEqual(invalid(/^invite_token is unknown/));
  });

  it('accept and revoke at the same time: exactly one wins', async () => {
    const { team, accept } = await withZoe();
    const { token, id } = await invited(team, 'zoe@example.com');
    const [accepted, revoked] = await Promise.all([accept(token), team.rest('ben', 'DELETE', `/org/invites/${id}`)]);
    expect([
      [200, 409],
      [400, 204],
    ]).toContainEqual([accepted.status, revoked.status]);
  });

  it('is rejected if the user is already a member', async () => {
    const { team, accept } = await withZoe();
    const { token } = await invited(team, 'zoe@example.com');
    const { id } = await team.db.user.findUniqueOrThrow({ where: { email: 'zoe@example.com' } });
    await team.db.membership.create({ data: { organizationId: team.organizationId, userId: id, role: 'viewer' } });
    expect(await accept(token)).toEqual(conflict('is already a member of the organization'));
  });

  it('works in GraphQL, and requires a session', async () => {
    const { team } = await withZoe();
    const { token } = await invited(team, 'zoe@example.com');
    const query = 'mutation ($token: String!) { acceptInvite(inviteToken: $token) { name role } }';
    expect((await team.gql('nobody', query, { token })).status).toBe(401);
    expect((await team.gql('zoe', query, { token })).body.data.acceptInvite).toEqual({
      name: 'ana Inc',
      role: 'MEMBER',
    });
  });
});

describe('registering with an invitation', () => {
  const person = { email: 'eve@example.com', password, name: 'Eve' };
  const register = (team: Team, body: object) => team.ask('POST', '/api/v1/auth/register', { ...person, ...body });

  it.each(['open', 'invite', 'first'])('joins the inviting organization, with REGISTRATION=%s', async (mode) => {
    const team = await aTeam(mode === 'open' ? {} : { REGISTRATION: 'open' });
    Object.assign(team.deps.config, { registration: mode });
    const { token } = await invited(team, 'eve@example.com', { role: 'viewer', account_access: [team.accounts.one] });
    const { status, body } = await register(team, { invite_token: token });
    expect([status, body.user.email, body.organization.name]).toEqual([201, 'eve@example.com', 'ana Inc']);
    const me = await team.rest(body.access_token, 'GET', '/auth/me');
    expect(me.body).toMatchObject({ role: 'viewer', account_access: [team.accounts.one] });
    expect(await team.db.organization.count()).toBe(1);
    const closed = await register(team, { email: 'fay@example.com', organization_name: 'Fay Inc' });
    expect(closed.status).toBe(mode === 'open' ? 201 : 403);
  });

  it('works once for the invited address, and requires an invitation or an organization name, not both', async () => {
    const team = await aTeam();
    const { token } = await invited(team, 'eve@example.com');
    expect(await register(team, {})).toMatchObject(invalid(/^organization_name is required, unless invite_token/));
    expect(await register(team, { invite_token: token, organization_name: 'X' })).toMatchObject(
      invalid(/^organization_name is not allowed with an invitation/),
    );
    expect(await register(team, { invite_token: token, email: 'fay@example.com' })).toMatchObject(
      invalid(/^email must be the address that/),
    );
    expect(await register(team, { invite_token: 'nope' })).toMatchObject(invalid(/^invite_token is unknown/));
    expect(await team.db.user.count()).toBe(4);
    const both = await Promise.all([register(team, { invite_token: token }), register(team, { invite_token: token })]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it('keeps the password of a user who belongs to an organization', async () => {
    const { team } = await withZoe();
    const { token } = await invited(team, 'zoe@example.com');
    const taken = await register(team, { email: 'zoe@example.com', password: 'another good one', invite_token: token });
    expect(taken).toMatchObject(conflict('is already registered; sign in'));
    expect((await team.login('zoe')).viewer.email).toBe('zoe@example.com');
    expect(await team.db.membership.count({ where: { organizationId: team.organizationId } })).toBe(4);
  });

  it('resets a user without an organization, including their second factors', async () => {
    const team = await aTeam();
    const before = await team.db.user.update({
      where: { email: 'cleo@example.com' },
      data: { totpConfirmedAt: new Date(), recoveryCodes: { create: { codeHash: Buffer.from('x') } } },
    });
    await team.rest('ben', 'DELETE', `/org/members/${team.id('cleo')}`);
    const { token } = await invited(team, 'cleo@example.com');
    const cleo = { email: 'cleo@example.com', name: 'Cleo', password: 'another good one', invite_token: token };
    const { status, body } = await register(team, cleo);
    expect([status, body.user]).toEqual([201, { id: before.id, email: 'cleo@example.com', name: 'Cleo' }]);
    const after = await team.db.user.findUniqueOrThrow({ where: { id: before.id }, include: { recoveryCodes: true } });
    expect(after).toMatchObject({ totpConfirmedAt: null, recoveryCodes: [] });
    const login = await team.ask('POST', '/api/v1/auth/login', {
      email: 'cleo@example.com',
      password: 'another good one',
    });
    expect(login.status).toBe(200);
  });

  it('requires the old password from such a user without an invitation, and locks after wrong attempts', async () => {
    const team = await aTeam();
    await team.rest('ben', 'DELETE', `/org/members/${team.id('cleo')}`);
    const again = (secret: string) =>
      register(team, { email: 'cleo@example.com', password: secret, organization_name: 'Cleo Inc' });
    for (let n = 0; n < 5; n += 1)
      expect(await again('not the one it was')).toMatchObject(conflict('is already registered'));
    expect(await again(password)).toMatchObject(failure(423, 'ACCOUNT_LOCKED'));
    team.passMs(60_000);
    expect(await again(password)).toMatchObject({ status: 201, body: { organization: { name: 'Cleo Inc' } } });
  });
});
