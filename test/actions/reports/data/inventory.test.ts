import { expect, it } from 'vitest';
import { readInventory } from '../../../../src/actions/reports/data/inventory.ts';
import { orgScope } from '../../../../src/tenancy/auth/scope.ts';
import { aReportWorld } from '../world.ts';

it('labels resources without a type as (none) in the chart by type', async () => {
  const { deps, organizationId } = await aReportWorld();
  await deps.pool.query("UPDATE inventory_resources SET resource_type = ''");
  await deps.pool.query("UPDATE inventory_counts SET resource_type = ''");
  const report = { type: 'inventory', startDate: '2024-05-01', endDate: '2024-05-12', filters: {} } as const;
  const scope = orgScope(organizationId, null);
  const { charts } = await readInventory({ deps, scope, report, currency: 'USD', accountNames: new Map() });
  expect(charts[0]).toMatchObject({ title: 'Resources by type', items: [{ label: '(none)', value: 3 }] });
});
