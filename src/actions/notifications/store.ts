import type { Db } from '../../kit/db.ts';
import { newId } from '../../kit/ids.ts';
import type { Announcement, Recipients } from './announcement.ts';
import type { Channel, Copy } from './recipients.ts';

/** A delivery that waits to be sent. */
export interface WaitingDelivery {
  readonly id: string;
  readonly organizationId: string;
  readonly channel: Channel;
  readonly recipient: string;
}

/** What is written for each copy of an announcement. */
export interface NewDeliveries {
  readonly organizationId: string;
  readonly announcement: Announcement;
  readonly about: Recipients['about'];
  readonly copies: readonly Copy[];
  readonly now: Date;
}

/** Writes a delivery for each copy that was not told its recipient before.
 *  @returns those that are new */
export async function insertDeliveries(
  db: Db,
  { organizationId, announcement, about, copies, now }: NewDeliveries,
): Promise<WaitingDelivery[]> {
  const written: WaitingDelivery[] = [];
  const { kind, subjectKey } = announcement;
  // One order for all: two transactions that tell the same people never wait for each other in a circle.
  const ordered = copies.toSorted((a, b) => (`${a.channel} ${a.recipient}` < `${b.channel} ${b.recipient}` ? -1 : 1));
  for (const { channel, recipient, userIds } of ordered) {
    const id = newId(now);
    const content = JSON.stringify({ announcement, about, userIds });
    const isNew = await db.$executeRaw`/* insertDelivery */
      INSERT INTO deliveries (id, organization_id, channel, recipient, kind, subject_key, content, created_at, next_attempt_at)
      VALUES (${id}::uuid, ${organizationId}::uuid, ${channel}, ${recipient}, ${kind}, ${subjectKey},
              ${content}::jsonb, ${now}, ${now})
      ON CONFLICT (organization_id, channel, recipient, subject_key) DO NOTHING`;
    if (isNew > 0) written.push({ id, organizationId, channel, recipient });
  }
  return written;
}
