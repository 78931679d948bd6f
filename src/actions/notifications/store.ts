import type { Db } from '../../kit/db.ts';
import { newId } from '../../kit/ids.ts';
import {
  announcementSchema,
  channelPreferences,
  deliveryChannels,
  type Announcement,
  type Recipients,
  type Channel,
  type Copy,
  type MemberToNotify,
} from './announcement.ts';
import { z } from 'zod';
import type { Deps } from '../../kit/deps.ts';
import { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Role } from '../../../prisma/generated/client/enums.ts';
import { can } from '../../tenancy/auth/permissions.ts';

/** A pending delivery. */
export interface WaitingDelivery {
  readonly id: string;
  readonly organizationId: string;
  readonly channel: Channel;
  readonly recipient: string;
  readonly channelId: string | null;
}

/** The values of new deliveries. */
export interface NewDeliveries {
  readonly organizationId: string;
  readonly announcement: Announcement;
  readonly about: Recipients['about'];
  readonly copies: readonly Copy[];
  readonly now: Date;
}

/** Inserts a delivery for each copy that its recipient has not already received.
 *  @returns the new ones */
export async function insertDeliveries(
  db: Db,
  { organizationId, announcement, about, copies, now }: NewDeliveries,
): Promise<WaitingDelivery[]> {
  const written: WaitingDelivery[] = [];
  const { kind, subjectKey } = announcement;
  // A fixed order prevents deadlocks between transactions with the same recipients.
  const ordered = copies.toSorted((a, b) => (`${a.channel} ${a.recipient}` < `${b.channel} ${b.recipient}` ? -1 : 1));
  for (const { channel, recipient, channelId, userIds } of ordered) {
    const id = newId(now);
    const content = JSON.stringify({ announcement, about, userIds });
    const isNew = await db.$executeRaw`/* insertDelivery */
      INSERT INTO deliveries (id, organization_id, channel, recipient, channel_id, kind, subject_key, content, created_at,
        next_attempt_at)
      VALUES (${id}::uuid, ${organizationId}::uuid, ${channel}, ${recipient}, ${channelId}::uuid, ${kind}, ${subjectKey},
              ${content}::jsonb, ${now}, ${now})
      ON CONFLICT (organization_id, channel, recipient, subject_key) DO NOTHING`;
    if (isNew > 0) written.push({ id, organizationId, channel, recipient, channelId });
  }
  return written;
}

export interface DueDelivery {
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly channel: Channel;
  readonly recipient: string;
  /** The channel of the organization; null for an email or a member's webhook. */
  readonly channelId: string | null;
  readonly createdAt: Date;
  /** Number of previous attempts. */
  readonly attempts: number;
  readonly announcement: Announcement;
  /** Covered accounts; null: all of the organization. */
  readonly accountIds: readonly string[] | null;
  /** Users on whose access the delivery depends. */
  readonly userIds: readonly string[];
}

const content = z.object({
  announcement: announcementSchema,
  about: z.object({ accountIds: z.array(z.string()).nullable() }),
  userIds: z.array(z.string()),
});

/** Returns the delivery if it is pending and its next attempt belongs to the job of that time; null otherwise. */
export async function findDue(
  db: Db,
  { organizationId, deliveryId: id, runAt }: { organizationId: string; deliveryId: string; runAt: Date },
): Promise<DueDelivery | null> {
  const row = await db.delivery.findFirst({
    where: { id, organizationId, status: 'pending', nextAttemptAt: { lte: runAt } },
    select: {
      channel: true,
      recipient: true,
      channelId: true,
      createdAt: true,
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
    channel: z.enum(deliveryChannels).parse(row.channel),
    recipient: row.recipient,
    channelId: row.channelId,
    createdAt: row.createdAt,
    attempts: row.attempts,
    announcement,
    accountIds: about.accountIds,
    userIds,
  };
}

/** Counts an attempt before it starts, so that attempts that kill the process count too.
 *  @returns whether the delivery was still pending */
export async function beginAttempt(db: Db, { id, organizationId }: Pick<DueDelivery, 'id' | 'organizationId'>) {
  const { count } = await db.delivery.updateMany({
    where: { id, organizationId, status: 'pending' },
    data: { attempts: { increment: 1 } },
  });
  return count > 0;
}

/** The end of an attempt. */
export type Ending =
  | { readonly status: 'sent'; readonly sentAt: Date }
  | { readonly status: 'failed'; readonly lastError: string }
  | { readonly status: 'pending'; readonly lastError: string | null; readonly nextAttemptAt: Date };

/** Records the end of an attempt. */
export async function endAttempt(
  db: Db,
  { id, organizationId }: Pick<DueDelivery, 'id' | 'organizationId'>,
  ending: Ending,
): Promise<void> {
  await db.delivery.updateMany({ where: { id, organizationId }, data: ending });
}

const keptMs = 90 * 86_400_000;

/** Deletes deliveries older than 90 days, the retention of audit entries, in all organizations. Deduplication does not
 *  depend on them: sources record what was announced. */
export async function deleteOldDeliveries({ db, log }: Pick<Deps, 'db' | 'log'>, now: Date): Promise<void> {
  const { count } = await db.delivery.deleteMany({ where: { createdAt: { lt: new Date(now.getTime() - keptMs) } } });
  log.info({ deleted: count }, 'Old deliveries were deleted');
}

/** Queues a delivery in the caller's transaction.
 *  @param runAt earliest time */
export async function queueDelivery(
  db: Db,
  deps: Pick<Deps, 'queue'>,
  { id, organizationId, channel, recipient, channelId }: WaitingDelivery,
  runAt: Date,
): Promise<void> {
  const payload = { organizationId, deliveryId: id };
  const options = { runAt, within: db };
  if (channelId !== null) await deps.queue.add('deliver_channel', { ...payload, channelId }, options);
  else if (channel === 'email') await deps.queue.add('deliver_email', payload, options);
  // The recipient is the user who owns the webhook.
  else await deps.queue.add('deliver_slack', { ...payload, userId: recipient }, options);
}

/** Returns the copies for channels of the organization: those that the recipients name, and for announcements to everyone
 *  those that receive anomalies. Disabled channels get none. */
export async function channelsToNotify(
  db: Db,
  organizationId: string,
  { channelIds, everyone }: Recipients,
): Promise<Copy[]> {
  const named = { id: { in: [...channelIds] } };
  const rows = await db.channel.findMany({
    where: { organizationId, enabled: true, OR: everyone ? [named, { anomalyAlerts: true }] : [named] },
    select: { id: true, kind: true },
  });
  return rows.map(({ id, kind }) => ({ channel: kind, recipient: id, channelId: id, userIds: [] }));
}

interface MemberRow {
  readonly userId: string;
  readonly email: string;
  readonly role: Role;
  readonly accountIds: string[] | null;
  readonly emailPreferences: unknown;
  readonly slackPreferences: unknown;
  readonly additionalEmails: string[] | null;
  readonly hasWebhook: boolean;
}

/** Returns the members addressed by the recipients, by id, by address or as everyone, and the members who have one of the
 *  addresses as an additional one. */
export async function membersToNotify(
  db: Db,
  organizationId: string,
  { owner, slackOf, addresses, everyone }: Recipients,
): Promise<MemberToNotify[]> {
  if (everyone) return selectMembers(db, organizationId, Prisma.sql`true`);
  const userIds = [owner, slackOf].filter((id) => id !== null);
  const emails = addresses.map((address) => address.trim().toLowerCase());
  return selectMembers(
    db,
    organizationId,
    Prisma.sql`(m.user_id = ANY(${userIds}::uuid[]) OR u.email = ANY(${emails}) OR u.email IN (
      SELECT lower(also) FROM notification_preferences o, unnest(o.additional_emails) also
      WHERE o.organization_id = m.organization_id AND o.user_id = ANY(${userIds}::uuid[])))`,
  );
}

/** Returns the current access of users; those who are no longer members are absent. */
export async function accessOf(
  db: Db,
  organizationId: string,
  userIds: readonly string[],
): Promise<Map<string, readonly string[] | null>> {
  const rows = await selectMembers(db, organizationId, Prisma.sql`m.user_id = ANY(${[...userIds]}::uuid[])`);
  return new Map(rows.map(({ userId, accountIds }) => [userId, accountIds]));
}

async function selectMembers(db: Db, organizationId: string, condition: Prisma.Sql): Promise<MemberToNotify[]> {
  const rows = await db.$queryRaw<MemberRow[]>`/* selectMembers */
    SELECT m.user_id::text AS "userId", u.email, m.role::text AS role,
           CASE WHEN m.restricted THEN m.account_access::text[] END AS "accountIds",
           p.email AS "emailPreferences", p.slack AS "slackPreferences",
           p.additional_emails AS "additionalEmails", p.webhook IS NOT NULL AS "hasWebhook"
    FROM memberships m JOIN users u ON u.id = m.user_id
    LEFT JOIN notification_preferences p ON p.organization_id = m.organization_id AND p.user_id = m.user_id
    WHERE m.organization_id = ${organizationId}::uuid AND ${condition}
    ORDER BY m.joined_at, m.id`;
  return rows.map(({ role, emailPreferences, slackPreferences, additionalEmails, ...row }) => ({
    ...row,
    mayChoose: can(role, 'notifications.write'),
    emailPreferences: channelPreferences(emailPreferences, role),
    slackPreferences: channelPreferences(slackPreferences, role),
    additionalEmails: additionalEmails ?? [],
  }));
}
