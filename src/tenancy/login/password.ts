import { readFileSync } from 'node:fs';
import { hash, verify } from '@node-rs/argon2';
import { arg, fix, invalid } from '../../kit/errors/errors.ts';
import type { PasswordCost } from '../../kit/config/config.ts';

/** Length of a password in characters (NIST SP 800-63B: at least 8, no composition rules). */
const passwordCharacters = { min: 8, max: 128 } as const;

/** Bounds of a new password. */
export const newPasswordRule = {
  format: 'password',
  minLength: passwordCharacters.min,
  maxLength: passwordCharacters.max,
} as const;

/** Bounds of an existing password: older ones may be shorter. */
export const triedPasswordRule = { format: 'password', minLength: 1, maxLength: passwordCharacters.max } as const;

/** Decoy hashes by cost, verified against for unknown addresses, so that both cases cost the same. */
const decoys = new Map<PasswordCost, Promise<string>>();
let common: ReadonlySet<string> | null = null;

/** Rejects weak passwords.
 *  @param email address of its user; null if not known yet
 *  @param field how the client spells it
 *  @throws {AppError} VALIDATION_ERROR if it is too short, too long, common, or the address itself */
export function checkNewPassword(password: string, email: string | null, field = 'password'): void {
  if (!password.isWellFormed()) throw invalid`${arg(field)} contains an unpaired surrogate`;
  // Checks the normalized form, because that is what is hashed: `ｐａｓｓｗｏｒｄ` becomes `password`, and four letters with
  // combining accents are four characters.
  const hashed = normalized(password);
  const given = [...password].length;
  const length = given > passwordCharacters.max ? given : Math.min(given, [...hashed].length);
  if (length < passwordCharacters.min || length > passwordCharacters.max) {
    throw invalid`${arg(field)} must have ${passwordCharacters.min} to ${passwordCharacters.max} characters, not ${length}`;
  }
  const folded = hashed.toLowerCase();
  if (folded === email || commonPasswords().has(folded)) {
    throw invalid`${arg(field)} is one of the most common passwords${fix}choose another one`;
  }
}

/** Hashes with Argon2id (RFC 9106), in PHC string format. */
export function hashPassword(password: string, { memoryKiB, passes }: PasswordCost): Promise<string> {
  return hash(normalized(password), { memoryCost: memoryKiB, timeCost: passes, parallelism: 1 });
}

/** Verifies a password against its hash. Without a hash, returns false after the same time.
 *  @param cost cost of new hashes */
export async function verifyPassword(
  password: string,
  passwordHash: string | null,
  cost: PasswordCost,
): Promise<boolean> {
  const matches = await verify(passwordHash ?? (await decoyOf(cost)), normalized(password));
  return matches && passwordHash !== null;
}

function decoyOf(cost: PasswordCost): Promise<string> {
  const decoy = decoys.get(cost) ?? hashPassword('', cost);
  decoys.set(cost, decoy);
  return decoy;
}

/** Normalizes a password, because keyboards may compose characters differently (NIST SP 800-63B, section 3.1.1.2). */
function normalized(password: string): string {
  return password.normalize('NFKC');
}

/** Common passwords: lower case, at least 8 characters. Our own list of known words and keyboard walks with common
 *  suffixes. */
function commonPasswords(): ReadonlySet<string> {
  common ??= new Set(readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8').split('\n'));
  return common;
}
