import type { Db } from '../kit/db.ts';
import type { Deps } from '../kit/deps.ts';

/** Queues the checks of an organization's spend against its budgets (`analysis/budgets`) and alert rules (`actions/alerts`).
 *  @param within the transaction that triggers the checks */
export async function queueChecks({ queue }: Pick<Deps, 'queue'>, organizationId: string, within?: Db): Promise<void> {
  for (const name of ['check_budgets', 'check_alert_rules'] as const)
    await queue.add(name, { organizationId }, { ...(within && { within }) });
}
