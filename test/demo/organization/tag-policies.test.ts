import { expect, it } from 'vitest';
import { aws } from '../../../src/sample/aws/cloud.ts';
import { listingOf } from '../../../src/sample/inventory/listing.ts';
import { writeTagPolicies } from '../../../src/demo/organization/tag-policies.ts';
import { demoOrigin } from '../../../src/demo/organization/tenant.ts';
import { fillInventory } from '../../facts/tags/world.ts';
import { runJobs } from '../../support/jobs.ts';
import { aTeam } from '../../tenancy/team.ts';

it('creates three tag policies with violations, only once', async () => {
  const team = await aTeam();
  const { deps, organizationId, accounts } = team;
  const { viewer } = await team.login('ana');
  const actor = { ...demoOrigin, organizationId, userId: viewer.userId, email: viewer.email };
  const owned = listingOf(aws, '2026-11-21').map(({ nativeId, resourceType, tags }) => ({
    account: accounts.one,
    name: nativeId,
    resourceType,
    tags,
  }));
  await fillInventory(deps.pool, organizationId, owned);
  await writeTagPolicies(deps, viewer, actor);
  await writeTagPolicies(deps, viewer, actor);
  await runJobs(deps, team.jobs);
  const { body } = await team.rest('dan', 'GET', '/tag-policies');
  const counts = body.data.map((policy: { violation_count: number }) => policy.violation_count);
  expect(counts).toHaveLength(3);
  for (const count of counts) expect(count).toBeGreaterThan(0);
});
