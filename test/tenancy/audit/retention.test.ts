import { expect, it } from 'vitest';
import { deleteOldEntries } from '../../../src/tenancy/audit/store.ts';
import { tenancyWorld } from '../support.ts';

const due = new Date('2026-11-21T03:17:00.000Z');

it('deletes entries of every organization after 90 days, to the millisecond', async () => {
  const world = await tenancyWorld();
  const organizations = [await world.register('ana'), await world.register('bo')];
  const ids = organizations.map(({ viewer }) => viewer.scope.organizationId);
  await world.deps.db.auditEntry.deleteMany();
  const written = ['2026-08-23T03:16:59.999Z', '2026-08-23T03:17:00.000Z', '2025-01-01T00:00:00.000Z'];
  await world.deps.db.auditEntry.createMany({
    data: ids.flatMap((organizationId) =>
      written.map((timestamp) => ({
        organizationId,
        timestamp,
        action: 'login',
        resourceType: 'session',
        ipAddress: '',
        userAgent: '',
      })),
    ),
  });
  await deleteOldEntries(world.deps, due);
  const kept = await world.deps.db.auditEntry.findMany();
  expect(kept.map((entry) => entry.timestamp.toISOString())).toEqual([written[1], written[1]]);
});

it('rejects updates of audit entries in the database', async () => {
  const world = await tenancyWorld();
  await world.register('ana');
  await expect(world.deps.pool.query(`UPDATE audit_entries SET action = 'logout'`)).rejects.toThrow(
    'Audit entries never change',
  );
});
