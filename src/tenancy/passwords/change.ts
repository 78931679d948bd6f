import type { Deps } from '../../kit/deps.ts';
import { fix, unauthorized } from '../../kit/errors.ts';
import type { Actor } from '../audit/store.ts';
import { confirmPassword } from '../auth/confirm-password.ts';
import { checkNewPassword, hashPassword } from '../auth/password.ts';
import type { Viewer } from '../auth/scope.ts';
import { isSessionOpen } from '../sessions/store.ts';
import { replace } from './replace.ts';

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
