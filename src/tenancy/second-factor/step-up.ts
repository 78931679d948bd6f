import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { arg, forbidden } from '../../kit/errors.ts';
import { writeAudit, type Actor } from '../audit/store.ts';
import { attemptLogin } from '../auth/lockout.ts';
import type { Viewer } from '../auth/scope.ts';
import { takeCode } from './code.ts';

/** Uses up a code of the caller and does what it was asked for in the same transaction. A wrong code counts towards the
 *  lockout as it does at login; a right one leaves the count as it is.
 *  @param code as `boundCode` gives it
 *  @throws {AppError} FORBIDDEN when the code is wrong or was already used; ACCOUNT_LOCKED after too many */
export async function withCode<T extends object>(
  deps: Pick<Deps, 'db' | 'pool' | 'clock' | 'secrets'>,
  caller: { viewer: Viewer; actor: Actor },
  code: string,
  act: (db: Db) => Promise<T>,
): Promise<T> {
  const { viewer, actor } = caller;
  const attempt = () =>
    deps.db.$transaction(async (db) => {
      if (await takeCode(db, deps, viewer.userId, code)) return act(db);
      const details = { wrong: 'code', why: 'the code was asked for again' };
      await writeAudit(db, actor, {
        action: 'failed_login',
        resourceType: 'user',
        resourceId: viewer.userId,
        details,
      });
      return null;
    });
  const done = await attemptLogin(deps, viewer.email, attempt, () => false);
  if (!done) throw forbidden`${arg('code')} is wrong or was already used; nothing was changed`;
  return done;
}
