import type { Deps } from '../../kit/deps.ts';
import { arg, conflict, fix, invalid, operation, type AppError } from '../../kit/errors.ts';
import { auditEverywhere, type UserActor } from '../auth/audit-everywhere.ts';
import type { Viewer } from '../auth/scope.ts';
import { boundCode, digitsOf } from './code.ts';
import { giveRecoveryCodes } from './recovery.ts';
import { enableTotp, proposeTotp, readTotp } from './store.ts';
import { newTotpSecret, otpauthUri, qrSvg, stepOf } from './totp.ts';

/** What an authenticator app needs. */
export interface TotpSetup {
  /** Base32, for typing in. */
  readonly secret: string;
  /** The same as a link. */
  readonly otpauthUri: string;
  /** The link as a QR code, an SVG document. */
  readonly qrSvg: string;
}

/** Makes a TOTP secret for the caller, in place of one that was never confirmed. Nothing is asked for at login before a
 *  code of it has confirmed that the app has it.
 *  @throws {AppError} CONFLICT when TOTP is on */
export async function setUpTotp(deps: Pick<Deps, 'db' | 'secrets'>, viewer: Viewer): Promise<TotpSetup> {
  const secret = newTotpSecret();
  const isKept = await proposeTotp(deps.db, viewer.userId, deps.secrets.encrypt(secret, viewer.userId));
  if (!isKept) throw alreadyOn();
  const uri = otpauthUri(secret, viewer.email);
  return { secret, otpauthUri: uri, qrSvg: qrSvg(uri) };
}

/** Turns TOTP on with a code of the secret that was set up, and gives ten recovery codes in place of any earlier ones. The
 *  code is used up by that.
 *  @throws {AppError} VALIDATION_ERROR when the code is not the secret's; CONFLICT when nothing was set up, or TOTP is on */
export async function confirmTotp(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  viewer: Viewer,
  actor: UserActor,
  input: { code: string },
): Promise<string[]> {
  const digits = digitsOf(boundCode(input.code, 'code'));
  const { secret, confirmedAt } = await readTotp(deps.db, viewer.userId);
  if (confirmedAt) throw alreadyOn();
  if (!secret)
    throw conflict`There is no TOTP secret to confirm${fix}create one with ${operation('POST /auth/2fa/setup')} first`;
  const now = deps.clock.now();
  const step = digits === null ? null : await stepOf(deps.secrets.decrypt(secret, viewer.userId), digits, now);
  if (step === null)
    throw invalid`${arg('code')} is not the app’s current code${fix}check that the clock of the device is correct and that the app has the latest secret`;
  return deps.db.$transaction(async (db) => {
    if (!(await enableTotp(db, viewer.userId, { secret, step, now }))) throw alreadyOn();
    await auditEverywhere(db, actor, { action: 'two_factor_enabled', resourceType: 'user', resourceId: viewer.userId });
    return giveRecoveryCodes(db, deps, viewer.userId);
  });
}

function alreadyOn(): AppError {
  return conflict`TOTP is already on${fix}turn it off with ${operation('POST /auth/2fa/disable')} before setting it up again`;
}
