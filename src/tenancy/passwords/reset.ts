import type { Deps } from '../../kit/deps.ts';
import { invalid } from '../../kit/errors.ts';
import { unlockLogin } from '../auth/lockout.ts';
import { checkNewPassword, hashPassword } from '../auth/password.ts';
import type { Origin } from '../auth/session.ts';
import { linkTokenHash } from '../mail/link-token.ts';
import { replace } from './replace.ts';
import { findReset, lockOwner, takeReset } from './store.ts';

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
  const passwordHash = await hashPassword(password);
  await deps.db.$transaction(async (db) => {
    const owner = await lockOwner(db, { userId });
    if (!owner || !(await takeReset(db, tokenHash, deps.clock.now()))) throw notGood();
    checkNewPassword(password, owner.email);
    await replace(db, deps, origin, { owner, passwordHash, by: 'reset', keptSessionId: null });
    await unlockLogin(db, deps, owner.email);
  });
}

function notGood() {
  return invalid('token is not good, or no longer: it is good once and for an hour; ask for a new mail');
}
