import type { Role } from '../../../prisma/generated/client/enums.ts';
import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { arg, conflict, fix, forbidden, invalid } from '../../kit/errors/errors.ts';
import { writeAudit } from '../audit/store.ts';
import type { Viewer } from '../auth/scope.ts';
import type { Origin } from '../sessions/open.ts';
import { linkTokenHash } from '../mail/queue-mail.ts';
import { findMembership, insertMembership, lockMembers } from '../members/store.ts';
import { findByToken, markAccepted, type OpenInvite } from './store.ts';

/** An organization that a user has joined. */
export interface Joined {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
}

/** Accepts an invitation as the signed-in user, whose address must be the invited one. The session stays in its
 *  organization.
 *  @throws {AppError} VALIDATION_ERROR for an invalid token; FORBIDDEN if it is for another user; CONFLICT if it was
 *  used, or the user is already a member */
export async function acceptInvite(
  deps: Pick<Deps, 'db' | 'clock'>,
  viewer: Viewer,
  origin: Origin,
  token: string,
): Promise<Joined> {
  const now = deps.clock.now();
  return deps.db.$transaction(async (db) => {
    const invite = await lockInvite(db, token, now);
    if (invite.email !== viewer.email)
      throw forbidden`${arg('invite_token')} is for a different address than "${viewer.email}"${fix}sign in with the invited address`;
    await join(db, origin, invite, { userId: viewer.userId, now });
    return { id: invite.organizationId, name: invite.organizationName, role: invite.role };
  });
}

/** Finds the invitation of a link, if it can be accepted, and locks it against being accepted, changed or revoked by
 *  others until the transaction ends.
 *  @throws {AppError} VALIDATION_ERROR if the token is unknown, revoked or expired; CONFLICT if it was used */
export async function lockInvite(db: Db, token: string, now: Date): Promise<OpenInvite> {
  const found = await findByToken(db, linkTokenHash(token));
  if (!found) throw invalid`${arg('invite_token')} is unknown: the link is incomplete, or a newer one was sent`;
  // Invitations change under the lock of the organization's members, so read it again after locking.
  await lockMembers(db, found.organizationId);
  const invite = await findByToken(db, linkTokenHash(token));
  if (!invite || invite.revokedAt) throw invalid`${arg('invite_token')} was revoked${fix}ask for a new one`;
  if (invite.acceptedAt) throw conflict`${arg('invite_token')} was already accepted${fix}sign in`;
  if (invite.expiresAt <= now)
    throw invalid`${arg('invite_token')} expired on ${invite.expiresAt.toISOString()}${fix}ask for a new one`;
  return invite;
}

/** Makes a user a member as specified by a locked invitation.
 *  @throws {AppError} CONFLICT if they are already a member */
export async function join(
  db: Db,
  origin: Origin,
  invite: OpenInvite,
  { userId, now }: { userId: string; now: Date },
): Promise<void> {
  const { id, organizationId, email, role, access } = invite;
  if (await findMembership(db, organizationId, { userId }))
    throw conflict`"${email}" is already a member of the organization`;
  await insertMembership(db, { organizationId, userId, role, access, joinedAt: now });
  await markAccepted(db, invite, now);
  const actor = { organizationId, userId, email, ...origin };
  const details = { email, role };
  await writeAudit(db, actor, { action: 'invite_accepted', resourceType: 'invite', resourceId: id, details });
}
