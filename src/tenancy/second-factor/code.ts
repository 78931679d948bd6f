import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { arg, invalid } from '../../kit/errors.ts';
import { secondFactorMethods } from '../auth/session.ts';
import { parseRecoveryCode, recoveryCodeHashes } from './recovery-codes.ts';
import { readTotp, takeRecoveryCode, takeStep } from './store.ts';
import { stepOf } from './totp.ts';

/** Bounds of a TOTP or recovery code: no code is longer, whatever its spacing. */
export const codeRule = { minLength: 1, maxLength: 64, pattern: '\\S' } as const;

/** What kind of code was taken. */
export type CodeMethod = 'totp' | 'recovery_code';

/** Bounds a code that somebody tries.
 *  @throws {AppError} VALIDATION_ERROR naming the field when it is empty or longer than any code */
export function boundCode(code: string, field: string): string {
  const trimmed = code.trim();
  if (trimmed === '' || [...trimmed].length > codeRule.maxLength) {
    throw invalid`${arg(field)} must be the 6-digit code of the authenticator app, or a recovery code`;
  }
  return trimmed;
}

/** Takes a code of the user, TOTP or recovery, and uses it up. Call it in the transaction of what it opens. Null: it is
 *  wrong, or was used before. */
export async function takeCode(
  db: Db,
  deps: Pick<Deps, 'clock' | 'secrets'>,
  userId: string,
  text: string,
): Promise<CodeMethod | null> {
  const digits = digitsOf(text);
  if (digits !== null) return (await takeTotp(db, deps, userId, digits)) ? secondFactorMethods.totp : null;
  const code = parseRecoveryCode(text);
  if (code === null) return null;
  const hashes = recoveryCodeHashes(deps.secrets, userId, code);
  const isTaken = await takeRecoveryCode(db, userId, hashes, deps.clock.now());
  return isTaken ? secondFactorMethods.recoveryCode : null;
}

/** The 6 digits of a TOTP code, which apps show as `123 456`; null where the text is no such code. */
export function digitsOf(text: string): string | null {
  const digits = text.replaceAll(/\s/g, '');
  return /^\d{6}$/.test(digits) ? digits : null;
}

async function takeTotp(
  db: Db,
  { clock, secrets }: Pick<Deps, 'clock' | 'secrets'>,
  userId: string,
  digits: string,
): Promise<boolean> {
  const { secret: read, confirmedAt } = await readTotp(db, userId);
  if (!read || !confirmedAt) return false;
  const secret = secrets.decrypt(read, userId);
  const step = await stepOf(secret, digits, clock.now());
  if (step === null) return false;
  const kept = secrets.isCurrent(read) ? read : secrets.encrypt(secret, userId);
  return takeStep(db, userId, { step, read, kept });
}
