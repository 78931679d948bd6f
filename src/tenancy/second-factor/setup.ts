import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { type AppError, arg, conflict, fix, forbidden, invalid, operation } from '../../kit/errors/errors.ts';
import { type Actor, writeAudit } from '../audit/store.ts';
import { attemptLogin } from '../login/lockout.ts';
import type { Viewer } from '../auth/scope.ts';
import {
  boundCode,
  digitsOf,
  newRecoveryCodes,
  newTotpSecret,
  otpauthUri,
  parseRecoveryCode,
  qrSvg,
  recoveryCodeHashes,
  stepOf,
  takeCode,
} from './code.ts';
import { auditEverywhere, confirmPassword, type UserActor } from '../login/account.ts';
import {
  deleteRecoveryCodes,
  deleteTotp,
  enableTotp,
  hasSecondFactor,
  listSecondFactors,
  proposeTotp,
  readTotp,
  replaceRecoveryCodes,
} from './store.ts';

/** Uses up a code of the caller and does what it was asked for in the same transaction. A wrong code counts towards the
 *  lockout as it does at login; a right one leaves the count as it is.
 *  @param code as `boundCode` gives it
 *  @throws {AppError} FORBIDDEN when the code is wrong or was already used; ACCOUNT_LOCKED after too many */
async function withCode<T extends object>(
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

/** Makes ten recovery codes for a user in place of all earlier ones. They are in the clear here and nowhere else. */
async function giveRecoveryCodes(
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
