import { defineTask } from '../../jobs/task.ts';
import { orgScope } from '../../tenancy/auth/scope.ts';
import { performSync } from './perform.ts';
import { jitterOf } from './retry.ts';
import { listForSchedule, markQueued } from './store.ts';

/** Syncs one account. */
export const syncTask = defineTask('sync', (deps, { organizationId, accountId }, job) =>
  performSync(deps, orgScope(organizationId, null), accountId, job.signal),
);

/** Queues a sync of every connected account, spread over ten minutes for cloud accounts. Waiting retries keep their time. Also
 *  re-creates the job of a sync whose process died between marking it as queued and adding the job. */
export const syncAllTask = defineTask('sync_all', async (deps) => {
  const now = deps.clock.now();
  for (const { id, organizationId, syncStatus, retry, isRemote } of await listForSchedule(deps.db)) {
    if (syncStatus === 'running') continue;
    const scope = orgScope(organizationId, null);
    const isWaiting = syncStatus === 'queued' && retry !== null && retry.at > now;
    const at = isWaiting ? retry.at : isRemote ? new Date(now.getTime() + jitterOf(id)) : null;
    if (!isWaiting) await markQueued(deps.db, scope, id, { now, notBefore: at });
    await deps.queue.add('sync', { organizationId, accountId: id }, { ...(at && { runAt: at }) });
  }
});
