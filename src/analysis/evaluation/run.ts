import { refreshInventory } from '../../facts/inventory/refresh.ts';
import type { Deps } from '../../kit/deps.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';

/** What an evaluation needs of the outside. */
export type EvaluationDeps = Pick<Deps, 'db' | 'pool' | 'clock' | 'log'>;

/** Works out anew what follows from an account's bills and listing: its inventory, then how its tags are used and which
 *  policies they break, then what could be saved. Each step reads what the one before wrote; doing it twice changes nothing. */
export async function evaluateAccount(deps: EvaluationDeps, scope: OrgScope, accountId: string): Promise<void> {
  await refreshInventory(deps, scope, accountId);
}
