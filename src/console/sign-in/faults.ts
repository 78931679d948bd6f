import type { Refusal } from '../api/refusal.ts';

/** Messages at the fields of a form, by the field's name there. */
export type Faults<Field extends string> = Partial<Record<Field, string>>;

/** How the API spells a field, and what people read. */
type Spelling = readonly [api: string, label: string];

/** Lays a refusal that names a field at that field, in the form's words; empty when it names none of them. */
export function faultsOf<Field extends string>(
  refusal: Refusal | null,
  fields: Readonly<Record<Field, Spelling>>,
): Faults<Field> {
  const faults: Faults<Field> = {};
  if (refusal?.code !== 'VALIDATION_ERROR') return faults;
  for (const field in fields) {
    const [api, label] = fields[field];
    if (refusal.field === api) faults[field] = sentence(refusal.labelled(label));
  }
  return faults;
}

/** A sentence of the API as it stands on a page: with a capital and a full stop. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}${/[.?]$/.test(trimmed) ? '' : '.'}`;
}

/** What keeps a text from being an address; null when nothing that we know of. The server has the last word. */
export function emailFault(text: string): string | null {
  if (text.trim() === '') return 'Enter your email address';
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim()) ? null : 'Enter an address such as ana@example.com';
}

/** What keeps a text from being a new password. */
export function newPasswordFault(text: string): string | null {
  const length = [...text].length;
  if (length < 8) return 'Use at least 8 characters';
  return length > 128 ? 'Use at most 128 characters' : null;
}

/** What keeps a text from being a name. */
export function nameFault(text: string, what: string): string | null {
  const length = [...text.trim()].length;
  if (length === 0) return `Enter ${what}`;
  return length > 100 ? 'Use at most 100 characters' : null;
}

/** The server's rules for passwords, before somebody has to be told. */
export const passwordRules = 'At least 8 characters. Common passwords are refused; a few words in a row are good.';
