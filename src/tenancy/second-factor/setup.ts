import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { type AppError, arg, conflict, fix, forbidden, invalid, operation } from '../../kit/errors/errors.ts';
import { type Actor, writeAudit } from '../audit/store.ts';
import { attemptLogin } from '../login/lockout.ts';
import { requireRecentLogin } from '../sessions/recent.ts';
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
import { confirmPassword, failedLogin, recordFactorChange, type UserActor } from '../login/account.ts';
import {
  deleteTotp,
  enableTotp,
  endRecoveryCodes,
  listSecondFactors,
  proposeTotp,
  readTotp,
  replaceRecoveryCodes,
} from './store.ts';

/** Consumes a code of the caller and runs the action in the same transaction. A wrong code counts towards the
 *  lockout as at login; a correct one does not reset the count.
 *  @param code from `boundCode`
 *  @throws {AppError} FORBIDDEN if the code is wrong or already used; ACCOUNT_LOCKED after too many */
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
      await writeAudit(db, actor, failedLogin(viewer.userId, { wrong: 'code', why: 'the code was requested again' }));
      return null;
    });
  const done = await attemptLogin(deps, viewer.email, attempt, () => false);
  if (!done) throw forbidden`${arg('code')} is wrong or was already used; nothing was changed`;
  return done;
}

/** Setup data for an authenticator app. */
export interface TotpSetup {
  /** Base32, for manual entry. */
  readonly secret: string;
  /** The secret as a URI. */
  readonly otpauthUri: string;
  /** The URI as a QR code, an SVG document. */
  readonly qrSvg: string;
}

/** Generates a TOTP secret for the caller, replacing an unconfirmed one. Logins do not require it until a code
 *  confirms that the app has it.
 *  @throws {AppError} CONFLICT if TOTP is already enabled; FORBIDDEN if the login is not recent */
export async function setUpTotp(deps: Pick<Deps, 'db' | 'secrets' | 'clock'>, viewer: Viewer): Promise<TotpSetup> {
  await requireRecentLogin(deps, viewer);
  const secret = newTotpSecret();
  const isKept = await proposeTotp(deps.db, viewer.userId, deps.secrets.encrypt(secret, viewer.userId));
  if (!isKept) throw alreadyOn();
  const uri = otpauthUri(secret, viewer.email);
  return { secret, otpauthUri: uri, qrSvg: qrSvg(uri) };
}

/** Enables TOTP with a code of the new secret, which consumes the code, and returns ten recovery codes that replace
 *  any earlier ones.
 *  @throws {AppError} VALIDATION_ERROR if the code does not match the secret; CONFLICT if nothing was set up, or
 *  TOTP is already enabled */
export async function confirmTotp(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets' | 'queue' | 'config'>,
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
    const entry = { action: 'two_factor_enabled', resourceType: 'user', resourceId: viewer.userId } as const;
    await recordFactorChange(db, deps, { viewer, actor }, entry);
    return giveRecoveryCodes(db, deps, viewer.userId);
  });
}

function alreadyOn(): AppError {
  return conflict`TOTP is already on${fix}turn it off with ${operation('POST /auth/2fa/disable')} before setting it up again`;
}

/** Generates ten recovery codes for a user, replacing all earlier ones. This is the only place where they exist in
 *  plain text. */
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

/** Replaces the caller's recovery codes with ten new ones, given their password and, if TOTP is enabled, a code. Users
 *  with only passkeys have no code, and may be asking because they have no recovery codes yet.
 *  @throws {AppError} VALIDATION_ERROR naming the field; CONFLICT without a second factor to replace; FORBIDDEN if
 *  the password or code is wrong; ACCOUNT_LOCKED after too many */
export async function renewRecoveryCodes(
  deps: Pick<Deps, 'db' | 'pool' | 'clock' | 'secrets' | 'queue' | 'config'>,
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
    const { userId } = viewer;
    const entry = { action: 'recovery_codes_renewed', resourceType: 'user', resourceId: userId } as const;
    await recordFactorChange(db, deps, { viewer, actor }, entry);
    return giveRecoveryCodes(db, deps, userId);
  };
  return code === null ? deps.db.$transaction(renew) : withCode(deps, { viewer, actor }, code, renew);
}

/** Disables the caller's TOTP, given their password and a code, and deletes the secret. Recovery codes are deleted
 *  with the last second factor that they replace. Allowed even if the organization requires one, because users need
 *  it to move to another phone; until they set up a new one, they can do nothing else.
 *  @throws {AppError} VALIDATION_ERROR naming the field; CONFLICT if TOTP is disabled; FORBIDDEN if the password or
 *  code is wrong; ACCOUNT_LOCKED after too many */
export async function disableTotp(
  deps: Pick<Deps, 'db' | 'pool' | 'clock' | 'secrets' | 'queue' | 'config'>,
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
    await endRecoveryCodes(db, userId);
    const entry = { action: 'two_factor_disabled', resourceType: 'user', resourceId: userId } as const;
    await recordFactorChange(db, deps, { viewer, actor }, entry);
    return {};
  });
}

function alreadyOff(): AppError {
  return conflict`TOTP is already off`;
}
