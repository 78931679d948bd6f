import type { Db } from '../../../kit/db.ts';
import type { Deps } from '../../../kit/deps.ts';
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
import type { Actor } from '../../../tenancy/audit/store.ts';
import { nameRule, parseName } from '../../../tenancy/login/input.ts';
import { orgScope, type OrgScope, requireAllAccounts, type Viewer } from '../../../tenancy/auth/scope.ts';
import { parseOwnProvider, providerRule } from '../../provider.ts';
import { parsePolicyRules, parseResourceTypes, resourceTypesRule, rulesRule, type TagPolicy } from './rule.ts';
import { countByPolicy, listAccountIds, policies } from './store.ts';

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
  shown: readonly Pick<TagPolicy, 'id' | 'enabled'>[],
): Promise<number[]> {
  const enabled = shown.filter((policy) => policy.enabled).map(({ id }) => id);
  const counts = await countByPolicy(db, scope, enabled);
  return shown.map(({ id }) => counts.get(id) ?? 0);
}

/** Returns for each of some policies whether the caller's accounts are still being evaluated after a change. A disabled policy
 *  is not evaluated. */
export async function areEvaluating(
  deps: Pick<Deps, 'db' | 'queue'>,
  scope: OrgScope,
  shown: readonly Pick<TagPolicy, 'enabled' | 'accountId'>[],
): Promise<boolean[]> {
  const pending = await listPending(deps, scope, await listAccountIds(deps.db, scope));
  return shown.map(
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
  const data = parseRecord(policyFields, input);
  return deps.db.$transaction(async (db) => {
    const made = await policies.add(db, { viewer, actor, now: deps.clock.now() }, data);
    await queueEvaluation(deps, db, viewer.scope, [made]);
    return made;
  });
}

/** Updates the given fields of a policy and queues a new evaluation of its resources.
 *  @throws {AppError} VALIDATION_ERROR when nothing is given, or naming the field; NOT_FOUND; FORBIDDEN for a policy of all
 *    accounts if the caller does not have access to all */
export async function updateTagPolicy(
  deps: PolicyDeps,
  viewer: Viewer,
  actor: Actor,
  { id, ifUnmodifiedSince, ...change }: PolicyChange & { readonly id: string },
): Promise<TagPolicy> {
  const data = parseChange(policyFields, change);
  return deps.db.$transaction(async (db) => {
    const before = await ownPolicy(db, viewer.scope, id);
    const by = { viewer, actor, now: deps.clock.now() };
    const after = await policies.change(db, by, before, { data, changed: Object.keys(data), ifUnmodifiedSince });
    await queueEvaluation(deps, db, viewer.scope, [before, after]);
    return after;
  });
}

/** Deletes a policy and its violations.
 *  @throws {AppError} NOT_FOUND; FORBIDDEN for a policy of all accounts if the caller does not have access to all */
export async function deleteTagPolicy(
  deps: Pick<Deps, 'db' | 'queue'>,
  { scope }: Viewer,
  actor: Actor,
  id: string,
): Promise<void> {
  await deps.db.$transaction(async (db) => {
    const policy = await ownPolicy(db, scope, id);
    await policies.remove(db, scope, actor, policy);
    await queueEvaluation(deps, db, scope, [policy]);
  });
}

/** Returns a policy that the caller can change: any visible one, except policies of all accounts without access to all.
 *  @throws {AppError} NOT_FOUND; FORBIDDEN for a policy of all accounts if the caller does not have access to all */
async function ownPolicy(db: Db, scope: OrgScope, id: string): Promise<TagPolicy> {
  const policy = await policies.lock(db, scope, id);
  if (policy.accountId === null) requireAllAccounts(scope, `Tag policy "${id}" applies to all accounts`);
  return policy;
}

/** Queues one evaluation for each account that a policy covered or covers. */
async function queueEvaluation(
  { queue }: Pick<Deps, 'queue'>,
  db: Db,
  scope: OrgScope,
  states: readonly TagPolicy[],
): Promise<void> {
  const named = states.map(({ accountId }) => accountId);
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
