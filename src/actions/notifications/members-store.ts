import { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Role } from '../../../prisma/generated/client/enums.ts';
import type { Db } from '../../kit/db.ts';
import { can } from '../../tenancy/auth/permissions.ts';
import type { Recipients } from './announcement.ts';
import { channelPreferences } from './preferences.ts';
import type { MemberToNotify } from './recipients.ts';

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

/** The members whom the recipients name, by id, by address or as everyone, with those whose address is an additional one of
 *  somebody else's. */
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

/** What each of the users may see now; who is no member any more is absent. */
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
