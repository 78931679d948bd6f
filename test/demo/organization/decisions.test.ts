import { expect, it } from 'vitest';
import { decide } from '../../../src/demo/organization/decisions.ts';
import { demoOrigin } from '../../../src/demo/organization/tenant.ts';
import { remakeSums } from '../../../src/analysis/recommendations/sums-store.ts';
import { inTransaction } from '../../../src/kit/database/transaction.ts';
import { detectors } from '../../../src/analysis/recommendations/detectors/all.ts';
import { newId } from '../../../src/kit/ids.ts';
import { aTeam } from '../../tenancy/team.ts';

it('creates recommendations in progress, archived and snoozed, only once', async () => {
  const team = await aTeam();
  const now = team.deps.clock.now();
  const { organizationId, accounts } = team;
  await team.db.recommendation.createMany({
    data: detectors.map(({ type, provider }) => ({
      id: newId(now),
      organizationId,
      accountId: accounts.one,
      fingerprint: type,
      provider: provider ?? 'aws',
      type,
      title: type,
      description: '',
      currency: 'USD',
      estimatedMonthlySavings: 1,
      confidence: 'high',
      evidence: {},
      scripts: [],
      createdAt: now,
      updatedAt: now,
    })),
  });
  const { viewer } = await team.login('ana');
  await inTransaction(team.deps.pool, (client) => remakeSums(client, viewer.scope, accounts.one));
  const actor = { ...demoOrigin, organizationId, userId: viewer.userId, email: viewer.email };
  const before = (await team.recorded()).length;
  for (let time = 0; time < 2; time++) await decide(team.deps, viewer, actor);
  const rows = await team.db.recommendation.findMany({ where: { organizationId } });
  expect(rows.filter(({ status }) => status === 'in_progress')).toHaveLength(1);
  expect(rows.filter(({ status, statusReason }) => status === 'archived' && statusReason)).toHaveLength(1);
  expect(rows.filter(({ snoozedUntil }) => snoozedUntil !== null)).toHaveLength(1);
  expect(await team.recorded()).toHaveLength(before + 3);
});
