import type { Prisma, TagPolicy as PolicyRow } from '../../../../prisma/generated/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { pageOfModel, type PageRequest, type Rows } from '../../../kit/page.ts';
import { parseSort, type SortBy } from '../../../kit/sort.ts';
import type { OrgScope } from '../../../tenancy/auth/scope.ts';
import { parseRules, type TagPolicy } from './rule.ts';

/** Sort fields of policies, in REST spelling. */
export const policySortFields = ['name', 'created_at'] as const;

/** Filters of a policy list; null means any. */
export interface PolicyQuery {
  readonly enabled?: boolean | null;
  readonly sortBy?: SortBy<typeof policySortFields> | null;
}

/** The values of a policy, without its creator and timestamps. */
export type PolicyValues = Pick<TagPolicy, 'name' | 'rules' | 'provider' | 'accountId' | 'resourceTypes' | 'enabled'>;

/** Restricts every read to the organization's policies that cover all accounts or an account in the caller's scope. */
function visible(scope: OrgScope): Prisma.TagPolicyWhereInput {
  const { organizationId, accountIds } = scope;
  if (accountIds === null) return { organizationId };
  return { organizationId, OR: [{ accountId: null }, { accountId: { in: [...accountIds] } }] };
}

/** Returns a page of selected policies in the scope, newest first by default. */
export function pagePolicies(
  { db }: { readonly db: Db },
  scope: OrgScope,
  { enabled, sortBy }: PolicyQuery,
  page: PageRequest & { select: { id: true } },
): Rows {
  const where = { AND: [visible(scope), typeof enabled === 'boolean' ? { enabled } : {}] };
  return pageOfModel<Prisma.TagPolicyWhereInput>(db.tagPolicy, where, parseSort(sortBy, policySortFields), page);
}

/** Returns selected policies by id in the scope. */
export function selectPoliciesById(
  db: Db,
  scope: OrgScope,
  ids: readonly string[],
  query: Pick<Prisma.TagPolicyDefaultArgs, 'select' | 'include'>,
) {
  return db.tagPolicy.findMany({ ...query, where: { AND: [visible(scope), { id: { in: [...ids] } }] } });
}

/** Returns a policy in the scope, or null. */
export async function findPolicy(db: Db, scope: OrgScope, id: string): Promise<TagPolicy | null> {
  const row = await db.tagPolicy.findFirst({ where: { AND: [visible(scope), { id }] } });
  return row && policyOf(row);
}

/** Returns the enabled policies in the scope, by name: violations of others are not shown. */
export async function enabledPolicies(db: Db, scope: OrgScope): Promise<TagPolicy[]> {
  const where = { AND: [visible(scope), { enabled: true }] };
  const rows = await db.tagPolicy.findMany({ where, orderBy: [{ name: 'asc' }, { id: 'asc' }] });
  return rows.map(policyOf);
}

/** Counts the organization's policies, inside or outside the scope. */
export async function countPolicies(db: Db, scope: OrgScope): Promise<number> {
  return db.tagPolicy.count({ where: { organizationId: scope.organizationId } });
}

export async function insertPolicy(
  db: Db,
  scope: OrgScope,
  values: PolicyValues & Pick<TagPolicy, 'createdById' | 'createdAt'>,
): Promise<TagPolicy> {
  const { rules, resourceTypes, ...data } = values;
  const stored = { rules: rules.map(storedRule), resourceTypes: [...resourceTypes] };
  const row = await db.tagPolicy.create({
    data: { ...data, ...stored, organizationId: scope.organizationId },
  });
  return policyOf(row);
}

/** Updates a policy in the scope.
 *  @returns false if it is gone */
export async function updatePolicyRow(
  db: Db,
  scope: OrgScope,
  id: string,
  { rules, resourceTypes, ...changes }: Partial<PolicyValues>,
): Promise<boolean> {
  const { count } = await db.tagPolicy.updateMany({
    where: { AND: [visible(scope), { id }] },
    data: {
      ...changes,
      ...(rules && { rules: rules.map(storedRule) }),
      ...(resourceTypes && { resourceTypes: [...resourceTypes] }),
    },
  });
  return count > 0;
}

/** Deletes a policy.
 *  @returns false if it is already gone */
export async function deletePolicyRow(db: Db, scope: OrgScope, id: string): Promise<boolean> {
  const { count } = await db.tagPolicy.deleteMany({ where: { AND: [visible(scope), { id }] } });
  return count > 0;
}

/** Returns the ids of the accounts in the scope. */
export async function listAccountIds(db: Db, { organizationId, accountIds }: OrgScope): Promise<string[]> {
  const where = { organizationId, ...(accountIds && { id: { in: [...accountIds] } }) };
  const rows = await db.account.findMany({ where, select: { id: true }, orderBy: { id: 'asc' } });
  return rows.map(({ id }) => id);
}

/** Counts each policy's violations in the accounts of the scope; policies without any are absent. */
export async function countByPolicy(db: Db, scope: OrgScope, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await db.tagViolationCount.groupBy({
    by: ['policyId'],
    where: {
      organizationId: scope.organizationId,
      ...(scope.accountIds && { accountId: { in: [...scope.accountIds] } }),
      policyId: { in: [...ids] },
    },
    _sum: { violations: true },
  });
  return new Map(rows.map(({ policyId, _sum }) => [policyId, _sum.violations ?? 0]));
}

function storedRule(rule: TagPolicy['rules'][number]): Prisma.InputJsonObject {
  return { ...rule, allowedValues: [...rule.allowedValues] };
}

function policyOf(row: PolicyRow): TagPolicy {
  return { ...row, rules: parseRules(row.rules) };
}
