import type { Db } from '../../kit/db.ts';
import { arg, fix, forbidden } from '../../kit/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import { unknownAccount, type OrgScope } from '../auth/scope.ts';
import { knownAccounts, type AccountAccess } from './store.ts';

/** Reads the accounts that a member is to see, as the caller may grant them: who sees some accounts only grants no more
 *  than those, and an account that they may not know of is unknown.
 *  @param wanted null for all accounts
 *  @throws {AppError} VALIDATION_ERROR naming the id; FORBIDDEN for all accounts from who does not see all */
export async function parseAccess(db: Db, scope: OrgScope, wanted: AccountAccess): Promise<AccountAccess> {
  if (wanted === null) {
    if (scope.accountIds === null) return null;
    throw forbidden`${arg('account_access')} cannot grant access to all accounts because you have access to some only${fix}list accounts of yours`;
  }
  const known = await knownAccounts(db, scope, wanted.filter(isUuid));
  wanted.forEach((id, index) => {
    if (!known.has(id)) throw unknownAccount(arg(`account_access[${index}]`, id));
  });
  return [...new Set(wanted)].sort();
}
