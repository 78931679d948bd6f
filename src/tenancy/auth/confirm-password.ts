import type { Deps } from '../../kit/deps.ts';
import { arg, forbidden } from '../../kit/errors.ts';
import { writeAudit, type Actor } from '../audit/store.ts';
import { boundPassword } from './input.ts';
import { attemptLogin } from './lockout.ts';
import { verifyPassword } from './password.ts';
import type { Viewer } from './scope.ts';
import { findCredentials } from './store.ts';

/** Has the caller prove once more that it is them, before what cannot be undone. A wrong password counts towards the
 *  lockout as it does at login; a right one leaves the count as it is.
 *  @throws {AppError} VALIDATION_ERROR when it cannot be a password; FORBIDDEN when it is wrong; ACCOUNT_LOCKED */
export async function confirmPassword(
  deps: Pick<Deps, 'db' | 'pool' | 'clock' | 'secrets' | 'config'>,
  viewer: Viewer,
  actor: Actor,
  password: string,
): Promise<void> {
  const given = boundPassword(password);
  const attempt = async () => {
    const user = await findCredentials(deps.db, viewer.email);
    return (await verifyPassword(given, user?.passwordHash ?? null, deps.config.passwordCost)) ? true : null;
  };
  if (await attemptLogin(deps, viewer.email, attempt, () => false)) return;
  const details = { wrong: 'password', why: 'the password was asked for again' };
  await writeAudit(deps.db, actor, {
    action: 'failed_login',
    resourceType: 'user',
    resourceId: viewer.userId,
    details,
  });
  throw forbidden`${arg('password')} is wrong; nothing was changed`;
}
