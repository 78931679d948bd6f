import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { queueDelivery, insertDeliveries, membersToNotify } from './store.ts';
import { copiesFor, type Announcement, type Recipients } from './announcement.ts';

/** Queues notifications by email and chat: one delivery per copy, in the caller's transaction, so that they are sent if and
 *  only if it commits. Idempotent: `subjectKey` is delivered to each recipient only once, even with concurrent workers.
 *  @param db the caller's transaction */
export async function announce(
  db: Db,
  deps: Pick<Deps, 'queue' | 'clock'>,
  organizationId: string,
  { announcement, recipients }: { readonly announcement: Announcement; readonly recipients: Recipients },
): Promise<void> {
  const members = await membersToNotify(db, organizationId, recipients);
  const copies = copiesFor(announcement.kind, recipients, members);
  const now = deps.clock.now();
  const deliveries = await insertDeliveries(db, { organizationId, announcement, about: recipients.about, copies, now });
  for (const delivery of deliveries) await queueDelivery(db, deps, delivery, now);
}
