import { expect, it } from 'vitest';
import { readRecommendations } from '../../../../src/actions/reports/data/recommendations.ts';
import { remakeSums } from '../../../../src/analysis/recommendations/sums-store.ts';
import { inTransaction } from '../../../../src/kit/database/transaction.ts';
import { newId } from '../../../../src/kit/ids.ts';
import { orgScope } from '../../../../src/tenancy/auth/scope.ts';
import { accounts, aReportWorld } from '../world.ts';

it('counts recommendations of every status in the table, and only active ones in the key figure', async () => {
  const { deps, organizationId } = await aReportWorld();
  const now = deps.clock.now();
  for (const status of ['open', 'open', 'archived', 'applied'] as const) {
    const id = newId(now);
    await deps.db.recommendation.create({
      data: {
        id,
        organizationId,
        accountId: accounts.one,
        fingerprint: id,
        provider: 'aws',
        type: 'aws_eip_idle',
        title: 'Release it',
        description: 'Idle',
        nativeId: id,
        currency: 'USD',
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
  const request = { deps, scope, report, currency: 'USD', accountNames: new Map() };
  const { sections, summary } = await readRecommendations(request);
  const rows = await Array.fromAsync(sections[0]?.rows ?? []);
  expect([rows.length, sections[0]?.rowCount]).toEqual([4, 4]);
  expect(summary[0]).toEqual({ label: 'Recommendations', value: '2' });
});
