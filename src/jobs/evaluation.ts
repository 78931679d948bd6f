import type { Db } from '../kit/db.ts';
import type { Deps } from '../kit/deps.ts';

/** The job key of an account's evaluation: one waits at most. */
export function evaluationJobKey(accountId: string): string {
  return `evaluate:${accountId}`;
}

/** The queue of an account's jobs, which run one after the other. */
export function accountQueue(accountId: string): string {
  return `sync:${accountId}`;
}

/** Queues what works out anew what follows from an account's bills and listing (`analysis/evaluation`). It waits its turn
 *  behind the account's sync. */
export async function queueEvaluation(
  deps: Pick<Deps, 'queue'>,
  organizationId: string,
  accountId: string,
): Promise<void> {
  const payload = { organizationId, accountId };
  const names = { jobKey: evaluationJobKey(accountId), queueName: accountQueue(accountId) };
  await deps.queue.add('evaluate', payload, { ...names, maxAttempts: 5 });
}

/** Queues what compares an organization's spend with what was set: its budgets (`analysis/budgets`) and its alert rules
 *  (`actions/alerts`). Of each one waits at most.
 *  @param within the transaction of the act that it follows from */
export async function queueChecks({ queue }: Pick<Deps, 'queue'>, organizationId: string, within?: Db): Promise<void> {
  for (const task of ['check_budgets', 'check_alert_rules'])
    await queue.add(task, { organizationId }, { jobKey: `${task}:${organizationId}`, ...(within && { within }) });
}
