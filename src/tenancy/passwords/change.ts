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

/** A password replacement and its cause. */
interface Replacement {
  readonly userId: string;
  readonly passwordHash: string;
  readonly by: 'change' | 'reset';
  /** The session to keep; null: all sessions end. */
  readonly keptSessionId: string | null;
  /** Checks the permission again under the lock; throws if it is denied. */
  permit(db: Db, owner: Owner): Promise<void>;
}

/** Replaces a password, ends the logins based on the old one, audits it in all of the user's organizations, and
 *  notifies the user by email.
 *  @throws {AppError} the error of `permit`; UNAUTHORIZED if the user no longer exists */
async function replace(
  deps: Pick<Deps, 'db' | 'queue' | 'secrets' | 'clock' | 'config'>,
  origin: Origin,
  { userId, passwordHash, by, keptSessionId, permit }: Replacement,
): Promise<void> {
  const at = deps.clock.now();
  await deps.db.$transaction(async (db) => {
    // Same lock order as elsewhere: a challenge or a session, then the user. Logins opened between the two are ended
    // afterwards.
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

/** Returns the number of ended sessions. */
async function endLogins(
  db: Db,
  { userId, keptSessionId }: Pick<Replacement, 'userId' | 'keptSessionId'>,
  at: Date,
): Promise<number> {
  await deleteChallenges(db, userId);
  return revokeSessionsOf(db, userId, keptSessionId, at);
}

/** Changes the caller's password, given the old one. Their other sessions end.
 *  @throws {AppError} VALIDATION_ERROR naming the field; FORBIDDEN if the old password is wrong, which counts as a
 *  failed login; ACCOUNT_LOCKED after too many; UNAUTHORIZED if the session was ended concurrently */
export async function changePassword(
  deps: Pick<Deps, 'db' | 'pool' | 'queue' | 'secrets' | 'clock' | 'config'>,
  viewer: Viewer,
  actor: Actor,
  { password, newPassword }: { password: string; newPassword: string },
): Promise<void> {
  checkNewPassword(deps.config, newPassword, { email: viewer.email, names: [viewer.name] }, 'new_password');
  await confirmPassword(deps, viewer, actor, password);
  const passwordHash = await hashPassword(newPassword, deps.config.passwordCost);
  const { userId, sessionId } = viewer;
  await replace(deps, actor, {
    userId,
    passwordHash,
    by: 'change',
    keptSessionId: sessionId,
    async permit(db) {
      // A concurrent reset has ended this session: then the old password is no longer proof.
      const isOpen = sessionId !== null && (await isSessionOpen(db, sessionId, deps.clock.now()));
      if (!isOpen) throw unauthorized`The session has ended${fix}sign in again`;
    },
  });
}

/** Resets a password with the token from an email: once, within an hour. All of the user's sessions end, and so does a
 *  lock of their login, since they have proven their identity. If the new password is rejected, the token stays
 *  valid.
 *  @throws {AppError} VALIDATION_ERROR naming the field, also for a token that is unknown, used or expired */
export async function resetPassword(
  deps: Pick<Deps, 'db' | 'queue' | 'secrets' | 'clock' | 'config'>,
  origin: Origin,
  { token, password }: { token: string; password: string },
): Promise<void> {
  checkNewPassword(deps.config, password, null);
  const tokenHash = linkTokenHash(token);
  const userId = await findReset(deps.db, tokenHash, deps.clock.now());
  if (userId === null) throw notGood();
  const passwordHash = await hashPassword(password, deps.config.passwordCost);
  await replace(deps, origin, {
    userId,
    passwordHash,
    by: 'reset',
    keptSessionId: null,
    async permit(db, { email, name }) {
      checkNewPassword(deps.config, password, { email, names: [name] });
      if (!(await takeReset(db, tokenHash, deps.clock.now()))) throw notGood();
      await unlockLogin(db, deps, email);
    },
  });
}

function notGood() {
  return invalid`${arg('token')} is invalid or expired: it works once, within an hour${fix}request a new email`;
}
