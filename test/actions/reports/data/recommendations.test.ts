import { expect, it } from 'vitest';
import { inWords } from '../../../../src/actions/reports/document.ts';
import { readRecommendations } from '../../../../src/actions/reports/data/recommendations.ts';
import { remakeSums } from '../../../../src/analysis/recommendations/sums-store.ts';
import { inTransaction } from '../../../../src/kit/database/transaction.ts';
import { newId } from '../../../../src/kit/ids.ts';
import { orgScope } from '../../../../src/tenancy/auth/scope.ts';
import { accounts, aReportWorld } from '../world.ts';

interface Kept {
  readonly status?: 'open' | 'archived' | 'applied';
  readonly currency?: string;
  readonly type?: string;
}

async function reportOf(kept: readonly Kept[]) {
  const { deps, organizationId } = await aReportWorld();
  const now = deps.clock.now();
  for (const { status = 'open', currency = 'USD', type = 'aws_eip_idle' } of kept) {
    const id = newId(now);
    await deps.db.recommendation.create({
      data: {
        id,
        organizationId,
        accountId: accounts.one,
        fingerprint: id,
        provider: 'aws',
        type,
        title: 'Release it',
        description: 'Idle',
        nativeId: id,
        currency,
        estimatedMonthlySavings: '10',
        confidence: 'high',
        status,
        evidence: {},
        scripts: [],
        createdAt: now,
        updatedAt: now,
      },
    });
  }
  const scope = orgScope(organizationId, null);
  await inTransaction(deps.pool, (client) => remakeSums(client, scope, accounts.one));
  const report = { type: 'recommendations', startDate: '2024-05-01', endDate: '2024-05-12', filters: {} } as const;
  const hasOtherCurrencies = kept.some(({ currency = 'USD' }) => currency !== 'USD');
  const request = { deps, scope, report, currency: 'USD', hasOtherCurrencies, accountNames: new Map() };
  const content = await readRecommendations(request);
  const document = { ...content, title: '', organization: '', currency: 'USD', period, generatedAt: now, filters: [] };
  const [table] = inWords(document).sections;
  const rows = await Array.fromAsync(table?.rows ?? []);
  const keys = table?.columns.map(({ key }) => key) ?? [];
  return { ...content, table, rows, column: (key: string) => rows.map((row) => row[keys.indexOf(key)]) };
}

const period = { start: '2024-05-01', end: '2024-05-12' } as const;

it('counts recommendations of every status in the table, and only active ones in the key figure', async () => {
  const { table, rows, summary } = await reportOf([{}, {}, { status: 'archived' }, { status: 'applied' }]);
  expect([rows.length, table?.rowCount]).toEqual([4, 4]);
  expect(summary[0]).toEqual({ label: 'Recommendations', value: '2' });
  expect(table?.columns.filter(({ key }) => key.startsWith('converted'))).toEqual([]);
});

it('has the savings in the currency of the organization, too, whose sum is the total', async () => {
  const { column, summary } = await reportOf([{}, { currency: 'EUR' }]);
  expect(column('estimated_monthly_savings')).toEqual([10, 10]);
  expect(column('currency').toSorted()).toEqual(['EUR', 'USD']);
  expect(column('converted_estimated_monthly_savings').toSorted()).toEqual([10, 10.7]);
  expect(column('converted_currency')).toEqual(['USD', 'USD']);
  expect(summary).toContainEqual({ label: 'Potential monthly savings', value: '$20.70' });
});

it('names types and providers as the console does', async () => {
  const { column, charts } = await reportOf([{ type: 'gcp_cloudsql_ha_nonprod' }, { type: 'reservation_unused' }]);
  expect(column('type').toSorted()).toEqual(['Non-production Cloud SQL standby', 'Unused reservation']);
  expect(column('provider')).toEqual(['AWS', 'AWS']);
  expect(charts[0]).toMatchObject({
    items: expect.arrayContaining([
      { label: 'Non-production Cloud SQL standby · Google Cloud', value: 10 },
      { label: 'Unused reservation', value: 10 },
    ]) as unknown,
  });
});
