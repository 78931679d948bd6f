import type { Deps } from '../../kit/deps.ts';
import { conflict, type AppError } from '../../kit/errors.ts';
import { auditEverywhere, type UserActor } from '../auth/audit-everywhere.ts';
import { confirmPassword } from '../auth/confirm-password.ts';
import type { Viewer } from '../auth/scope.ts';
import { boundCode } from './code.ts';
import { withCode } from './step-up.ts';
import { deleteRecoveryCodes, deleteTotp, hasSecondFactor, readTotp } from './store.ts';

/** Turns the caller's TOTP off, for their password and a code, and destroys the secret. Recovery codes end with the last
 *  second factor that they stand in for. Where the organization requires one, that is no reason to refuse: whoever moves to
 *  another phone has to do this, and until they have set up the next one they can do nothing else.
 *  @throws {AppError} VALIDATION_ERROR naming the field; CONFLICT when TOTP is off; FORBIDDEN when password or code is
 *  wrong; ACCOUNT_LOCKED after too many */
export async function disableTotp(
  deps: Pick<Deps, 'db' | 'pool' | 'clock' | 'secrets' | 'config'>,
  viewer: Viewer,
  actor: UserActor,
  input: { password: string; code: string },
): Promise<void> {
  const code = boundCode(input.code, 'code');
  const { userId } = viewer;
  if (!(await readTotp(deps.db, userId)).confirmedAt) throw alreadyOff();
  await confirmPassword(deps, viewer, actor, input.password);
  await withCode(deps, { viewer, actor }, code, async (db) => {
    if (!(await deleteTotp(db, userId))) throw alreadyOff();
    const remaining = await hasSecondFactor(db, [userId]);
    if (remaining.size === 0) await deleteRecoveryCodes(db, userId);
    await auditEverywhere(db, actor, { action: 'two_factor_disabled', resourceType: 'user', resourceId: userId });
    return remaining;
  });
}

function alreadyOff(): AppError {
  return conflict`TOTP is already off`;
}
