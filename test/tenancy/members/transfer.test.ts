import { describe, expect, it } from 'vitest';
import { aTeam, conflict, failure, forbidden, invalid, password, type Team } from '../team.ts';

const transfer = (team: Team, who: string, to: string, secret = password) =>
  team.rest(who, 'POST', '/org/transfer-ownership', { member_id: team.id(to) || to, password: secret });

async function roles(team: Team) {
  const { body } = await team.rest('dan', 'GET', '/org/members?sort_by=name');
  return body.data.map((member: { role: string }) => member.role);
}

describe('transferring the ownership', () => {
  it('makes another member the Super Admin with access to all accounts, and the previous one an Admin', async () => {
    const team = await aTeam();
    await team.rest('ana', 'PATCH', `/org/members/${team.id('cleo')}`, { account_access: [team.accounts.one] });
    const { status, body } = await transfer(team, 'ana', 'cleo');
    expect([status, body]).toMatchObject([200, { id: team.id('cleo'), role: 'super_admin', account_access: null }]);
    expect(await roles(team)).toEqual(['admin', 'admin', 'super_admin', 'viewer']);
    expect((await team.rest('cleo', 'GET', '/org')).body.billing).toEqual({ email: null, plan: 'self-hosted' });
    expect((await team.rest('ana', 'GET', '/org')).body.billing).toBeNull();
    const entry = (await team.recorded()).find(({ action }) => action === 'ownership_transferred');
    expect(entry?.details).toEqual({ from: 'ana@example.com', to: 'cleo@example.com' });
  });

  it('is limited to the Super Admin', async () => {
    const team = await aTeam();
    for (const [name, who] of [
      ['ben', 'the Super Admin'],
      ['cleo', 'an Admin'],
      ['dan', 'an Admin'],
    ] as const)
      expect(await transfer(team, name, name)).toEqual(
        forbidden(`does not allow this; ask ${who} of the organization`),
      );
    expect(await roles(team)).toEqual(['super_admin', 'admin', 'member', 'viewer']);
  });

  it('requires the password, and locks after wrong attempts', async () => {
    const team = await aTeam();
    for (let n = 0; n < 5; n += 1)
      expect(await transfer(team, 'ana', 'ben', 'wrong password')).toEqual(forbidden('^password is wrong'));
    expect(await transfer(team, 'ana', 'ben')).toEqual(failure(423, 'ACCOUNT_LOCKED', '2026-11-21T10:01:00Z'));
    expect(await roles(team)).toEqual(['super_admin', 'admin', 'member', 'viewer']);
    team.passMs(60_000);
    expect((await transfer(team, 'ana', 'ben')).status).toBe(200);
  });

  it('names the problem with the member', async () => {
    const team = await aTeam();
    const zoe = await team.register('zoe');
    const foreign = await team.db.membership.findFirstOrThrow({ where: { userId: zoe.viewer.userId } });
    for (const id of ['nope', foreign.id, zoe.viewer.userId])
      expect(await transfer(team, 'ana', id)).toEqual(invalid(`member_id "${id}" is not a member`));
    expect(await transfer(team, 'ana', 'ana')).toEqual(conflict('is already the Super Admin'));
  });

  it('succeeds once under concurrent requests', async () => {
    const team = await aTeam();
    const answers = await Promise.all([transfer(team, 'ana', 'ben'), transfer(team, 'ana', 'cleo')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
    expect((await roles(team)).filter((role: string) => role === 'super_admin')).toHaveLength(1);
  });

  it('leaves one Super Admin when the new one is removed concurrently', async () => {
    const team = await aTeam();
    const [moved, removed] = await Promise.all([
      transfer(team, 'ana', 'ben'),
      team.rest('ben', 'DELETE', `/org/members/${team.id('ben')}`),
    ]);
    expect([
      [200, 403],
      [400, 204],
    ]).toContainEqual([moved.status, removed.status]);
    expect((await roles(team)).filter((role: string) => role === 'super_admin')).toHaveLength(1);
  });
});

describe('the database', () => {
  it('rejects a second Super Admin with a constraint', async () => {
    const team = await aTeam();
    const second = team.db.membership.update({ where: { id: team.id('ben') }, data: { role: 'super_admin' } });
    await expect(second).rejects.toMatchObject({ code: 'P2002' });
  });
});
