import { Refusal } from '../../api/refusal.ts';
import type { Field } from './way.ts';

/** A field that the server refused, and why. */
export interface RefusedField {
  readonly name: string;
  readonly text: string;
}

const named = /^(?:settings\.|credentials\.)?([a-zA-Z_]+)(?:\[\d+\])?(?:\.[a-zA-Z_]+)? ((?:must|is|needs?|has) .+)$/s;

/** The field that a refusal is about, where its message begins with the name of one of these. */
export function refusedField(refusal: Refusal | null, fields: readonly Field[]): RefusedField | null {
  if (refusal?.code !== 'VALIDATION_ERROR') return null;
  const [, spelled = '', rest = ''] = named.exec(refusal.message) ?? [];
  const field = fields.find(({ name }) => name === camel(spelled));
  return field ? { name: field.name, text: inWords(`${field.label} ${rest}`, fields) } : null;
}

/** The refusal in the form's own words: fields by their labels, and no routes of the API. */
export function plainRefusal(refusal: Refusal | null, fields: readonly Field[]): Refusal | null {
  if (!refusal) return null;
  const message = refusedField(refusal, fields)?.text ?? inWords(refusal.message, fields);
  return new Refusal(refusal.code, message, refusal);
}

/** The account that a refusal says is connected already; null where it names none. */
export function connectedAlready(refusal: Refusal | null): string | null {
  if (refusal?.code !== 'CONFLICT') return null;
  return /as account "([\da-f-]{36})"/.exec(refusal.message)?.[1] ?? null;
}

function inWords(message: string, fields: readonly Field[]): string {
  return message
    .replaceAll(/(?:settings|credentials)\.([a-zA-Z_]+)/g, (whole, spelled: string) => {
      const field = fields.find(({ name }) => name === camel(spelled));
      return field ? `“${field.label}”` : whole;
    })
    .replace(/; see GET \/accounts\/setup$/, '')
    .replace('change that one with PATCH to connect it again', 'reconnect that one')
    .replace(/ as account "[\da-f-]{36}"/, ' as another account');
}

function camel(spelled: string): string {
  return spelled.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
