import { refreshCoverage } from '../../facts/coverage/run.ts';
import { refreshInventory } from '../../facts/inventory/refresh.ts';
import { evaluateTags } from '../../facts/tags/evaluate.ts';
import { queueEvaluation } from '../../jobs/evaluation.ts';
import { inTransaction } from '../../kit/database/transaction.ts';
import type { Deps } from '../../kit/deps.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { evaluateRecommendations } from '../recommendations/run.ts';
import { isAccountThere, listAllAccounts, lockEvaluation, tidy } from './store.ts';

/** What an evaluation needs of the outside. */
export type EvaluationDeps = Pick<Deps, 'db' | 'pool' | 'clock' | 'log'>;

/** Resources of an account whose evaluation writes so much that lists should not wait for PostgreSQL's own round. */
const many = 10_000;

/** Works out anew what follows from an account's bills and listing: its inventory, then how its tags are used and which
 *  policies they break, then what could be saved. Each step reads what the one before wrote; doing it twice changes nothing.
 *  Two evaluations of one account wait for each other. An account that is gone has nothing to evaluate. */
export async function evaluateAccount(deps: EvaluationDeps, scope: OrgScope, accountId: string): Promise<void> {
  await refreshCoverage(deps, scope, accountId);
  const resources = await inTransaction(deps.pool, async (client) => {
    await lockEvaluation(client, accountId);
    if (!(await isAccountThere(deps.db, scope, accountId))) return 0;
    const count = await refreshInventory(deps, scope, accountId);
    await evaluateTags(deps, scope, accountId);
    await evaluateRecommendations(deps, scope, accountId);
    return count;
  });
  if (resources >= many) await tidy(deps.pool);
}

/** Queues an evaluation of every account: resources, violations and recommendations age without a new bill too. */
export async function queueEvaluations(deps: Pick<Deps, 'db' | 'queue'>): Promise<void> {
  for (const { id, organizationId } of await listAllAccounts(deps.db)) await queueEvaluation(deps, organizationId, id);
}
