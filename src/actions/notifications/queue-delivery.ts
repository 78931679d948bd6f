import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import type { WaitingDelivery } from './store.ts';

/** Hands a delivery to the workers, inside the caller's transaction.
 *  @param runAt earliest time */
export async function queueDelivery(
  db: Db,
  deps: Pick<Deps, 'queue'>,
  { id, organizationId, channel, recipient }: WaitingDelivery,
  runAt: Date,
): Promise<void> {
  const payload = { organizationId, deliveryId: id };
  const options = { runAt, within: db };
  if (channel === 'email') await deps.queue.add('deliver_email', payload, options);
  // The recipient is the user who has the webhook.
  else await deps.queue.add('deliver_slack', { ...payload, userId: recipient }, options);
}
