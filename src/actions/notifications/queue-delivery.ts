import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { queueNameOf } from './recipients.ts';
import type { WaitingDelivery } from './store.ts';

/** Hands a delivery to the workers, inside the caller's transaction. Each webhook has a queue of its own, so that one that
 *  hangs holds up nothing but its own messages.
 *  @param runAt not before this instant */
export async function queueDelivery(
  db: Db,
  deps: Pick<Deps, 'queue'>,
  organizationId: string,
  delivery: WaitingDelivery,
  runAt: Date,
): Promise<void> {
  const { id, channel } = delivery;
  const queueName = channel === 'slack' ? { queueName: queueNameOf(organizationId, delivery) } : {};
  const names = { jobKey: `deliver ${id}`, ...queueName };
  await deps.queue.add('deliver', { organizationId, deliveryId: id }, { ...names, runAt, within: db });
}
