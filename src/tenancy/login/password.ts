import { readFileSync } from 'node:fs';
import { hash, verify } from '@node-rs/argon2';
import { arg, fix, invalid } from '../../kit/errors/errors.ts';
import type { Config, PasswordCost } from '../../kit/config/config.ts';
import { isBreached } from './breached.ts';

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

/** The user of a new password. */
interface PasswordOwner {
  readonly email: string;
  /** Names of the user and of their organization, as far as known. */
  readonly names: readonly string[];
}

/** Rejects weak passwords.
 *  @param owner null if not known yet
 *  @param field how the client spells it
 *  @throws {AppError} VALIDATION_ERROR if it is too short, too long, common, a pattern, made of names, or breached */
export function checkNewPassword(
  { breachedPasswords }: Pick<Config, 'breachedPasswords'>,
  password: string,
  owner: PasswordOwner | null,
  field = 'password',
): void {
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
  if (commonPasswords().has(folded))
    throw invalid`${arg(field)} is one of the most common passwords${fix}choose another one`;
  if (isPattern(folded))
    throw invalid`${arg(field)} is hardly more than a repeated or sequential pattern, such as "aaaa" or "1234"${fix}choose another one`;
  if (isMadeOfNames(folded, owner))
    throw invalid`${arg(field)} is made of a name that is easy to guess: yours, your address, your organization or this product${fix}choose another one`;
  if (breachedPasswords !== null && isBreached(breachedPasswords, password))
    throw invalid`${arg(field)} is known from a data breach${fix}choose another one, and change it wherever you use it`;
}

/** Longest unit whose repetition is a pattern, in characters. */
const patternUnit = 4;

/** Minimum number of characters in a password that do not follow from the preceding character. */
const unforeseenCharacters = 5;

/** Whether a password repeats a short unit, such as `abcabcabc`, or consists of few runs of equal or successive characters, such as
 *  `aaaa1234` (NIST SP 800-63B, section 3.1.1.2). */
function isPattern(folded: string): boolean {
  const codes = [...folded].map((character) => character.codePointAt(0) ?? 0);
  const repeats = (unit: number) => codes.every((code, at) => at < unit || code === codes[at - unit]);
  if (Array.from({ length: patternUnit }, (_, at) => at + 1).some(repeats)) return true;
  const unforeseen = codes.filter((code, at) => at === 0 || Math.abs(code - (codes[at - 1] ?? 0)) > 1);
  return unforeseen.length < unforeseenCharacters;
}

/** Names that do not depend on the user. */
const productNames = ['costkeep', 'finops'];

/** Shorter names and remainders occur in many good passwords, too. */
const nameCharacters = 4;

/** Whether a password has hardly more than names: at most 3 other letters, besides digits and punctuation. */
function isMadeOfNames(folded: string, owner: PasswordOwner | null): boolean {
  const [local = '', domain = ''] = owner?.email.split('@') ?? [];
  const texts = [...productNames, ...(owner ? [owner.email, local, domain, ...owner.names] : [])].map((text) =>
    normalized(text).toLowerCase(),
  );
  const names = texts.flatMap((text) => [text, text.replaceAll(/\s/g, ''), ...text.split(/[^\p{L}\p{N}]+/u)]);
  const long = names.filter((name) => name.length >= nameCharacters).sort((a, b) => b.length - a.length);
  const rest = long.reduce((text, name) => text.replaceAll(name, ''), folded);
  return rest !== folded && [...rest.replaceAll(/\P{L}/gu, '')].length < nameCharacters;
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

/** Common passwords: lower case, at least 8 characters. Those that leaks contain most often, and our own list of words
 *  and keyboard walks with common suffixes. */
function commonPasswords(): ReadonlySet<string> {
  common ??= new Set(readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8').split('\n'));
  return common;
}
