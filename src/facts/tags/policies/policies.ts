import type { Db } from '../../../kit/db.ts';
import type { Deps } from '../../../kit/deps.ts';
import { fix, forbidden, invalid, notFound } from '../../../kit/errors.ts';
import { unchanged, notNull } from '../../../kit/refusals.ts';
import { requireById } from '../../../kit/ids.ts';
import type { PageRequest } from '../../../kit/page.ts';
import { parseSort, type SortBy } from '../../../kit/sort.ts';
import type { AuditAction } from '../../../tenancy/audit/actions.ts';
import { auditAbout, checkAccount, writeAbout } from '../../../tenancy/accounts/about.ts';
import type { Actor } from '../../../tenancy/audit/store.ts';
import { parseName } from '../../../tenancy/login/input.ts';
import { orgScope, type OrgScope, type Viewer } from '../../../tenancy/auth/scope.ts';
import { parseProviderOrNull } from '../../provider.ts';
import { parsePolicyRules, parseResourceTypes, policyLimits, type RuleInput, type TagPolicy } from './rule.ts';
import {
  countByPolicy,
  countPolicies,
  deletePolicyRow,
  findPolicy,
  insertPolicy,
  listAccountIds,
  policySortFields,
  selectPolicies,
  selectPoliciesById,
  updatePolicyRow,
  type PolicyValues,
} from './store.ts';

type PolicyDeps = Pick<Deps, 'db' | 'clock' | 'queue'>;

/** What makes a policy; what may be left out is about everything. */
export interface PolicyInput {
  readonly name: string;
  readonly rules: readonly RuleInput[];
  readonly provider?: string | null;
  readonly accountId?: string | null;
  readonly resourceTypes?: readonly string[] | null;
  readonly enabled?: boolean | null;
}

/** What changes of a policy; what is absent stays, null clears what may be absent. */
export interface PolicyChange extends Omit<Partial<PolicyInput>, 'name' | 'rules'> {
  readonly id: string;
  readonly name?: string | null;
  readonly rules?: readonly RuleInput[] | null;
}

/** Which policies a list shows. */
export interface PolicyQuery {
  readonly enabled?: boolean | null;
  readonly sortBy?: SortBy<typeof policySortFields> | null;
}

/** A page of the policies that the caller sees, as far as they are selected, newest first. */
export async function pagePolicies(
  deps: Pick<Deps, 'db'>,
  scope: OrgScope,
  query: PolicyQuery,
  page: PageRequest & { select: { id: true } },
): Promise<{ rows: { id: string }[]; total: number }> {
  const sort = parseSort(query.sortBy, policySortFields);
  return selectPolicies(deps.db, scope, { enabled: query.enabled ?? null, sort }, page);
}

/** How often resources of the caller's accounts break each of some policies: never while a policy is disabled. */
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

/** Makes a policy; the resources that it is about are judged soon after.
 *  @throws {AppError} VALIDATION_ERROR naming the field; FORBIDDEN for all accounts from who does not see all */
export async function createTagPolicy(
  deps: PolicyDeps,
  viewer: Viewer,
  actor: Actor,
  input: PolicyInput,
): Promise<TagPolicy> {
  const { scope } = viewer;
  const values = {
    name: parseName(input.name, 'name'),
    rules: parsePolicyRules(input.rules),
    provider: parseProviderOrNull(input.provider ?? null),
    accountId: input.accountId ?? null,
    resourceTypes: parseResourceTypes(input.resourceTypes ?? []),
    enabled: input.enabled ?? true,
  };
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

/** Changes what is named of a policy; its resources are judged anew soon after.
 *  @throws {AppError} VALIDATION_ERROR when nothing is named, or naming the field; NOT_FOUND; FORBIDDEN for a policy of all
 *  accounts from who does not see all */
export async function updateTagPolicy(
  deps: PolicyDeps,
  viewer: Viewer,
  actor: Actor,
  { id, ...change }: PolicyChange,
): Promise<TagPolicy> {
  const { scope } = viewer;
  const changes = parseChange(change);
  if (Object.keys(changes).length === 0)
    throw unchanged('name', 'rules', 'provider', 'account_id', 'resource_types', 'enabled');
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

/** Deletes a policy, and with it its violations.
 *  @throws {AppError} NOT_FOUND; FORBIDDEN for a policy of all accounts from who does not see all */
export async function deleteTagPolicy(deps: PolicyDeps, viewer: Viewer, actor: Actor, id: string): Promise<void> {
  const { scope } = viewer;
  await deps.db.$transaction(async (db) => {
    const policy = await ownPolicy(db, scope, id);
    if (!(await deletePolicyRow(db, scope, id))) throw notFound('Tag policy', id);
    await recordPolicy(db, actor, 'tag_policy_deleted', { states: [policy] });
    await queueEvaluation(deps, db, scope, [policy]);
  });
}

function parseChange(change: Omit<PolicyChange, 'id'>): Partial<PolicyValues> {
  for (const field of ['name', 'rules', 'enabled'] as const) if (change[field] === null) throw notNull(field);
  const { name, rules, provider, accountId, resourceTypes, enabled } = change;
  return {
    ...(typeof name === 'string' && { name: parseName(name, 'name') }),
    ...(rules && { rules: parsePolicyRules(rules) }),
    ...(provider !== undefined && { provider: parseProviderOrNull(provider) }),
    ...(accountId !== undefined && { accountId }),
    ...(resourceTypes !== undefined && { resourceTypes: parseResourceTypes(resourceTypes ?? []) }),
    ...(typeof enabled === 'boolean' && { enabled }),
  };
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

/** A policy that the caller may change: all they see, but for those of accounts that they do not.
 *  @throws {AppError} NOT_FOUND; FORBIDDEN for a policy of all accounts from who does not see all */
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

/** Queues one evaluation for every account that a policy covered or covers. */
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

/** Returns those of the accounts in which a change of policies is still to be evaluated. */
async function listPending(
  { queue }: Pick<Deps, 'queue'>,
  { organizationId }: OrgScope,
  accountIds: readonly string[],
): Promise<Set<string>> {
  const jobs = accountIds.map((accountId) => ({ organizationId, accountId }));
  return new Set((await queue.pending('evaluate_tags', jobs)).map(({ accountId }) => accountId));
}
