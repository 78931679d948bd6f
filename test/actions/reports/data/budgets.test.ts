import { expect, it } from 'vitest';
import { readBudgets } from '../../../../src/actions/reports/data/budgets.ts';
import { orgScope } from '../../../../src/tenancy/auth/scope.ts';
import { aReportWorld } from '../world.ts';

const report = { type: 'budgets', startDate: '2024-05-01', endDate: '2024-05-12', filters: {} } as const;

/** The report on a budget below and one above the costs, whose charges are in USD, EUR and JPY. */
async function readReport({ hasRates }: { hasRates: boolean }) {
  const { as, deps, organizationId } = await aReportWorld();
  if (!hasRates) await deps.pool.query('DELETE FROM exchange_rates');
  await as('ana', 'POST', '/budgets', { name: 'Small', amount: 1 });
  await as('ana', 'POST', '/budgets', { name: 'Large', amount: 9_000_000 });
  const request = { deps, scope: orgScope(organizationId, null), report, currency: 'USD', accountNames: new Map() };
  const { sections, summary, notes } = await readBudgets(request);
  const [table] = sections;
  const keys = table?.columns.map(({ key }) => key) ?? [];
  const rows = await Array.fromAsync(table?.rows ?? []);
  return {
    rows: rows.map((row) => ['name', 'projected_status', 'excluded'].map((key) => row[keys.indexOf(key)])),
    counts: summary.map(({ label, value }) => `${label}: ${value}`),
    notes: notes.join('\n'),
  };
}

it('counts budgets whose costs are all converted as within budget', async () => {
  const { rows, counts, notes } = await readReport({ hasRates: true });
  expect(rows).toEqual([
    ['Small', 'exceeded', null],
    ['Large', 'ok', null],
  ]);
  expect(counts).toEqual(['Budgets: 2', 'Exceeded: 1', 'Warning: 0', 'At risk: 0', 'Within budget: 1']);
  expect(notes).not.toContain('Excluded costs');
});

it('reports budgets that exclude costs without an exchange rate as incomplete, and names these costs', async () => {
  const { rows, counts, notes } = await readReport({ hasRates: false });
  const excluded = expect.stringMatching(/^-?€[\d.,]+, -?¥[\d.,]+$/);
  expect(rows).toEqual([
    ['Small', 'exceeded', excluded],
    ['Large', 'incomplete', excluded],
  ]);
  expect(counts).toEqual([
    'Budgets: 2',
    'Exceeded: 1',
    'Warning: 0',
    'At risk: 0',
    'Within budget: 0',
    'Incomplete: 1',
  ]);
  expect(notes).toContain('Excluded costs are not part of the other figures');
});
