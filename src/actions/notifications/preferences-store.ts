import type { Role } from '../../../prisma/generated/client/enums.ts';
import type { Db } from '../../kit/db.ts';
import { channelPreferences, type ParsedChange, type ChannelPreferences } from './preferences.ts';

/** What a member wants to be told, and where. */
export interface Preferences {
  readonly email: ChannelPreferences;
  readonly slack: ChannelPreferences;
  readonly additionalEmails: readonly string[];
  readonly slackConfigured: boolean;
  /** Why the webhook takes nothing any more; null: nothing is known against it. */
  readonly slackProblem: string | null;
}

/** The preferences of a member as they hold. */
export async function findPreferences(
  db: Db,
  { organizationId, userId, role }: WebhookOwner & { readonly role: Role },
): Promise<Preferences> {
  const row = await db.notificationPreferences.findUnique({
    where: { organizationId_userId: { organizationId, userId } },
    select: { email: true, slack: true, additionalEmails: true, webhook: true, webhookProblem: true },
  });
  return {
    email: channelPreferences(row?.email, role),
    slack: channelPreferences(row?.slack, role),
    additionalEmails: row?.additionalEmails ?? [],
    slackConfigured: Boolean(row?.webhook),
    slackProblem: row?.webhook ? row.webhookProblem : null,
  };
}

/** Makes sure that a member has a row of their own, and keeps it as it is until the transaction ends.
 *  @returns false where they are no member any more */
export async function lockPreferences(db: Db, { organizationId, userId }: WebhookOwner, now: Date): Promise<boolean> {
  await db.$executeRaw`/* insertPreferences */
    INSERT INTO notification_preferences (organization_id, user_id, email, slack, additional_emails, updated_at)
    SELECT m.organization_id, m.user_id, '{}', '{}', '{}', ${now} FROM memberships m
    WHERE m.organization_id = ${organizationId}::uuid AND m.user_id = ${userId}::uuid FOR KEY SHARE
    ON CONFLICT DO NOTHING`;
  const locked = await db.$executeRaw`/* lockPreferences */
    SELECT 1 FROM notification_preferences
    WHERE organization_id = ${organizationId}::uuid AND user_id = ${userId}::uuid FOR UPDATE`;
  return locked > 0;
}

/** Changes what is named. */
export async function updatePreferencesRow(
  db: Db,
  { organizationId, userId }: WebhookOwner,
  { email, slack, additionalEmails }: ParsedChange,
  now: Date,
): Promise<void> {
  const addresses = additionalEmails === undefined ? null : [...additionalEmails];
  await db.$executeRaw`/* updatePreferences */
    UPDATE notification_preferences
    SET email = email || ${JSON.stringify(email)}::jsonb, slack = slack || ${JSON.stringify(slack)}::jsonb,
        additional_emails = coalesce(${addresses}::text[], additional_emails), updated_at = ${now}
    WHERE organization_id = ${organizationId}::uuid AND user_id = ${userId}::uuid`;
}

/** Sets a member's webhook, or takes it away, and forgets what was known against the one before.
 *  @param webhook encrypted; null: none */
export async function updateWebhook(
  db: Db,
  { organizationId, userId }: WebhookOwner,
  webhook: Uint8Array<ArrayBuffer> | null,
  now: Date,
): Promise<void> {
  await db.notificationPreferences.updateMany({
    where: { organizationId, userId },
    data: { webhook, webhookProblem: null, webhookPausedUntil: null, updatedAt: now },
  });
}

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
