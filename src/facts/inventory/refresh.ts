import type { Deps } from '../../kit/deps.ts';
import { inTransaction } from '../../kit/database/transaction.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { refreshResources } from './refresh-store.ts';

/** Makes an account's inventory anew from its bills and its latest listing.
 *  @returns how many resources it has, gone ones included */
export async function refreshInventory(
  deps: Pick<Deps, 'pool' | 'clock'>,
  scope: OrgScope,
  accountId: string,
): Promise<number> {
  return inTransaction(deps.pool, (client) => refreshResources(client, scope, { accountId, now: deps.clock.now() }));
}
