import { expect, it } from 'vitest';
import { aTeam, failure, forbidden, invalid } from '../team.ts';

const renamed = (from: string, to: string) => ({
  action: 'user_renamed',
  resourceType: 'user',
  details: { name: { from, to } },
});

it('lets every role change their own display name, and returns the current user', async () => {
  const team = await aTeam();
  for (const who of ['ana', 'ben', 'cleo', 'dan']) {
    const { status, body } = await team.rest(who, 'PATCH', '/auth/me', { name: ` ${who} the Great ` });
    expect([status, body.user.name]).toEqual([200, `${who} the Great`]);
    expect(body).toEqual((await team.rest(who, 'GET', '/auth/me')).body);
  }
  const query = 'mutation ($name: String!) { updateMe(input: { name: $name }) { user { name email } role } }';
  expect((await team.gql('dan', query, { name: 'Dan' })).body.data.updateMe).toEqual({
    user: { name: 'Dan', email: 'dan@example.com' },
    role: 'VIEWER',
  });
  const { body } = await team.rest('ben', 'GET', '/org/members');
  const names = body.data.map(({ user }: { user: { name: string } }) => user.name);
  expect(names.toSorted()).toEqual(['Dan', 'ana the Great', 'ben the Great', 'cleo the Great']);
});

it("audits the change in each of the user's organizations, and only if the name changes", async () => {
  const team = await aTeam();
  const { id: userId } = await team.db.user.findUniqueOrThrow({ where: { email: 'dan@example.com' } });
  const zoe = await team.register('zoe');
  const elsewhere = zoe.viewer.scope.organizationId;
  await team.db.membership.create({
    data: { organizationId: elsewhere, userId, role: 'member', joinedAt: new Date() },
  });
  await team.rest('dan', 'PATCH', '/auth/me', { name: 'Dan' });
  await team.rest('dan', 'PATCH', '/auth/me', { name: 'Dan ' });
  const entry = { ...renamed('dan', 'Dan'), actorEmail: 'dan@example.com' };
  expect(await team.recorded()).toMatchObject([entry]);
  expect((await team.audit(elsewhere)).filter(({ action }) => action === 'user_renamed')).toMatchObject([entry]);
  const kept = await team.db.auditEntry.findMany({ where: { action: 'user_renamed' } });
  expect(kept.map(({ actorId, resourceId }) => [actorId, resourceId])).toEqual([
    [userId, userId],
    [userId, userId],
  ]);
});

it('validates the name like registration, and rejects read-only tokens', async () => {
  const team = await aTeam();
  for (const [body, message] of [
    [{ name: ' ' }, 'name must have 1 to 100 characters, not 0'],
    [{ name: 'x'.repeat(101) }, 'name must have 1 to 100 characters, not 101'],
    [{ name: 'two\nlines' }, 'name must not contain control characters'],
    [{ name: '\u200b' }, 'name must contain a visible character'],
    [{ name: null }, '^name'],
    [{}, 'send at least one of name$'],
    [{ name: 'Dan', email: 'dan@example.org' }, 'email'],
  ] as const)
    expect(await team.rest('dan', 'PATCH', '/auth/me', body)).toEqual(invalid(message));
  const token = async (read_only: boolean) =>
    (await team.rest('dan', 'POST', '/auth/tokens', { name: 'CI', read_only })).body.token as string;
  expect(await team.rest(await token(true), 'PATCH', '/auth/me', { name: 'No' })).toEqual(forbidden('read-only'));
  expect((await team.rest(await token(false), 'PATCH', '/auth/me', { name: 'Dan' })).status).toBe(200);
  expect(await team.rest('nobody', 'PATCH', '/auth/me', { name: 'No' })).toEqual(failure(401, 'UNAUTHORIZED'));
  const user = await team.db.user.findUniqueOrThrow({ where: { email: 'dan@example.com' } });
  expect(user.name).toBe('Dan');
});
