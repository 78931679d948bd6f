import { invalid } from '../../kit/errors.ts';
import { passwordCharacters } from './password.ts';

const nameCharacters = 100;
const emailCharacters = 254;
const localPartCharacters = 64;

/** The ASCII addresses of RFC 5321 in practice: a dot-atom, and a domain of at least two labels. */
const emailForm =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** Control characters, line and paragraph separators, and the marks that turn the direction of text. */
export const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** Reads an address: trimmed, lower case.
 *  @param field how the client spells it
 *  @throws {AppError} VALIDATION_ERROR naming the field when it is none */
export function parseEmail(text: string, field = 'email'): string {
  const email = text.trim().toLowerCase();
  const fits = email.length <= emailCharacters && email.indexOf('@') <= localPartCharacters;
  if (!fits || !emailForm.test(email)) throw invalid(`${field} must be an address such as ana@example.com`);
  return email;
}

/** Something that can be seen: not a space, nor a character that leaves no trace. */
const seen = /[^\s\p{Default_Ignorable_Code_Point}]/u;

/** Reads a display name: trimmed, 1 to 100 characters on one line, not all of them invisible.
 *  @param field how the client spells it
 *  @throws {AppError} VALIDATION_ERROR naming the field */
export function parseName(text: string, field: string): string {
  const name = text.trim();
  const length = [...name].length;
  if (length === 0 || length > nameCharacters) {
    throw invalid(`${field} must have 1 to ${nameCharacters} characters, not ${length}`);
  }
  if (!name.isWellFormed() || unprintable.test(name)) throw invalid(`${field} must not hold control characters`);
  if (!seen.test(name)) throw invalid(`${field} must have a character that can be seen`);
  return name;
}

/** Bounds a password that somebody tries, without telling what a good one looks like beyond the published limits.
 *  @throws {AppError} VALIDATION_ERROR when it is empty or longer than any password can be */
export function boundPassword(password: string): string {
  const length = [...password].length;
  if (length === 0 || length > passwordCharacters.max) {
    throw invalid(`password must have 1 to ${passwordCharacters.max} characters, not ${length}`);
  }
  return password;
}
