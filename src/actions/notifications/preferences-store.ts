import type { Role } from '../../../prisma/generated/client/enums.ts';
import type { Db } from '../../kit/db.ts';
import { channelPreferences, type ChannelPreferences } from './announcement.ts';
import type { ParsedChange } from './input.ts';

/** A member's notification preferences. */
export interface Preferences {
  readonly email: ChannelPreferences;
  readonly slack: ChannelPreferences;
  readonly additionalEmails: readonly string[];
  readonly slackConfigured: boolean;
  /** Why the webhook is rejected; null: no known problem. */
  readonly slackProblem: string | null;
}

/** Returns a member's effective preferences. */
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

/** Ensures that a member's preferences row exists and locks it until the transaction ends.
 *  @returns false if they are no longer a member */
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

/** Updates the given preferences. */
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

/** Sets or removes a member's webhook and clears the state of the previous one.
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

/** A member's stored webhook. */
export interface StoredWebhook {
  /** Encrypted; see `webhookRowId`. */
  readonly webhook: Uint8Array<ArrayBuffer>;
  /** Not before this time, as requested by the chat server. */
  readonly pausedUntil: Date | null;
}

/** Identifies the owner of a webhook. */
export interface WebhookOwner {
  readonly organizationId: string;
  readonly userId: string;
}

/** Returns the row id that a webhook's encryption is bound to. */
export function webhookRowId({ organizationId, userId }: WebhookOwner): string {
  return `slack webhook ${organizationId} ${userId}`;
}

/** Returns a member's webhook, or null. */
export async function findWebhook(db: Db, { organizationId, userId }: WebhookOwner): Promise<StoredWebhook | null> {
  const row = await db.notificationPreferences.findUnique({
    where: { organizationId_userId: { organizationId, userId } },
    select: { webhook: true, webhookPausedUntil: true },
  });
  return row?.webhook ? { webhook: row.webhook, pausedUntil: row.webhookPausedUntil } : null;
}

/** Records the state of a webhook, unless another one was set in the meantime.
 *  @param learned `problem`: why it is rejected; null: no known problem */
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

/** Lists webhooks after a given one, in a stable order. */
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

/** Replaces the encrypted bytes of a webhook, unless its owner set another one in the meantime.
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
