import { expect, it } from 'vitest';
import { detectors, recommendationTypes } from '../../../src/analysis/recommendations/detectors/all.ts';
import { remakeSums } from '../../../src/analysis/recommendations/sums-store.ts';
import { inTransaction } from '../../../src/kit/database/transaction.ts';
import { unknownWord } from '../../../src/kit/stored-word.ts';
import { orgScope } from '../../../src/tenancy/auth/scope.ts';
import { aTeam, invalid } from '../../tenancy/team.ts';

it('has a unique type per detector, none of which is the word for unknown types', () => {
  expect(Object.keys(recommendationTypes)).toHaveLength(detectors.length);
  expect(recommendationTypes).not.toHaveProperty(unknownWord);
});

/** A team with a recommendation of a known type and two of unknown types. */
async function aTeamWithOldTypes() {
  const team = await aTeam();
  const { organizationId, accounts, db, deps } = team;
  const now = deps.clock.now();
  const found = {
    organizationId,
    accountId: accounts.one,
    provider: 'aws',
    description: 'Idle',
    currency: 'USD',
    confidence: 'high',
    evidence: {},
    scripts: [],
    createdAt: now,
    updatedAt: now,
  };
  await db.recommendation.createMany({
    data: ['aws_eip_idle', 'aws_old', 'aws_older'].map((type, index) => ({
      ...found,
      type,
      title: type,
      fingerprint: type,
      estimatedMonthlySavings: 10 * (index + 1),
    })),
  });
  await inTransaction(deps.pool, (client) => remakeSums(client, orgScope(organizationId, null), accounts.one));
  return team;
}

it('reads recommendations of unknown types, and filters them as unknown', async () => {
  const team = await aTeamWithOldTypes();
  const list = async (query: string) => {
    const { status, body } = await team.rest('dan', 'GET', `/recommendations?sort_by=title${query}`);
    expect(status).toBe(200);
    return body.data.map(({ title, type }: Record<string, string>) => [title, type]);
  };
  const [idle, old, older] = [
    ['aws_eip_idle', 'aws_eip_idle'],
    ['aws_old', 'unknown'],
    ['aws_older', 'unknown'],
  ];
  expect(await list('')).toEqual([idle, old, older]);
  expect(await list('&type=unknown')).toEqual([old, older]);
  expect(await list('&type=aws_eip_idle')).toEqual([idle]);
  expect(await list('&type=aws_eip_idle,unknown')).toEqual([idle, old, older]);
  const { body } = await team.rest('dan', 'GET', '/recommendations/summary');
  expect(body.by_type).toEqual([
    { type: 'unknown', count: 2, estimated_monthly_savings: 50 },
    { type: 'aws_eip_idle', count: 1, estimated_monthly_savings: 10 },
  ]);
  expect(await team.rest('dan', 'GET', '/recommendations?type=aws_old')).toMatchObject(
    invalid(/^type must be one of aws_ami_orphan, /),
  );
});

it('has upper-case types in GraphQL, in answers and filters', async () => {
  const team = await aTeamWithOldTypes();
  const query = `{
    recommendations(type: [AWS_EIP_IDLE]) { data { type } }
    recommendationsSummary(type: [UNKNOWN]) { byType { type count } }
  }`;
  expect((await team.gql('dan', query)).body).toEqual({
    data: {
      recommendations: { data: [{ type: 'AWS_EIP_IDLE' }] },
      recommendationsSummary: { byType: [{ type: 'UNKNOWN', count: 2 }] },
    },
  });
});

it("keeps the types of a report's filters, and reads unknown ones", async () => {
  const team = await aTeamWithOldTypes();
  const input = { type: 'recommendations', format: 'csv', filters: { type: ['aws_eip_idle'] } };
  const { body: report } = await team.rest('ana', 'POST', '/reports', input);
  expect(report.filters.type).toEqual(['aws_eip_idle']);
  const filters = { type: ['aws_old', 'aws_eip_idle', 'aws_older'] };
  await team.db.report.update({ where: { id: report.id }, data: { filters }, select: { id: true } });
  const { body } = await team.rest('ana', 'GET', `/reports/${report.id}`);
  expect(body.filters.type).toEqual(['unknown', 'aws_eip_idle']);
  expect(await team.rest('ana', 'POST', '/reports', { ...input, filters: { type: ['nothing'] } })).toMatchObject(
    invalid(/^filters\.type\[0\] must be one of /),
  );
});
