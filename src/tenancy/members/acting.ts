import type { Db } from '../../kit/db.ts';
import { unauthorized } from '../../kit/errors.ts';
import { can, type Permission } from '../auth/permissions.ts';
import { orgScope, roleForbids, type OrgScope, type Viewer } from '../auth/scope.ts';
import { findMembership, lockMembers, type Membership } from './store.ts';

/** The caller as they are once nobody else changes members. */
export interface Acting extends Membership {
  readonly scope: OrgScope;
}

/** Locks the organization's members for a change of them, and reads the caller anew: they may have been removed, or have
 *  lost their role, since the request came in.
 *  @throws {AppError} UNAUTHORIZED when they are no member any more; FORBIDDEN when they may not do this any more */
export async function lockForChange(db: Db, viewer: Viewer, permission: Permission): Promise<Acting> {
  const { organizationId } = viewer.scope;
  await lockMembers(db, organizationId);
  const own = await findMembership(db, organizationId, { userId: viewer.userId });
  if (!own) throw unauthorized`You are no longer a member of this organization`;
  if (!can(own.role, permission)) throw roleForbids(own.role);
  return { ...own, scope: orgScope(organizationId, own.access) };
}
