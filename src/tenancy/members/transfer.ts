import { Role } from '../../../prisma/generated/client/enums.ts';
import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { arg, conflict, fix, invalid, operation } from '../../kit/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import { writeAudit, type Actor } from '../audit/store.ts';
import { confirmPassword } from '../auth/confirm-password.ts';
import type { OrgScope, Viewer } from '../auth/scope.ts';
import { lockForChange } from './acting.ts';
import { findMembership, updateMembership, type Membership } from './store.ts';

/** Makes another member the Super Admin, who sees every account; the one before becomes an Admin. Of two transfers at once
 *  one is done: whoever is no Super Admin any more has nothing to transfer.
 *  @throws {AppError} VALIDATION_ERROR for an unknown member; FORBIDDEN when the caller is not the Super Admin, or the
 *  password is wrong; ACCOUNT_LOCKED; CONFLICT when the member is already the Super Admin */
export async function transferOwnership(
  deps: Pick<Deps, 'db' | 'pool' | 'clock' | 'secrets' | 'config'>,
  viewer: Viewer,
  actor: Actor,
  input: { memberId: string; password: string },
): Promise<void> {
  const { scope } = viewer;
  await findHeir(deps.db, scope, input.memberId);
  await confirmPassword(deps, viewer, actor, input.password);
  await deps.db.$transaction(async (db) => {
    const own = await lockForChange(db, viewer, 'organization.transfer');
    const heir = await findHeir(db, scope, input.memberId);
    if (heir.id === own.id) throw conflict`${arg('member_id', heir.id)} is already the Super Admin`;
    // In this order: the database allows no two at any moment.
    await updateMembership(db, scope.organizationId, own.id, { role: Role.admin, access: null });
    await updateMembership(db, scope.organizationId, heir.id, { role: Role.super_admin, access: null });
    const details = { from: own.email, to: heir.email };
    await writeAudit(db, actor, {
      action: 'ownership_transferred',
      resourceType: 'organization',
      resourceId: scope.organizationId,
      details,
    });
  });
}

async function findHeir(db: Db, scope: OrgScope, id: string): Promise<Membership> {
  const heir = isUuid(id) ? await findMembership(db, scope.organizationId, { id }) : null;
  if (!heir)
    throw invalid`${arg('member_id', id)} is not a member of the organization${fix}use an id of ${operation('GET /org/members')}`;
  return heir;
}
