import type { Deps } from '../../kit/deps.ts';
import { arg, fix, invalid } from '../../kit/errors.ts';
import { unlockLogin } from '../auth/lockout.ts';
import { checkNewPassword, hashPassword } from '../auth/password.ts';
import type { Origin } from '../auth/session.ts';
import { linkTokenHash } from '../mail/link-token.ts';
import { replace } from './replace.ts';
import { findReset, takeReset } from './store.ts';

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
