import { accountQueue } from '../../jobs/evaluation.ts';
import type { Deps } from '../../kit/deps.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';

/** The job key of an account's sync: one at a time. */
export function syncJobKey(accountId: string): string {
  return `sync:${accountId}`;
}

/** Puts the sync's job into the queue, in place of one that waits. Attempts are many because only an interruption uses one up.
 *  @param runAt not before this instant; now by default */
export async function enqueue(
  deps: Pick<Deps, 'queue'>,
  { organizationId }: Pick<OrgScope, 'organizationId'>,
  accountId: string,
  runAt?: Date,
): Promise<void> {
  await deps.queue.add(
    'sync',
    { organizationId, accountId },
    { jobKey: syncJobKey(accountId), queueName: accountQueue(accountId), maxAttempts: 25, ...(runAt && { runAt }) },
  );
}
