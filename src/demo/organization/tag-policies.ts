import { createTagPolicy, pagePolicies, type PolicyInput } from '../../facts/tags/policies/policies.ts';
import type { Deps } from '../../kit/deps.ts';
import type { Actor } from '../../tenancy/audit/store.ts';
import type { Viewer } from '../../tenancy/auth/scope.ts';

/** The sample organization's tag policies: some are followed almost everywhere, some are not. */
const demoTagPolicies: readonly PolicyInput[] = [
  {
    name: 'Team and environment on every resource',
    rules: [{ key: 'team' }, { key: 'env', allowedValues: ['prod', 'staging', 'dev', 'test'], caseSensitive: true }],
  },
  {
    name: 'Valid cost center',
    rules: [{ key: 'cost_center', pattern: 'CC-[1-4]\\d{3}', caseSensitive: true }],
  },
  {
    name: 'Names of AWS instances and volumes',
    rules: [{ key: 'Name' }],
    provider: 'aws',
    resourceTypes: ['Instance', 'Volume'],
  },
];

/** Creates the sample's tag policies in an organization without any. */
export async function writeTagPolicies(
  deps: Pick<Deps, 'db' | 'clock' | 'queue'>,
  viewer: Viewer,
  actor: Actor,
): Promise<void> {
  const { total } = await pagePolicies(deps, viewer.scope, {}, { skip: 0, take: 1, select: { id: true } });
  if (total > 0) return;
  for (const policy of demoTagPolicies) await createTagPolicy(deps, viewer, actor, policy);
}
