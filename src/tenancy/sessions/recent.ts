import type { Deps } from '../../kit/deps.ts';
import { fix, forbidden, unauthorized } from '../../kit/errors/errors.ts';
import type { Viewer } from '../auth/scope.ts';
import { findLoginTime } from './store.ts';

/** Period in which a login is recent, in milliseconds: an hour. */
const recentMs = 3_600_000;

/** Requires a recent login for a change of second factors that requires no password: a stolen session must not turn
 *  into permanent access.
 *  @throws {AppError} FORBIDDEN after an hour; UNAUTHORIZED if the session was ended concurrently */
export async function requireRecentLogin({ db, clock }: Pick<Deps, 'db' | 'clock'>, viewer: Viewer): Promise<void> {
  const now = clock.now();
  const loginTime = viewer.sessionId === null ? null : await findLoginTime(db, viewer.sessionId, now);
  if (!loginTime) throw unauthorized`The session has ended${fix}sign in again`;
  if (now.getTime() - loginTime.getTime() > recentMs)
    throw forbidden`Your last sign-in was more than an hour ago${fix}sign in again to change how you sign in`;
}
