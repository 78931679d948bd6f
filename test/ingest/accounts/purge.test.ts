import { describe, expect, it } from 'vitest';
import { anAccounting } from './world.ts';

describe('a deleted account', () => {
  it('is removed from the access of members and invitations', async () => {
    const { connect, call, become, deps } = await anAccounting();
    const [one, two] = [await connect('may'), await connect('june')];
    await become('admin', [one.id, two.id]);
    const invite = { emails: ['bea@example.com'], role: 'viewer', account_access: [one.id, two.id] };
    await call('POST', '/org/invite', invite);
    await call('DELETE', `/accounts/${one.id}?purge=true`);
    const me = await call<{ account_access: string[] }>('GET', '/auth/me');
    expect(me.body.account_access).toEqual([two.id]);
    expect(await deps.db.invite.findMany({ select: { accountAccess: true } })).toEqual([{ accountAccess: [two.id] }]);
  });
});
