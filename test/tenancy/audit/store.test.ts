import { expect, it } from 'vitest';
import { writeAudit } from '../../../src/tenancy/audit/store.ts';
import { origin, tenancyWorld } from '../support.ts';

async function registered() {
  const world = await tenancyWorld();
  const { viewer } = await world.register('ana');
  const actor = { organizationId: viewer.scope.organizationId, userId: viewer.userId, email: viewer.email, ...origin };
  const entries = () => world.deps.db.auditEntry.findMany({ where: { action: 'sync_requested' } });
  return { world, actor, entries };
}

it('stores actor, action, resource and origin', async () => {
  const { world, actor, entries } = await registered();
  const entry = {
    action: 'sync_requested',
    resourceType: 'account',
    resourceId: 'x',
    details: { cause: 'test' },
  } as const;
  await writeAudit(world.deps.db, actor, entry);
  expect(await entries()).toMatchObject([
    {
      organizationId: actor.organizationId,
      actorId: actor.userId,
      actorEmail: 'ana@example.com',
      accountId: null,
      ...entry,
      ...origin,
    },
  ]);
});

it('stores texts of callers without what PostgreSQL rejects', async () => {
  const { world, actor, entries } = await registered();
  const details = { parameters: { account_id: ['a\0b', '\ud800'] }, rows: 0, note: null };
  await writeAudit(world.deps.db, actor, { action: 'sync_requested', resourceType: 'account', details });
  const stored = { ...details, parameters: { account_id: ['a\uFFFDb', '\uFFFD'] } };
  expect(await entries()).toMatchObject([{ details: stored }]);
});

it('stores no entry for a rolled-back action', async () => {
  const { world, actor, entries } = await registered();
  const act = world.deps.db.$transaction(async (db) => {
    await writeAudit(db, actor, { action: 'sync_requested', resourceType: 'account' });
    throw new Error('the act failed');
  });
  await expect(act).rejects.toThrow('the act failed');
  expect(await entries()).toEqual([]);
});

it('truncates the user agent to 512 characters', async () => {
  const { world, actor, entries } = await registered();
  const userAgent = 'x'.repeat(600);
  await writeAudit(world.deps.db, { ...actor, userAgent }, { action: 'sync_requested', resourceType: 'account' });
  expect((await entries())[0]?.userAgent).toHaveLength(512);
});
