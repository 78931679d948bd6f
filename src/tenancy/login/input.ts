import { arg, invalid } from '../../kit/errors/errors.ts';
import { triedPasswordRule } from './password.ts';

const localPartCharacters = 64;

/** ASCII addresses as used in practice (RFC 5321): a dot-atom, and a domain with at least two labels. */
const emailForm =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** Bounds of an email address. */
export const emailRule = { format: 'email', minLength: 6, maxLength: 254 } as const;

// Spelled without \p{…}, because the API documents pass it to validators that do not support the `u` flag.
const unprintableSet = '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069';

/** Control characters, line and paragraph separators, and bidirectional formatting characters. */
export const unprintable = new RegExp(`[${unprintableSet}]`, 'u');

/** Single-line text without control characters. */
export const lineRule = { pattern: `^[^${unprintableSet}]*$` } as const;

/** Non-blank single-line text. */
export const visibleLineRule = {
  pattern: `^[^${unprintableSet}]*[^\\s${unprintableSet}][^${unprintableSet}]*$`,
} as const;

/** Parses an email address: trimmed, lower case.
 *  @param field its path; absent for the caller's own address, which errors never quote: it may be a password
 *  entered by mistake
 *  @throws {AppError} VALIDATION_ERROR naming the field if it is invalid */
export function parseEmail(text: string, field?: string): string {
  const email = text.trim().toLowerCase();
  const fits = email.length <= emailRule.maxLength && email.indexOf('@') <= localPartCharacters;
  if (!fits || !emailForm.test(email))
    throw invalid`${field === undefined ? arg('email') : arg(field, text.trim())} must be an address such as ana@example.com`;
  return email;
}

/** A visible character: neither whitespace nor ignorable. */
const seen = /[^\s\p{Default_Ignorable_Code_Point}]/u;

/** Bounds of a display name. */
export const nameRule = { ...visibleLineRule, minLength: 1, maxLength: 100 } as const;

/** Describes the format of a display name. */
export const nameText = 'Display name, 1 to 100 characters on one line.';

/** Parses a display name: trimmed, 1 to 100 characters on one line, not all of them invisible.
 *  @param field how the client spells it
 *  @throws {AppError} VALIDATION_ERROR naming the field */
export function parseName(text: string, field: string): string {
  const name = text.trim();
  const length = [...name].length;
  if (length < nameRule.minLength || length > nameRule.maxLength) {
    throw invalid`${arg(field)} must have ${nameRule.minLength} to ${nameRule.maxLength} characters, not ${length}`;
  }
  if (!name.isWellFormed() || unprintable.test(name)) throw invalid`${arg(field)} must not contain control characters`;
  if (!seen.test(name)) throw invalid`${arg(field)} must contain a visible character`;
  return name;
}

/** Checks the length of a password at sign-in, without revealing more about valid passwords than the published
 *  limits.
 *  @throws {AppError} VALIDATION_ERROR if it is empty or longer than any password can be */
export function boundPassword(password: string): string {
  const length = [...password].length;
  if (length < triedPasswordRule.minLength || length > triedPasswordRule.maxLength) {
    throw invalid`${arg('password')} must have 1 to ${triedPasswordRule.maxLength} characters, not ${length}`;
  }
  return password;
}
