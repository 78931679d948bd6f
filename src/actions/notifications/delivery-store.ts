import { z } from 'zod';
import type { Db } from '../../kit/db.ts';
import { announcementSchema, type Announcement } from './announcement.ts';
import type { Channel } from './recipients.ts';

/** A delivery that is due. */
export interface DueDelivery {
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly channel: Channel;
  readonly recipient: string;
  /** Attempts before this one. */
  readonly attempts: number;
  readonly announcement: Announcement;
  /** Accounts that it tells of; null: all of the organization. */
  readonly accountIds: readonly string[] | null;
  /** Users through whom it is sent. */
  readonly userIds: readonly string[];
}

const content = z.object({
  announcement: announcementSchema,
  about: z.object({ accountIds: z.array(z.string()).nullable() }),
  userIds: z.array(z.string()),
});

const channel = z.enum(['email', 'slack']);

/** The delivery, where it still waits and a job of that time is for its next attempt; null otherwise. */
export async function findDue(
  db: Db,
  { organizationId, deliveryId: id, runAt }: { organizationId: string; deliveryId: string; runAt: Date },
): Promise<DueDelivery | null> {
  const row = await db.delivery.findFirst({
    where: { id, organizationId, status: 'pending', nextAttemptAt: { lte: runAt } },
    select: {
      channel: true,
      recipient: true,
      attempts: true,
      content: true,
      organization: { select: { name: true } },
    },
  });
  if (!row) return null;
  const { announcement, about, userIds } = content.parse(row.content);
  return {
    id,
    organizationId,
    organizationName: row.organization.name,
    channel: channel.parse(row.channel),
    recipient: row.recipient,
    attempts: row.attempts,
    announcement,
    accountIds: about.accountIds,
    userIds,
  };
}

/** Counts an attempt before it is made, so that one that kills the process counts as well.
 *  @returns whether the delivery still waited */
export async function beginAttempt(db: Db, { id, organizationId }: Pick<DueDelivery, 'id' | 'organizationId'>) {
  const { count } = await db.delivery.updateMany({
    where: { id, organizationId, status: 'pending' },
    data: { attempts: { increment: 1 } },
  });
  return count > 0;
}

/** How an attempt ended. */
export type Ending =
  | { readonly status: 'sent'; readonly sentAt: Date }
  | { readonly status: 'failed'; readonly lastError: string }
  | { readonly status: 'pending'; readonly lastError: string | null; readonly nextAttemptAt: Date };

/** Writes down how an attempt ended. */
export async function endAttempt(
  db: Db,
  { id, organizationId }: Pick<DueDelivery, 'id' | 'organizationId'>,
  ending: Ending,
): Promise<void> {
  await db.delivery.updateMany({ where: { id, organizationId }, data: ending });
}

/** Forgets deliveries that were written before an instant, of every organization.
 *  @returns how many there were */
export async function deleteDeliveriesBefore(db: Db, before: Date): Promise<number> {
  const { count } = await db.delivery.deleteMany({ where: { createdAt: { lt: before } } });
  return count;
}
