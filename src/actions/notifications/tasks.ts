import { defineTask } from '../../jobs/task.ts';
import { deliver } from './deliver.ts';
import { deleteDeliveriesBefore } from './store.ts';

/** Makes one attempt at a mail. */
export const deliverEmailTask = defineTask('deliver_email', (deps, of, { runAt }) => deliver(deps, { ...of, runAt }));

/** Makes one attempt at a chat message. */
export const deliverSlackTask = defineTask('deliver_slack', (deps, of, { runAt }) => deliver(deps, { ...of, runAt }));

const keptMs = 90 * 86_400_000;

/** Forgets deliveries after 90 days, as the audit log does. What they told is remembered where it was found. */
export const deliveryRetentionTask = defineTask('delivery_retention', async (deps, _input, job) => {
  const deleted = await deleteDeliveriesBefore(deps.db, new Date(job.runAt.getTime() - keptMs));
  deps.log.info({ deleted }, 'Old deliveries were deleted');
});
