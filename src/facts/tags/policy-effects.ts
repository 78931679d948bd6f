import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import type { AuditAction } from '../../tenancy/audit/actions.ts';
import { writeAudit, type Actor } from '../../tenancy/audit/store.ts';
import { orgScope, type OrgScope } from '../../tenancy/auth/scope.ts';
import { listAccountIds } from './policy-store.ts';
import type { TagPolicy } from './rule.ts';

/** What was done to a policy. */
interface PolicyAct {
  readonly action: AuditAction;
  /** As it was and as it is. */
  readonly policies: readonly TagPolicy[];
  /** Fields that were changed. */
  readonly changed?: readonly string[];
}

/** As REST spells it. */
function snakeOf(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** One entry for each account that the policy was or is about: who may see that account only reads of that one alone. */
export async function recordPolicy(db: Db, actor: Actor, { action, policies, changed }: PolicyAct): Promise<void> {
  const about = new Map(policies.map((policy) => [policy.accountId, policy]));
  for (const [accountId, { id, name, rules, enabled }] of about) {
    const details = {
      name,
      enabled,
      keys: rules.map((rule) => rule.key),
      ...(changed && { changed: changed.map(snakeOf) }),
    };
    await writeAudit(db, actor, { action, resourceType: 'tag_policy', resourceId: id, accountId, details });
  }
}

/** Queues one evaluation for every account that a policy covered or covers. */
export async function queueEvaluation(
  { queue }: Pick<Deps, 'queue'>,
  db: Db,
  scope: OrgScope,
  policies: readonly TagPolicy[],
): Promise<void> {
  const named = policies.map(({ accountId }) => accountId);
  const accountIds = named.includes(null)
    ? await listAccountIds(db, orgScope(scope.organizationId, null))
    : new Set(named.filter((id) => id !== null));
  for (const accountId of accountIds) {
    await queue.add('evaluate_tags', { organizationId: scope.organizationId, accountId }, { within: db });
  }
}

/** Returns those of the accounts in which a change of policies is still to be evaluated. */
export async function listPending(
  { queue }: Pick<Deps, 'queue'>,
  { organizationId }: OrgScope,
  accountIds: readonly string[],
): Promise<Set<string>> {
  const jobs = accountIds.map((accountId) => ({ organizationId, accountId }));
  return new Set((await queue.pending('evaluate_tags', jobs)).map(({ accountId }) => accountId));
}
