import { defineTask } from '../../jobs/task.ts';
import { deliver } from './deliver.ts';
import { deleteDeliveriesBefore } from './store.ts';

/** Makes one attempt to send an email. */
export const deliverEmailTask = defineTask('deliver_email', (deps, of, { runAt }) => deliver(deps, { ...of, runAt }));

/** Makes one attempt to post a chat message. */
export const deliverSlackTask = defineTask('deliver_slack', (deps, of, { runAt }) => deliver(deps, { ...of, runAt }));

const keptMs = 90 * 86_400_000;

/** Deletes deliveries after 90 days, the same as the audit log. Deduplication does not depend on them: sources record what
 *  was announced. */
export const deliveryRetentionTask = defineTask('delivery_retention', async (deps, _input, job) => {
  const deleted = await deleteDeliveriesBefore(deps.db, new Date(job.runAt.getTime() - keptMs));
  deps.log.info({ deleted }, 'Old deliveries were deleted');
});
