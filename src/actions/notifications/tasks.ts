import { z } from 'zod';
import { defineTask } from '../../jobs/task.ts';
import { deliver } from './deliver.ts';
import { deleteDeliveriesBefore } from './delivery-store.ts';
import { deliveryTasks } from './queue-delivery.ts';

const input = z.object({ organizationId: z.uuid(), deliveryId: z.uuid() });

/** Makes one attempt at a mail. */
export const deliverEmailTask = defineTask({
  name: deliveryTasks.email,
  lane: 'mail',
  input,
  run: (deps, of, { runAt }) => deliver(deps, { ...of, runAt }),
});

/** Makes one attempt at a chat message. */
export const deliverSlackTask = defineTask({
  name: deliveryTasks.slack,
  lane: 'chat',
  input,
  run: (deps, of, { runAt }) => deliver(deps, { ...of, runAt }),
});

const keptMs = 90 * 86_400_000;

/** Forgets deliveries after 90 days, as the audit log does. What they told is remembered where it was found. */
export const deliveryRetentionTask = defineTask({
  name: 'delivery_retention',
  input: z.object({}).loose(),
  async run(deps, _input, job) {
    const deleted = await deleteDeliveriesBefore(deps.db, new Date(job.runAt.getTime() - keptMs));
    deps.log.info({ deleted }, 'Old deliveries were deleted');
  },
});
