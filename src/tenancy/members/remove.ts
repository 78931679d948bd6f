import { Role } from '../../../prisma/generated/client/enums.ts';
import type { Deps } from '../../kit/deps.ts';
import { fix, forbidden } from '../../kit/errors.ts';
import { writeAudit, type Actor } from '../audit/store.ts';
import { unlockLogin } from '../auth/lockout.ts';
import type { Viewer } from '../auth/scope.ts';
import { lockForChange } from './acting.ts';
import { findMember } from './change.ts';
import { passOn, strikeAddress } from './inherit-store.ts';
import { deleteMembership, findMembership } from './store.ts';

/** Removes a member: sessions and API tokens end with the next request, and what they created passes to the Super Admin.
 *  Nothing of the organization is told to their address any more. The user stays, with their other organizations. An Admin may remove themself.
 *  @throws {AppError} NOT_FOUND; FORBIDDEN for the Super Admin */
export async function removeMember(deps: Pick<Deps, 'db'>, viewer: Viewer, actor: Actor, id: string): Promise<void> {
  await deps.db.$transaction(async (db) => {
    const acting = await lockForChange(db, viewer, 'members.write');
    const { organizationId } = acting.scope;
    const member = await findMember(db, acting, id);
    const owner = await findMembership(db, organizationId, { role: Role.super_admin });
    if (!owner || owner.id === member.id)
      throw forbidden`The Super Admin cannot be removed${fix}they must transfer ownership first`;
    await passOn(db, organizationId, { from: member.userId, to: owner.userId });
    await strikeAddress(db, organizationId, member.email);
    await deleteMembership(db, organizationId, member.id);
    // Not how much passed: that would tell of accounts that a reader of the log may not know of.
    const details = { email: member.email, role: member.role, passed_to: owner.email };
    await writeAudit(db, actor, { action: 'user_removed', resourceType: 'member', resourceId: member.id, details });
  });
}

/** Lifts the lock that wrong passwords put on a member's login, and forgets their count.
 *  @throws {AppError} NOT_FOUND */
export async function unlockMember(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  viewer: Viewer,
  actor: Actor,
  id: string,
): Promise<void> {
  await deps.db.$transaction(async (db) => {
    const acting = await lockForChange(db, viewer, 'members.write');
    const { email } = await findMember(db, acting, id);
    await unlockLogin(db, deps, email);
    const details = { email };
    await writeAudit(db, actor, { action: 'user_unlocked', resourceType: 'member', resourceId: id, details });
  });
}
