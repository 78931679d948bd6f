import { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Db } from '../../kit/db.ts';
import { accessOf, type AccountAccess } from './store.ts';

/** All columns that reference the creator of a row. Add those of new tables here: records of a removed member pass
 *  to the Super Admin. */
const makers = [
  ['accounts', 'created_by'],
  ['invites', 'invited_by'],
  ['tag_policies', 'created_by_id'],
  ['virtual_tags', 'created_by_id'],
  ['alert_rules', 'created_by_id'],
  ['budgets', 'created_by_id'],
  ['report_schedules', 'created_by_id'],
  ['reports', 'created_by_id'],
  ['uploaded_files', 'created_by_id'],
  ['unit_metrics', 'created_by_id'],
  ['channels', 'created_by_id'],
  ['saved_views', 'created_by_id'],
  ['dashboards', 'created_by_id'],
  ['annotations', 'created_by_id'],
] as const;

/** Tables whose rows may be private to their creator: those are deleted. */
const withPrivate = ['saved_views', 'dashboards'] as const;

/** Tables whose rows are computed later, in the scope of their owner (`tenancy/auth/owner-scope.ts`). */
const computed = ['alert_rules', 'budgets', 'report_schedules'] as const;

/** Transfers a member's records in the organization to another member, and deletes private ones. Records computed in their owner's
 *  scope keep the former owner's accounts as a filter. Call it before the membership ends. */
export async function passOn(
  db: Db,
  organizationId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await keepScope(db, organizationId, from);
  for (const table of withPrivate)
    await db.$executeRaw`/* passOn */ DELETE FROM ${Prisma.raw(table)}
      WHERE organization_id = ${organizationId}::uuid AND created_by_id = ${from}::uuid AND visibility = 'private'`;
  for (const [table, column] of makers) {
    const [name, maker] = [Prisma.raw(table), Prisma.raw(column)];
    await db.$executeRaw`/* passOn */
      UPDATE ${name} SET ${maker} = ${to}::uuid
      WHERE organization_id = ${organizationId}::uuid AND ${maker} = ${from}::uuid`;
  }
}

/** A record inherited twice is restricted to the accounts that both former owners could see. */
async function keepScope(db: Db, organizationId: string, userId: string): Promise<void> {
  for (const table of computed) {
    await db.$executeRaw`/* keepScope */
      UPDATE ${Prisma.raw(table)} t SET is_inherited = true, inherited_scope = CASE
        WHEN t.is_inherited THEN ARRAY(SELECT unnest(t.inherited_scope) INTERSECT SELECT unnest(m.account_access))
        ELSE m.account_access END
      FROM memberships m
      WHERE m.organization_id = ${organizationId}::uuid AND m.user_id = ${userId}::uuid AND m.restricted
        AND t.organization_id = m.organization_id AND t.created_by_id = m.user_id`;
  }
}

/** Revokes the pending invitations of a member, who could otherwise still let people in.
 *  @param isRevoked decides by the access that an invitation grants; null for all accounts
 *  @returns the revoked invitations */
export async function revokeInvites(
  db: Db,
  { organizationId, userId, now }: { organizationId: string; userId: string; now: Date },
  isRevoked: (access: AccountAccess) => boolean,
): Promise<{ id: string; email: string }[]> {
  const pending = await db.invite.findMany({
    where: { organizationId, invitedBy: userId, acceptedAt: null, revokedAt: null, expiresAt: { gt: now } },
    select: { id: true, email: true, restricted: true, accountAccess: true },
  });
  const revoked = pending.filter((invite) => isRevoked(accessOf(invite)));
  const where = { organizationId, id: { in: revoked.map(({ id }) => id) } };
  await db.invite.updateMany({ where, data: { revokedAt: now } });
  return revoked;
}

/** All tables with records that are assigned to a member. */
const assigned = ['anomalies', 'recommendations'] as const;

/** Removes a former member as the assignee of records. Call it after the membership ended: until then, the member can be
 *  assigned concurrently. */
export async function unassign(db: Db, organizationId: string, userId: string): Promise<void> {
  for (const table of assigned)
    await db.$executeRaw`/* unassign */ UPDATE ${Prisma.raw(table)} SET assignee_id = null
      WHERE organization_id = ${organizationId}::uuid AND assignee_id = ${userId}::uuid`;
}

/** All lists of notification addresses. */
const addressLists = [
  ['budgets', 'emails'],
  ['alert_rules', 'emails'],
  ['report_schedules', 'recipients'],
  ['notification_preferences', 'additional_emails'],
] as const;

/** Removes a leaving member's address from all notifications: as an external address it would receive more than
 *  before, because only a member's scope is checked. */
export async function strikeAddress(db: Db, organizationId: string, email: string): Promise<void> {
  for (const [table, column] of addressLists) {
    const [name, list] = [Prisma.raw(table), Prisma.raw(column)];
    await db.$executeRaw`/* strikeAddress */
      UPDATE ${name} SET ${list} = ARRAY(SELECT e FROM unnest(${list}) WITH ORDINALITY AS u (e, at)
        WHERE lower(e) <> lower(${email}) ORDER BY at)
      WHERE organization_id = ${organizationId}::uuid AND EXISTS (SELECT FROM unnest(${list}) e WHERE lower(e) = lower(${email}))`;
  }
}
