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

/** An organization that somebody has joined. */
export interface Joined {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
}

/** Accepts an invitation as a user who has signed in, with the address that was invited. The session stays where it is.
 *  @throws {AppError} VALIDATION_ERROR when the token is not good; FORBIDDEN when it is for somebody else; CONFLICT when it
 *  was used, or the user is a member already */
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
      throw forbidden`${arg('invite_token')} is for a different address than "${viewer.email}"${fix}log in with the invited address`;
    await join(db, origin, invite, { userId: viewer.userId, now });
    return { id: invite.organizationId, name: invite.organizationName, role: invite.role };
  });
}

/** The invitation of a link, if it can be accepted now; nobody else accepts, changes or takes it back until the transaction
 *  ends.
 *  @throws {AppError} VALIDATION_ERROR when the token is none of ours, was taken back or has expired; CONFLICT when it was
 *  used */
export async function lockInvite(db: Db, token: string, now: Date): Promise<OpenInvite> {
  const found = await findByToken(db, linkTokenHash(token));
  if (!found) throw invalid`${arg('invite_token')} is unknown: the link is incomplete, or a newer one was sent`;
  // Invitations change under the lock of the organization's members: what was read before it may have changed.
  await lockMembers(db, found.organizationId);
  const invite = await findByToken(db, linkTokenHash(token));
  if (!invite || invite.revokedAt) throw invalid`${arg('invite_token')} was revoked${fix}ask for a new one`;
  if (invite.acceptedAt) throw conflict`${arg('invite_token')} was already accepted${fix}log in`;
  if (invite.expiresAt <= now)
    throw invalid`${arg('invite_token')} expired on ${invite.expiresAt.toISOString()}${fix}ask for a new one`;
  return invite;
}

/** Makes a user a member, as an invitation that is locked says.
 *  @throws {AppError} CONFLICT when they are one already */
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
