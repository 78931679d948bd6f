import { expect, it } from 'vitest';
import { writeUnitMetrics, demoOrders } from '../../../src/demo/organization/unit-metrics.ts';
import { writeVirtualTags } from '../../../src/demo/organization/virtual-tags.ts';
import { demoOrigin } from '../../../src/demo/organization/tenant.ts';
import { aTeam } from '../../tenancy/team.ts';

it('has the same orders per day and team whenever the sample is written', () => {
  const orders = demoOrders('2026-11-21');
  expect(orders.filter(({ date }) => date === '2026-11-20')).toEqual(
    demoOrders('2026-11-22').filter(({ date }) => date === '2026-11-20'),
  );
  expect([orders[0]?.date, orders.at(-1)?.date]).toEqual(['2025-11-01', '2026-11-21']);
  for (const { value } of orders) expect(value).toBeGreaterThan(1000);
});

it('creates the unit metric once, and splits the platform by it', async () => {
  const team = await aTeam();
  const { deps, organizationId } = team;
  const { viewer } = await team.login('ana');
  const actor = { ...demoOrigin, organizationId, userId: viewer.userId, email: viewer.email };
  const id = await writeUnitMetrics(deps, viewer, actor);
  expect(await writeUnitMetrics(deps, viewer, actor)).toBe(id);
  await writeVirtualTags(deps, viewer, actor, id);
  const metrics = await team.rest('ana', 'GET', '/metrics');
  expect(metrics.body.data).toMatchObject([{ id, key: 'orders' }]);
  const tags = await team.rest('ana', 'GET', '/virtual-tags');
  expect(tags.body.data).toMatchObject([{ key: 'team', splits: [{ method: 'metric', metric_id: id }] }]);
});
