import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { AppError, arg, fix, forbidden } from '../../kit/errors.ts';
import { isUuid, requireById } from '../../kit/ids.ts';
import { unknownAccount, type OrgScope } from '../../tenancy/auth/scope.ts';
import { findPolicy, listAccountIds, selectPoliciesById } from './policy-store.ts';
import type { TagPolicy } from './rule.ts';

/** A policy grants no more than its maker sees.
 *  @throws {AppError} VALIDATION_ERROR for an unknown account, and one outside the scope alike; FORBIDDEN for all accounts */
export async function checkAccount(db: Db, scope: OrgScope, accountId: string | null): Promise<void> {
  if (accountId === null) {
    if (scope.accountIds === null) return;
    throw forbidden`${arg('account_id')} is required for your policies because you have access to some accounts only${fix}set it to one of them`;
  }
  const known = scope.accountIds ?? (isUuid(accountId) ? await listAccountIds(db, scope) : []);
  if (!known.includes(accountId)) throw unknownAccount(arg('account_id', accountId));
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
export async function ownPolicy(db: Db, scope: OrgScope, id: string): Promise<TagPolicy> {
  const policy = await requireById('Tag policy', id, () => findPolicy(db, scope, id));
  if (policy.accountId !== null || scope.accountIds === null) return policy;
  throw forbidden`Tag policy "${id}" applies to all accounts, and you have access to some only${fix}ask an Admin with access to all accounts`;
}
