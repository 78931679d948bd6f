import { randomInt } from 'node:crypto';
import { generateSecret, generateURI, verify } from 'otplib';
import { renderSVG } from 'uqr';
import type { Secrets } from '../../kit/secrets/crypto.ts';
import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { arg, invalid } from '../../kit/errors/errors.ts';
import { secondFactorMethods } from '../sessions/open.ts';
import { readTotp, takeRecoveryCode, takeStep } from './store.ts';

/** Name shown in authenticator apps. */
const issuer = 'Costkeep';
const stepSeconds = 30;
/** 160 bits, as recommended by RFC 4226, section 4. */
const secretBytes = 20;

/** Generates a TOTP secret in base32. */
export function newTotpSecret(): string {
  return generateSecret({ length: secretBytes });
}

/** The time step of a code, from one step before to one after the current one (RFC 6238, section 5.2); null for any
 *  other code.
 *  @param code 6 digits */
export async function stepOf(secret: string, code: string, now: Date): Promise<bigint | null> {
  const epoch = Math.floor(now.getTime() / 1000);
  const result = await verify({ secret, token: code, epoch, epochTolerance: stepSeconds, period: stepSeconds });
  return result.valid && 'timeStep' in result ? BigInt(result.timeStep) : null;
}

/** The secret as a URI for authenticator apps (Key URI format). */
export function otpauthUri(secret: string, email: string): string {
  return generateURI({ issuer, label: email, secret });
}

/** The URI as a QR code: an SVG document, black on white with the quiet zone of 4 modules required by ISO/IEC 18004. */
export function qrSvg(uri: string): string {
  return renderSVG(uri, { border: 4, ecc: 'M' });
}

/** Number of recovery codes per user. */
const recoveryCodeCount = 10;

/** Crockford's base 32: no I, L, O or U, to avoid misreading. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const groups = 6;
const groupLength = 4;
/** Older codes have half as many characters. */
const form = new RegExp(`^(?:[${alphabet}]{${groups * groupLength}}|[${alphabet}]{12})$`);

/** Generates ten codes such as `7K3D-9QXM-2HTV-C4WA-5RNE-8ZP0`, of 120 random bits each: with 112 or more, a fast hash is as safe as
 *  a slow one (OWASP ASVS 5.0, 6.5.2). */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodeCount }, () =>
    Array.from({ length: groups }, () => randomText(groupLength)).join('-'),
  );
}

/** Parses a typed code: case-insensitive, with or without hyphens and spaces, and with Crockford's letter
 *  substitutions for digits. Null if it cannot be one. */
export function parseRecoveryCode(text: string): string | null {
  const bare = text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return form.test(bare) ? bare : null;
}

/** Stored form of a code: its HMAC, bound to the user, by each configured key, the current one first.
 *  @param code from `parseRecoveryCode` */
export function recoveryCodeHashes(secrets: Pick<Secrets, 'hmacs'>, userId: string, code: string) {
  return secrets.hmacs('recovery code', `${userId} ${code}`);
}

function randomText(length: number): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}

/** Bounds of a TOTP or recovery code, including any spacing. */
export const codeRule = { minLength: 1, maxLength: 64, pattern: '\\S' } as const;

/** Kind of an accepted code. */
type CodeMethod = 'totp' | 'recovery_code';

/** Checks the length of a code.
 *  @throws {AppError} VALIDATION_ERROR naming the field if it is empty or longer than any code */
export function boundCode(code: string, field: string): string {
  const trimmed = code.trim();
  if (trimmed === '' || [...trimmed].length > codeRule.maxLength) {
    throw invalid`${arg(field)} must be the 6-digit code of the authenticator app, or a recovery code`;
  }
  return trimmed;
}

/** Verifies and consumes a TOTP or recovery code of the user. Call it in the transaction of the action that it
 *  authorizes. Null: wrong or already used. */
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

/** The 6 digits of a TOTP code, which apps show as `123 456`; null if the text is not such a code. */
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
