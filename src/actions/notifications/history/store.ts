import { Prisma, type DeliveryStatus } from '../../../../prisma/generated/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import type { PageRequest } from '../../../kit/page.ts';
import { parseSort, type SortBy } from '../../../kit/sort.ts';
import { can } from '../../../tenancy/auth/permissions.ts';
import type { Viewer } from '../../../tenancy/auth/scope.ts';
import type { AnnouncementKind, Channel } from '../announcement.ts';

/** Sort fields of notifications, in REST spelling. */
export const notificationSortFields = ['created_at'] as const;

/** Filters of a list of notifications; null means any. */
export interface NotificationQuery {
  readonly status?: readonly DeliveryStatus[] | null;
  readonly kind?: readonly AnnouncementKind[] | null;
  readonly channel?: readonly Channel[] | null;
  readonly sortBy?: SortBy<typeof notificationSortFields> | null;
}

/** A message that was sent, or is to be sent, to one recipient. */
export interface Notification {
  readonly id: string;
  readonly kind: AnnouncementKind;
  readonly channel: Channel;
  /** Null if the channel was deleted or the user is gone. */
  readonly recipient: string | null;
  readonly title: string;
  readonly path: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly error: string | null;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
}

/** Restricts every read to messages that the caller may see. Admins with access to all accounts see all messages; other members see
 *  those sent to themselves, and if restricted only those whose accounts are all in their scope. */
function visible({ userId, role, scope: { organizationId, accountIds } }: Viewer): Prisma.Sql {
  const own = Prisma.sql`d.organization_id = ${organizationId}::uuid`;
  if (accountIds === null && can(role, 'channels.write')) return own;
  const theirs = Prisma.sql`${own} AND (d.content->'userIds' ? ${userId}
    OR d.channel = 'email' AND d.recipient = (SELECT email FROM users WHERE id = ${userId}::uuid))`;
  if (accountIds === null) return theirs;
  const accounts = Prisma.sql`d.content->'about'->'accountIds'`;
  return Prisma.sql`${theirs} AND jsonb_typeof(${accounts}) = 'array' AND ${accounts} <@ ${JSON.stringify(accountIds)}::jsonb`;
}

/** Returns a page of the notifications that the caller may see, newest first by default. */
export async function pageNotifications(
  db: Db,
  viewer: Viewer,
  { status, kind, channel, sortBy }: NotificationQuery,
  { skip, take }: PageRequest,
): Promise<{ rows: Notification[]; total: number }> {
  const among = (column: Prisma.Sql, words: readonly string[] | null | undefined) =>
    words ? Prisma.sql` AND ${column} = ANY(${[...words]})` : Prisma.empty;
  const where = Prisma.sql`${visible(viewer)}${among(Prisma.sql`d.status::text`, status)}${among(Prisma.sql`d.kind`, kind)}${among(Prisma.sql`d.channel`, channel)}`;
  const direction = parseSort(sortBy, notificationSortFields)?.direction === 'asc' ? Prisma.sql`ASC` : Prisma.sql`DESC`;
  const rows = await db.$queryRaw<Notification[]>`/* pageNotifications */
    SELECT d.id::text AS id, d.kind, d.channel,
      CASE WHEN d.channel = 'email' THEN d.recipient WHEN d.channel_id IS NULL THEN u.name ELSE c.name END AS recipient,
      d.content->'announcement'->>'title' AS title, d.content->'announcement'->'action'->>'path' AS path,
      d.status, d.attempts, CASE WHEN d.status <> 'sent' THEN d.last_error END AS error,
      d.created_at AS "createdAt", d.sent_at AS "sentAt"
    FROM deliveries d
    LEFT JOIN channels c ON c.organization_id = d.organization_id AND c.id = d.channel_id
    LEFT JOIN users u ON u.id = CASE WHEN d.channel = 'slack' AND d.channel_id IS NULL THEN d.recipient::uuid END
    WHERE ${where} ORDER BY d.created_at ${direction}, d.id ${direction} LIMIT ${take} OFFSET ${skip}`;
  const [counted] = await db.$queryRaw<{ total: number }[]>`/* countNotifications */
    SELECT count(*)::int AS total FROM deliveries d WHERE ${where}`;
  return { rows, total: counted?.total ?? 0 };
}
