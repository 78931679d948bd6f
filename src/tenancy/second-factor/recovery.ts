import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { arg, conflict, fix, invalid } from '../../kit/errors.ts';
import { auditEverywhere, type UserActor } from '../auth/audit-everywhere.ts';
import { confirmPassword } from '../auth/confirm-password.ts';
import type { Viewer } from '../auth/scope.ts';
import { boundCode } from './code.ts';
import { newRecoveryCodes, parseRecoveryCode, recoveryCodeHashes } from './recovery-codes.ts';
import { withCode } from './step-up.ts';
import { listSecondFactors, replaceRecoveryCodes } from './store.ts';

/** Makes ten recovery codes for a user in place of all earlier ones. They are in the clear here and nowhere else. */
export async function giveRecoveryCodes(
  db: Db,
  { clock, secrets }: Pick<Deps, 'clock' | 'secrets'>,
  userId: string,
): Promise<string[]> {
  const codes = newRecoveryCodes();
  const hashes = codes.flatMap((code) => {
    const [current] = recoveryCodeHashes(secrets, userId, parseRecoveryCode(code) ?? code);
    return current ? [current] : [];
  });
  await replaceRecoveryCodes(db, userId, hashes, clock.now());
  return codes;
}

/** Gives the caller ten new recovery codes, for their password and, where TOTP is on, a code. Who has passkeys alone has
 *  no code to give, and may well ask because they have no recovery codes yet.
 *  @throws {AppError} VALIDATION_ERROR naming the field; CONFLICT when there is no second factor that they could stand in
 *  for; FORBIDDEN when password or code is wrong; ACCOUNT_LOCKED after too many */
export async function renewRecoveryCodes(
  deps: Pick<Deps, 'db' | 'pool' | 'clock' | 'secrets' | 'config'>,
  viewer: Viewer,
  actor: UserActor,
  input: { password: string; code?: string | null },
): Promise<string[]> {
  const code = input.code === undefined || input.code === null ? null : boundCode(input.code, 'code');
  const methods = await listSecondFactors(deps.db, viewer.userId);
  if (methods.length === 0) throw conflict`Recovery codes require a second factor${fix}set up TOTP or a passkey first`;
  if (methods.includes('totp') && code === null) throw invalid`${arg('code')} is required because TOTP is on`;
  await confirmPassword(deps, viewer, actor, input.password);
  const renew = async (db: Db) => {
    await auditEverywhere(db, actor, {
      action: 'recovery_codes_renewed',
      resourceType: 'user',
      resourceId: viewer.userId,
    });
    return giveRecoveryCodes(db, deps, viewer.userId);
  };
  return code === null ? deps.db.$transaction(renew) : withCode(deps, { viewer, actor }, code, renew);
}
