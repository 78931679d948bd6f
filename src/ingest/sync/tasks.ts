import { z } from 'zod';
import { defineTask } from '../../jobs/task.ts';
import { orgScope } from '../../tenancy/auth/scope.ts';
import { enqueue } from '../accounts/run.ts';
import { listForSchedule } from '../accounts/store.ts';
import { performSync } from './perform.ts';
import { markQueued } from './store.ts';

/** Syncs one account. */
export const syncTask = defineTask({
  name: 'sync',
  input: z.object({ organizationId: z.string(), accountId: z.string() }),
  run: (deps, { organizationId, accountId }, job) =>
    performSync(deps, orgScope(organizationId, null), accountId, job.signal),
});

/** Queues a sync of every connected account. A sync that was queued without its job, because the process died between the
 *  two, gets its job here. */
export const syncAllTask = defineTask({
  name: 'sync_all',
  input: z.object({}).loose(),
  async run(deps) {
    for (const account of await listForSchedule(deps.db)) {
      const scope = orgScope(account.organizationId, null);
      if (account.syncStatus !== 'running') {
        await markQueued(deps.db, scope, account.id, deps.clock.now());
        await enqueue(deps, scope, account.id);
      }
    }
  },
});
