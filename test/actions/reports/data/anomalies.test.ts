import { describe, expect, it } from 'vitest';
import { readAnomalies } from '../../../../src/actions/reports/data/anomalies.ts';
import { orgScope } from '../../../../src/tenancy/auth/scope.ts';
import { keepAnomaly } from '../../../analysis/anomalies/kept.ts';
import { accounts, aReportWorld } from '../world.ts';

const startDate = '2024-05-01';

async function reportOf(currencies: readonly string[]) {
  const { deps, organizationId } = await aReportWorld();
  for (const [index, currency] of currencies.entries()) {
    const owner = { organizationId, accountId: accounts.one, now: deps.clock.now() };
    await keepAnomaly(deps.db, owner, {
      facts: { currency, service: `Service ${index}`, startDate, endDate: startDate },
      expectedCost: 100,
      actualCost: 150,
    });
  }
  const report = { type: 'anomalies', startDate, endDate: '2024-05-12', filters: {} } as const;
  const scope = orgScope(organizationId, null);
  const hasOtherCurrencies = currencies.some((one) => one !== 'USD');
  const request = { deps, scope, report, currency: 'USD', hasOtherCurrencies, accountNames: new Map() };
  const { charts, summary, notes, sections } = await readAnomalies(request);
  const [table] = sections;
  const rows = await Array.fromAsync(table?.rows ?? []);
  const keys = table?.columns.map(({ key }) => key) ?? [];
  const column = (key: string) => rows.map((row) => row[keys.indexOf(key)]);
  return { charts, summary, notes, columns: table?.columns ?? [], column };
}

describe('an anomaly report in several currencies', () => {
  it('has the impact in the currency of the organization, too, and states its sum as the total', async () => {
    const { charts, summary, columns, column } = await reportOf(['EUR', 'USD']);
    expect([...column('impact'), ...column('currency')]).toEqual(expect.arrayContaining([50, 'EUR', 'USD']));
    expect(column('converted_impact').toSorted()).toEqual([50, 53.5]);
    expect(column('converted_actual_cost').toSorted()).toEqual([150, 160.5]);
    expect(column('converted_currency')).toEqual(['USD', 'USD']);
    expect(columns.find(({ key }) => key === 'converted_impact')).toMatchObject({ label: 'Impact', currency: 'USD' });
    expect(summary).toContainEqual({ label: 'Total impact', value: '$103.50' });
    expect(charts[0]).toMatchObject({ title: 'Impact by service', unit: { currency: 'USD' } });
    expect(charts[0]).toMatchObject({ items: [{ value: 53.5 }, { value: 50 }] });
  });

  it('excludes impacts without an exchange rate from the total, and says so', async () => {
    const { summary, notes, column } = await reportOf(['GBP', 'USD']);
    expect(column('converted_impact')).toEqual(expect.arrayContaining([null, 50]));
    expect(summary).toContainEqual({ label: 'Total impact', value: '$50.00' });
    expect(summary).toContainEqual({ label: 'Excluded (no exchange rate)', value: '£50.00' });
    expect(notes).toEqual([
      'Impacts of £50.00 are excluded from the total, because GBP has no exchange rate for these days.',
    ]);
  });

  it('has no converted amounts if there is only one currency', async () => {
    const { columns } = await reportOf(['USD']);
    expect(columns.filter(({ key }) => key.startsWith('converted'))).toEqual([]);
  });
});
