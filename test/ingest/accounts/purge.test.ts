import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { demoOrigin } from '../../../src/demo/organization/tenant.ts';
import { finishPurge, purgeAccount } from '../../../src/ingest/accounts/purge.ts';
import { disconnectAccount } from '../../../src/ingest/accounts/run.ts';
import { newId } from '../../../src/kit/ids.ts';
import { orgScope, type Viewer } from '../../../src/tenancy/auth/scope.ts';
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

  it('is removed from the access that an earlier version left, by the migration', async () => {
    const { connect, call, become, deps } = await anAccounting();
    const [one, two] = [await connect('may'), await connect('june')];
    const gone = '01890000-0000-7000-8000-00000000000a';
    await become('admin', [two.id, one.id]);
    await call('POST', '/org/invite', { emails: ['bea@example.com'], role: 'viewer', account_access: [one.id] });
    await deps.db.membership.updateMany({ data: { accountAccess: [two.id, gone, one.id] } });
    await deps.db.invite.updateMany({ data: { accountAccess: [gone] } });
    const migration = 'prisma/migrations/20261129060900_access_of_deleted_accounts/migration.sql';
    for (const statement of fs
      .readFileSync(migration, 'utf8')
      .split(/;\n/)
      .filter((text) => text.trim() !== ''))
      await deps.db.$executeRawUnsafe(statement);
    const access = { select: { accountAccess: true } };
    expect(await deps.db.membership.findMany(access)).toEqual([{ accountAccess: [two.id, one.id] }]);
    expect(await deps.db.invite.findMany(access)).toEqual([{ accountAccess: [] }]);
  });

  it.each([
    ['is deleted by a job if the server was killed before', 'disconnected', 0],
    ['is kept if it was connected again after the server was killed', 'connected', 1],
  ] as const)('%s', async (_title, status, kept) => {
    const { connect, deps } = await anAccounting();
    const { id } = await connect('may');
    const { organizationId } = await deps.db.account.findFirstOrThrow({ where: { id } });
    const scope = orgScope(organizationId, null);
    const { userId } = await deps.db.membership.findFirstOrThrow();
    const actor = { ...demoOrigin, organizationId, userId, email: 'ana@example.com' };
    const killed = { ...deps, pool: { connect: () => Promise.reject(new Error('killed')) } };
    const deleting = disconnectAccount(killed as unknown as typeof deps, { scope } as Viewer, actor, {
      id,
      purge: true,
    });
    await expect(deleting).rejects.toThrow('killed');
    const job = { organizationId, accountId: id };
    expect(await deps.queue.pending('purge_account', [job])).toEqual([job]);
    await deps.db.account.update({ where: { id }, data: { status } });
    await finishPurge(deps, scope, id);
    expect(await deps.db.account.count({ where: { id } })).toBe(kept);
  });

  it('is deleted after a sync that ends at the same time', async () => {
    const { connect, deps } = await anAccounting();
    const { id } = await connect('may');
    const { organizationId } = await deps.db.account.findFirstOrThrow({ where: { id } });
    const scope = orgScope(organizationId, null);
    const now = deps.clock.now();
    const isWaiting = async () => {
      const { rows } = await deps.pool.query(
        `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'DELETE%'`,
      );
      return rows.length > 0;
    };
    const purged = await deps.db.$transaction(async (tx) => {
      await tx.accountSync.updateMany({ where: { accountId: id }, data: { finishedAt: now } });
      const purge = purgeAccount(deps, scope, id);
      await expect.poll(isWaiting).toBe(true);
      const ended = { status: 'cancelled', startedAt: now, finishedAt: now, rows: 0n } as const;
      await tx.syncRun.create({ data: { ...ended, id: newId(now), accountId: id, organizationId } });
      return { purge };
    });
    await purged.purge;
    expect(await deps.db.account.count({ where: { id } })).toBe(0);
  });
});
