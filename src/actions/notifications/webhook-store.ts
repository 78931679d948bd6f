import type { Db } from '../../kit/db.ts';

/** A member's webhook, as it is kept. */
export interface StoredWebhook {
  /** Encrypted; see `webhookRowId`. */
  readonly webhook: Uint8Array<ArrayBuffer>;
  /** The chat server asked us not to post before. */
  readonly pausedUntil: Date | null;
}

/** Whose webhook it is. */
export interface WebhookOwner {
  readonly organizationId: string;
  readonly userId: string;
}

/** The row that a webhook is encrypted for. */
export function webhookRowId({ organizationId, userId }: WebhookOwner): string {
  return `slack webhook ${organizationId} ${userId}`;
}

/** The webhook of a member, or null. */
export async function findWebhook(db: Db, { organizationId, userId }: WebhookOwner): Promise<StoredWebhook | null> {
  const row = await db.notificationPreferences.findUnique({
    where: { organizationId_userId: { organizationId, userId } },
    select: { webhook: true, webhookPausedUntil: true },
  });
  return row?.webhook ? { webhook: row.webhook, pausedUntil: row.webhookPausedUntil } : null;
}

/** Writes down what was learned of a webhook, unless another one was set meanwhile.
 *  @param learned `problem`: why it takes nothing any more; null: it works */
export async function noteWebhook(
  db: Db,
  { organizationId, userId }: WebhookOwner,
  posted: Uint8Array<ArrayBuffer>,
  learned: { readonly problem: string | null; readonly pausedUntil: Date | null },
): Promise<void> {
  await db.notificationPreferences.updateMany({
    where: { organizationId, userId, webhook: posted },
    data: { webhookProblem: learned.problem, webhookPausedUntil: learned.pausedUntil },
  });
}

/** Webhooks after one of them, in a fixed order. */
export async function listWebhooks(
  db: Db,
  after: WebhookOwner | null,
  most: number,
): Promise<(WebhookOwner & { webhook: Uint8Array<ArrayBuffer> })[]> {
  const rows = await db.notificationPreferences.findMany({
    where: {
      webhook: { not: null },
      ...(after && {
        OR: [
          { organizationId: { gt: after.organizationId } },
          { organizationId: after.organizationId, userId: { gt: after.userId } },
        ],
      }),
    },
    select: { organizationId: true, userId: true, webhook: true },
    orderBy: [{ organizationId: 'asc' }, { userId: 'asc' }],
    take: most,
  });
  return rows.flatMap(({ webhook, ...owner }) => (webhook ? [{ ...owner, webhook }] : []));
}

/** Replaces the bytes of a webhook, unless its owner set another one meanwhile.
 *  @returns whether it was replaced */
export async function replaceWebhook(
  db: Db,
  { organizationId, userId }: WebhookOwner,
  { read, kept }: { readonly read: Uint8Array<ArrayBuffer>; readonly kept: Uint8Array<ArrayBuffer> },
): Promise<boolean> {
  const { count } = await db.notificationPreferences.updateMany({
    where: { organizationId, userId, webhook: read },
    data: { webhook: kept },
  });
  return count > 0;
}
