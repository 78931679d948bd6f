/** Returns the obvious error in an email address, or null; the server validates it. */
export function emailFault(text: string): string | null {
  if (text.trim() === '') return 'Enter your email address';
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim()) ? null : 'Enter an address such as ana@example.com';
}

/** Returns the error in a new password, or null. */
export function newPasswordFault(text: string): string | null {
  const length = [...text].length;
  if (length < 8) return 'Use at least 8 characters';
  return length > 128 ? 'Use at most 128 characters' : null;
}

/** Returns the error in a name, or null. */
export function nameFault(text: string, what: string): string | null {
  const length = [...text.trim()].length;
  if (length === 0) return `Enter ${what}`;
  return length > 100 ? 'Use at most 100 characters' : null;
}

/** The server's password rules, shown before the first error. */
export const passwordRules =
  'At least 8 characters. Common passwords are rejected; a phrase of several words works well.';
