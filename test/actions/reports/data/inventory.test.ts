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

it('lists the costs in other currencies after a change of the billing currency', async () => {
  const { deps, organizationId } = await aReportWorld();
  await deps.pool.query(
    `UPDATE inventory_resources SET month_costs = '{"USD 2024-04": "5", "EUR 2024-04": "3", "EUR 2024-05": "1.5", "JPY 2024-05": "70"}'
     WHERE currency = 'USD' AND resource_id = (SELECT min(resource_id) FROM inventory_resources WHERE currency = 'USD')`,
  );
  const report = { type: 'inventory', startDate: '2024-05-01', endDate: '2024-05-12', filters: {} } as const;
  const scope = orgScope(organizationId, null);
  const { sections } = await readInventory({ deps, scope, report, currency: 'USD', accountNames: new Map() });
  const rows = await Array.fromAsync(sections[0]?.rows ?? []);
  expect(rows.map((row) => row[7]).filter((cell) => cell !== null)).toEqual(['€4.50, ¥70']);
});

it('has the costs in the currency of the organization, too, if there are several', async () => {
  const { deps, organizationId } = await aReportWorld();
  await deps.pool.query(
    `UPDATE inventory_resources SET month_costs = '{"EUR 2024-04": "3", "USD 2024-05": "1.5"}'
     WHERE currency = 'USD' AND resource_id = (SELECT min(resource_id) FROM inventory_resources WHERE currency = 'USD')`,
  );
  const report = { type: 'inventory', startDate: '2024-05-01', endDate: '2024-05-12', filters: {} } as const;
  const scope = orgScope(organizationId, null);
  const request = { deps, scope, report, currency: 'USD', accountNames: new Map() };
  const { sections } = await readInventory({ ...request, hasOtherCurrencies: true });
  const keys = sections[0]?.columns.map(({ key }) => key) ?? [];
  const rows = await Array.fromAsync(sections[0]?.rows ?? []);
  const column = (key: string) => rows.map((row) => row[keys.indexOf(key)]);
  expect(column('converted_cost_last_30_days')).toContain(4.71);
  expect(column('converted_currency')).toContain('USD');
});
