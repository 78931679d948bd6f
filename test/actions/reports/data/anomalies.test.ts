import { describe, expect, it } from 'vitest';
import { readAnomalies } from '../../../../src/actions/reports/data/anomalies.ts';
import { orgScope } from '../../../../src/tenancy/auth/scope.ts';
import { keepAnomaly } from '../../../analysis/anomalies/kept.ts';
import { accounts, aReportWorld } from '../world.ts';

const startDate = '2024-05-01';

async function chartTitles(currencies: readonly string[]) {
  const { deps, organizationId } = await aReportWorld();
  for (const [index, currency] of currencies.entries()) {
    const owner = { organizationId, accountId: accounts.one, now: deps.clock.now() };
    await keepAnomaly(deps.db, owner, {
      facts: { currency, service: `Service ${index}`, startDate, endDate: startDate },
    });
  }
  const report = { type: 'anomalies', startDate, endDate: '2024-05-12', filters: {} } as const;
  const scope = orgScope(organizationId, null);
  const { charts } = await readAnomalies({ deps, scope, report, currency: 'USD', accountNames: new Map() });
  return charts.map(({ title }) => title);
}

describe('charts of an anomaly report', () => {
  it('state their currency if there are several', async () => {
    expect(await chartTitles(['USD', 'USD'])).toEqual(['Impact by service', 'Anomalies by severity']);
    expect(await chartTitles(['EUR', 'EUR', 'USD'])).toEqual([
      'Impact by service, in EUR only',
      'Anomalies by severity',
    ]);
  });
});
