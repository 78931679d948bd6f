import type { Db } from '../../kit/db.ts';
import type { Viewer } from '../auth/scope.ts';

/** Start pages: `overview`, or the id of a dashboard, which may be gone; null: not chosen. */
export interface DefaultDashboard {
  /** The member's. */
  readonly own: string | null;
  /** The organization's, for members without a choice. */
  readonly organization: string | null;
}

/** Reads the start pages of a member and of their organization. */
export async function readDefaultDashboard(db: Db, { scope, userId }: Viewer): Promise<DefaultDashboard> {
  const { organizationId } = scope;
  const found = await db.membership.findUnique({
    where: { organizationId_userId: { organizationId, userId } },
    select: { defaultDashboard: true, organization: { select: { defaultDashboard: true } } },
  });
  return { own: found?.defaultDashboard ?? null, organization: found?.organization.defaultDashboard ?? null };
}

/** Stores the given start pages. */
export async function storeDefaultDashboard(
  db: Db,
  { scope: { organizationId }, userId }: Viewer,
  { own, organization }: Partial<DefaultDashboard>,
): Promise<void> {
  if (own !== undefined)
    await db.membership.updateMany({ where: { organizationId, userId }, data: { defaultDashboard: own } });
  if (organization !== undefined)
    await db.organization.updateMany({ where: { id: organizationId }, data: { defaultDashboard: organization } });
}
