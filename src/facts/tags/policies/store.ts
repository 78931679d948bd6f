import type { Prisma, TagPolicy as PolicyRow } from '../../../../prisma/generated/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import type { PageRequest, Rows } from '../../../kit/page.ts';
import { parseSort, type SortBy } from '../../../kit/sort.ts';
import { Records } from '../../../tenancy/accounts/about.ts';
import type { OrgScope } from '../../../tenancy/auth/scope.ts';
import { parseRules, policyLimits, type TagPolicy } from './rule.ts';

/** Sort fields of policies, in REST spelling. */
export const policySortFields = ['name', 'created_at'] as const;

/** Filters of a policy list; null means any. */
export interface PolicyQuery {
  readonly enabled?: boolean | null;
  readonly sortBy?: SortBy<typeof policySortFields> | null;
}

/** Restricts every read to the organization's policies that cover all accounts or an account in the caller's scope. */
function visible(scope: OrgScope): Prisma.TagPolicyWhereInput {
  const { organizationId, accountIds } = scope;
  if (accountIds === null) return { organizationId };
  return { organizationId, OR: [{ accountId: null }, { accountId: { in: [...accountIds] } }] };
}

/** The policies of organizations. */
export const policies = new Records<PolicyRow, TagPolicy>({
  noun: 'Tag policy',
  plural: 'tag policies',
  resourceType: 'tag_policy',
  limit: policyLimits.policies,
  model: (db) => db.tagPolicy,
  visible,
  parse: policyOf,
  details: ({ name, rules, enabled }) => ({ name, enabled, keys: rules.map(({ key }) => key) }),
});

/** Returns a page of selected policies in the scope, newest first by default. */
export function pagePolicies(
  { db }: { readonly db: Db },
  scope: OrgScope,
  { enabled, sortBy }: PolicyQuery,
  page: PageRequest & { select: { id: true } },
): Rows {
  const sort = parseSort(sortBy, policySortFields);
  return policies.page(db, scope, { filters: [{ enabled: enabled ?? undefined }], sort }, page);
}

/** Returns the enabled policies in the scope, by name: violations of others are not shown. */
export async function enabledPolicies(db: Db, scope: OrgScope): Promise<TagPolicy[]> {
  const where = { AND: [visible(scope), { enabled: true }] };
  const rows = await db.tagPolicy.findMany({ where, orderBy: [{ name: 'asc' }, { id: 'asc' }] });
  return rows.map(policyOf);
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

function policyOf(row: PolicyRow): TagPolicy {
  return { ...row, rules: parseRules(row.rules) };
}
