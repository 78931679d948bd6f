import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import type { Channel } from './recipients.ts';
import type { WaitingDelivery } from './store.ts';

/** The job of each channel. */
export const deliveryTasks = { email: 'deliver_email', slack: 'deliver_slack' } as const satisfies Record<
  Channel,
  string
>;

/** Hands a delivery to the workers, inside the caller's transaction. Each webhook has a queue of its own, so that one that
 *  hangs holds up nothing but its own messages.
 *  @param runAt not before this instant */
export async function queueDelivery(
  db: Db,
  deps: Pick<Deps, 'queue'>,
  { id, organizationId, channel, recipient }: WaitingDelivery,
  runAt: Date,
): Promise<void> {
  const payload = { organizationId, deliveryId: id };
  // Of slack the recipient is a user, whose webhook it is.
  const queueName = channel === 'slack' ? { queueName: `slack:${organizationId}:${recipient}` } : {};
  await deps.queue.add(deliveryTasks[channel], payload, { jobKey: `deliver ${id}`, runAt, within: db, ...queueName });
}
