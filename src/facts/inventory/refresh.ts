import type { Deps } from '../../kit/deps.ts';
import { dayOf } from '../../kit/time/period.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { readThenWrite, type ReadAccount } from '../consistent.ts';
import { copyFacts, removeStaged, stageFacts } from '../staged.ts';
import { billedTables } from './billed.ts';
import { refreshResources } from './refresh-store.ts';

/** Refreshes an account's inventory from its bills and its latest listing.
 *  @returns the number of resources, including gone ones */
export async function refreshInventory(
  deps: Pick<Deps, 'pool' | 'engine' | 'clock'>,
  scope: OrgScope,
  accountId: string,
): Promise<number> {
  const now = deps.clock.now();
  const lastOf = ({ completeThrough }: ReadAccount) => completeThrough ?? dayOf(now);
  const resources = await readThenWrite(deps, scope, accountId, {
    read: (account) => stageFacts(deps, scope, accountId, billedTables(lastOf(account))),
    async write(client, staged, account) {
      await copyFacts(client, staged);
      return refreshResources(client, scope, { ...account, last: lastOf(account), now });
    },
    done: removeStaged,
  });
  return resources ?? 0;
}
