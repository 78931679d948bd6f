import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { arg, fix, invalid, unauthorized } from '../../kit/errors/errors.ts';
import { auditEverywhere, confirmPassword } from '../login/account.ts';
import { deleteChallenges } from '../login/store.ts';
import type { Origin } from '../sessions/open.ts';
import { passwordChangedLetter } from '../mail/letters.ts';
import { linkTokenHash, queueMail } from '../mail/queue-mail.ts';
import { isSessionOpen, revokeSessionsOf } from '../sessions/store.ts';
import { findReset, lockOwner, type Owner, replacePassword, takeReset } from './store.ts';
import type { Actor } from '../audit/store.ts';
import { checkNewPassword, hashPassword } from '../login/password.ts';
import type { Viewer } from '../auth/scope.ts';
import { unlockLogin } from '../login/lockout.ts';

/** How a password comes to be another one. */
interface Replacement {
  readonly userId: string;
  readonly passwordHash: string;
  readonly by: 'change' | 'reset';
  /** The session that goes on; null: every one ends. */
  readonly keptSessionId: string | null;
  /** Looks once more, now that nobody else changes the password, whether it may be; throws where it may not. */
  permit(db: Db, owner: Owner): Promise<void>;
}

/** Puts a new password in the place of the old one, ends what the old one led to, records it wherever the user is a member,
 *  and tells them by mail.
 *  @throws {AppError} what `permit` throws; UNAUTHORIZED when there is no such user any more */
async function replace(
  deps: Pick<Deps, 'db' | 'queue' | 'secrets' | 'clock' | 'config'>,
  origin: Origin,
  { userId, passwordHash, by, keptSessionId, permit }: Replacement,
): Promise<void> {
  const at = deps.clock.now();
  await deps.db.$transaction(async (db) => {
    // Others lock in this order: a challenge or a session, then the user. What came between the two is ended after.
    const before = await endLogins(db, { userId, keptSessionId }, at);
    const owner = await lockOwner(db, { userId });
    if (!owner) throw unauthorized`The user no longer exists`;
    await permit(db, owner);
    await replacePassword(db, userId, passwordHash, at);
    const ended = before + (await endLogins(db, { userId, keptSessionId }, at));
    const { email, name } = owner;
    const details = { by, sessions_ended: ended };
    const entry = { action: 'password_changed', resourceType: 'user', resourceId: userId, details } as const;
    await auditEverywhere(db, { ...origin, userId, email }, entry);
    const change = { to: email, name, at, ipAddress: origin.ipAddress, isReset: by === 'reset' };
    await queueMail(db, deps, passwordChangedLetter(deps.config, change), `password changed ${userId} ${at.getTime()}`);
  });
}

/** How many sessions it ended. */
async function endLogins(
  db: Db,
  { userId, keptSessionId }: Pick<Replacement, 'userId' | 'keptSessionId'>,
  at: Date,
): Promise<number> {
  await deleteChallenges(db, userId);
  return revokeSessionsOf(db, userId, keptSessionId, at);
}

/** Sets a new password for a caller who knows the old one. Their other sessions end.
 *  @throws {AppError} VALIDATION_ERROR naming the field; FORBIDDEN when the old password is wrong, which counts as a failed
 *  login; ACCOUNT_LOCKED after too many; UNAUTHORIZED when the session was ended in this very moment */
export async function changePassword(
  deps: Pick<Deps, 'db' | 'pool' | 'queue' | 'secrets' | 'clock' | 'config'>,
  viewer: Viewer,
  actor: Actor,
  { password, newPassword }: { password: string; newPassword: string },
): Promise<void> {
  checkNewPassword(newPassword, viewer.email, 'new_password');
  await confirmPassword(deps, viewer, actor, password);
  const passwordHash = await hashPassword(newPassword, deps.config.passwordCost);
  const { userId, sessionId } = viewer;
  await replace(deps, actor, {
    userId,
    passwordHash,
    by: 'change',
    keptSessionId: sessionId,
    async permit(db) {
      // A reset meanwhile has ended this session: then the old password proves nothing any more.
      const isOpen = sessionId !== null && (await isSessionOpen(db, sessionId, deps.clock.now()));
      if (!isOpen) throw unauthorized`The session has ended${fix}log in again`;
    },
  });
}

/** Sets a new password with the token of a mail: once, within an hour. Every session of the user ends, and so does a lock
 *  of their login: they have proven who they are. A password that is refused leaves the token good.
 *  @throws {AppError} VALIDATION_ERROR naming the field, also for a token that is unknown, was used or has expired */
export async function resetPassword(
  deps: Pick<Deps, 'db' | 'queue' | 'secrets' | 'clock' | 'config'>,
  origin: Origin,
  { token, password }: { token: string; password: string },
): Promise<void> {
  checkNewPassword(password, null);
  const tokenHash = linkTokenHash(token);
  const userId = await findReset(deps.db, tokenHash, deps.clock.now());
  if (userId === null) throw notGood();
  const passwordHash = await hashPassword(password, deps.config.passwordCost);
  await replace(deps, origin, {
    userId,
    passwordHash,
    by: 'reset',
    keptSessionId: null,
    async permit(db, { email }) {
      checkNewPassword(password, email);
      if (!(await takeReset(db, tokenHash, deps.clock.now()))) throw notGood();
      await unlockLogin(db, deps, email);
    },
  });
}

function notGood() {
  return invalid`${arg('token')} is invalid or expired: it works once, within an hour${fix}request a new email`;
}
