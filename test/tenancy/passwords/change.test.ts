import { describe, expect, it } from 'vitest';
import type { Login } from '../../../src/tenancy/sessions/open.ts';
import { login } from '../../../src/tenancy/login/login.ts';
import { refresh } from '../../../src/tenancy/sessions/refresh.ts';
import { changePassword } from '../../../src/tenancy/passwords/change.ts';
import { revokeSessionsOf } from '../../../src/tenancy/sessions/store.ts';
import { origin, password, tenancyWorld } from '../support.ts';

const email = 'ana@example.com';
const newPassword = 'brine lantern quill';

async function aUser() {
  const world = await tenancyWorld();
  const session = await world.register('ana');
  const change = (given: { password: string; newPassword: string }, { viewer }: Login = session) => {
    const actor = { organizationId: viewer.scope.organizationId, userId: viewer.userId, email, ...origin };
    return changePassword(world.deps, viewer, actor, given);
  };
  return { ...world, session, change };
}

describe('changing the password', () => {
  it('ends all other sessions, and keeps the current one', async () => {
    const { deps, session, login: enter, change } = await aUser();
    const other = await enter('ana');
    await change({ password, newPassword });
    if (!('refreshToken' in other)) throw new Error('A second factor was asked for');
    await expect(refresh(deps, origin, other.refreshToken)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await refresh(deps, origin, session.refreshToken)).toMatchObject({ viewer: { email } });
    expect(await login(deps, origin, { email, password: newPassword })).toMatchObject({ viewer: { email } });
  });

  it('is audited, and confirmed to the user by mail', async () => {
    const { change, audit, mails, login: enter } = await aUser();
    await enter('ana');
    await change({ password, newPassword });
    expect((await audit()).at(-1)).toMatchObject({
      action: 'password_changed',
      actorEmail: email,
      details: { by: 'change', sessions_ended: 1 },
    });
    expect(await mails()).toMatchObject([{ to: email, subject: 'Your password was changed' }]);
  });

  it('requires the current password, and locks the address after five wrong attempts', async () => {
    const { deps, change } = await aUser();
    for (let i = 0; i < 5; i += 1) {
      await expect(change({ password: 'wrong', newPassword })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    await expect(change({ password, newPassword })).rejects.toMatchObject({ code: 'ACCOUNT_LOCKED' });
    await expect(login(deps, origin, { email, password })).rejects.toMatchObject({ code: 'ACCOUNT_LOCKED' });
  });

  it('rejects an invalid new password, naming the field', async () => {
    const { change } = await aUser();
    for (const refused of ['short', 'password123', email.toUpperCase(), 'x'.repeat(129)]) {
      await expect(change({ password, newPassword: refused })).rejects.toThrow(/^new_password /);
    }
  });

  it('is rejected when the session was ended meanwhile', async () => {
    const { deps, session, change } = await aUser();
    await revokeSessionsOf(deps.db, session.viewer.userId, null, deps.clock.now());
    await expect(change({ password, newPassword })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await login(deps, origin, { email, password })).toMatchObject({ viewer: { email } });
  });
});
