import type { Db } from '../../../kit/db.ts';
import type { Deps } from '../../../kit/deps.ts';
import { fix, forbidden, invalid, notFound } from '../../../kit/errors/errors.ts';
import { requireById } from '../../../kit/ids.ts';
import {
  clearable,
  defaulted,
  given,
  parseChange,
  parseRecord,
  required,
  type RecordChange,
  type RecordInput,
} from '../../../kit/record-fields.ts';
import type { AuditAction } from '../../../tenancy/audit/actions.ts';
import { auditAbout, checkAccount, writeAbout } from '../../../tenancy/accounts/about.ts';
import type { Actor } from '../../../tenancy/audit/store.ts';
import { nameRule, parseName } from '../../../tenancy/login/input.ts';
import { orgScope, type OrgScope, type Viewer } from '../../../tenancy/auth/scope.ts';
import { parseOwnProvider, providerRule } from '../../provider.ts';
import {
  parsePolicyRules,
  parseResourceTypes,
  policyLimits,
  resourceTypesRule,
  rulesRule,
  type TagPolicy,
} from './rule.ts';
import {
  countByPolicy,
  countPolicies,
  deletePolicyRow,
  findPolicy,
  insertPolicy,
  listAccountIds,
  selectPoliciesById,
  updatePolicyRow,
} from './store.ts';

export { pagePolicies } from './store.ts';

type PolicyDeps = Pick<Deps, 'db' | 'clock' | 'queue'>;

/** The fields of a policy that clients set; it covers everything unless restricted. */
export const policyFields = {
  name: required(parseName, nameRule),
  rules: required(parsePolicyRules, rulesRule),
  provider: clearable(null, parseOwnProvider, providerRule),
  accountId: clearable(null, given<string>),
  resourceTypes: clearable([], parseResourceTypes, resourceTypesRule),
  enabled: defaulted(true, given<boolean>),
};

export type PolicyInput = RecordInput<typeof policyFields>;
export type PolicyChange = RecordChange<typeof policyFields>;

/** Counts violations of policies by resources in the caller's accounts; a disabled policy has none. */
export async function countViolations(
  { db }: Pick<Deps, 'db'>,
  scope: OrgScope,
  policies: readonly Pick<TagPolicy, 'id' | 'enabled'>[],
): Promise<number[]> {
  const enabled = policies.filter((policy) => policy.enabled).map(({ id }) => id);
  const counts = await countByPolicy(db, scope, enabled);
  return policies.map(({ id }) => counts.get(id) ?? 0);
}

/** Returns for each of some policies whether the caller's accounts are still being evaluated after a change. A disabled policy
 *  is not evaluated. */
export async function areEvaluating(
  deps: Pick<Deps, 'db' | 'queue'>,
  scope: OrgScope,
  policies: readonly Pick<TagPolicy, 'enabled' | 'accountId'>[],
): Promise<boolean[]> {
  const pending = await listPending(deps, scope, await listAccountIds(deps.db, scope));
  return policies.map(
    ({ enabled, accountId }) => enabled && (accountId === null ? pending.size > 0 : pending.has(accountId)),
  );
}

/** Creates a policy and queues an evaluation of the resources it covers.
 *  @throws {AppError} VALIDATION_ERROR naming the field; FORBIDDEN for a policy of all accounts if the caller does not have
 *    access to all */
export async function createTagPolicy(
  deps: PolicyDeps,
  viewer: Viewer,
  actor: Actor,
  input: PolicyInput,
): Promise<TagPolicy> {
  const { scope } = viewer;
  const values = parseRecord(policyFields, input);
  return writeAbout(values.accountId, () =>
    deps.db.$transaction(async (db) => {
      await checkAccount(db, scope, values.accountId, 'policies');
      if ((await countPolicies(db, scope)) >= policyLimits.policies)
        throw invalid`An organization can have at most ${policyLimits.policies} tag policies${fix}delete one first`;
      const made = await insertPolicy(db, scope, {
        ...values,
        createdById: viewer.userId,
        createdAt: deps.clock.now(),
      });
      await recordPolicy(db, actor, 'tag_policy_created', { states: [made] });
      await queueEvaluation(deps, db, scope, [made]);
      return made;
    }),
  );
}

/** Updates the given fields of a policy and queues a new evaluation of its resources.
 *  @throws {AppError} VALIDATION_ERROR when nothing is given, or naming the field; NOT_FOUND; FORBIDDEN for a policy of all
 *    accounts if the caller does not have access to all */
export async function updateTagPolicy(
  deps: PolicyDeps,
  viewer: Viewer,
  actor: Actor,
  { id, ...change }: PolicyChange & { readonly id: string },
): Promise<TagPolicy> {
  const { scope } = viewer;
  const changes = parseChange(policyFields, change);
  return writeAbout(changes.accountId ?? null, () =>
    deps.db.$transaction(async (db) => {
      const before = await ownPolicy(db, scope, id);
      if (changes.accountId !== undefined) await checkAccount(db, scope, changes.accountId, 'policies');
      if (!(await updatePolicyRow(db, scope, id, changes))) throw notFound('Tag policy', id);
      const after = { ...before, ...changes };
      const changed = Object.keys(changes);
      await recordPolicy(db, actor, 'tag_policy_updated', { states: [before, after], changed });
      await queueEvaluation(deps, db, scope, [before, after]);
      return after;
    }),
  );
}

/** Deletes a policy and its violations.
 *  @throws {AppError} NOT_FOUND; FORBIDDEN for a policy of all accounts if the caller does not have access to all */
export async function deleteTagPolicy(deps: PolicyDeps, viewer: Viewer, actor: Actor, id: string): Promise<void> {
  const { scope } = viewer;
  await deps.db.$transaction(async (db) => {
    const policy = await ownPolicy(db, scope, id);
    if (!(await deletePolicyRow(db, scope, id))) throw notFound('Tag policy', id);
    await recordPolicy(db, actor, 'tag_policy_deleted', { states: [policy] });
    await queueEvaluation(deps, db, scope, [policy]);
  });
}

/** Returns the selected fields of a policy in the caller's scope.
 *  @throws {AppError} NOT_FOUND for an unknown id, one of another organization, and one outside the scope alike */
export function readPolicy(
  { db }: Pick<Deps, 'db'>,
  scope: OrgScope,
  id: string,
  query: Parameters<typeof selectPoliciesById>[3],
) {
  return requireById('Tag policy', id, async () => (await selectPoliciesById(db, scope, [id], query))[0]);
}

/** Returns a policy that the caller can change: any visible one, except policies of all accounts without access to all.
 *  @throws {AppError} NOT_FOUND; FORBIDDEN for a policy of all accounts if the caller does not have access to all */
async function ownPolicy(db: Db, scope: OrgScope, id: string): Promise<TagPolicy> {
  const policy = await requireById('Tag policy', id, () => findPolicy(db, scope, id));
  if (policy.accountId !== null || scope.accountIds === null) return policy;
  throw forbidden`Tag policy "${id}" applies to all accounts, and you have access to some only${fix}ask an Admin with access to all accounts`;
}

async function recordPolicy(
  db: Db,
  actor: Actor,
  action: AuditAction,
  policies: { states: readonly TagPolicy[]; changed?: readonly string[] },
): Promise<void> {
  await auditAbout(db, actor, { action, resourceType: 'tag_policy', ...policies }, ({ name, rules, enabled }) => ({
    name,
    enabled,
    keys: rules.map((rule) => rule.key),
  }));
}

/** Queues one evaluation for each account that a policy covered or covers. */
async function queueEvaluation(
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

/** Returns the accounts in which a policy change is still to be evaluated. */
async function listPending(
  { queue }: Pick<Deps, 'queue'>,
  { organizationId }: OrgScope,
  accountIds: readonly string[],
): Promise<Set<string>> {
  const jobs = accountIds.map((accountId) => ({ organizationId, accountId }));
  return new Set((await queue.pending('evaluate_tags', jobs)).map(({ accountId }) => accountId));
}
