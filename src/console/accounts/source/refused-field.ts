import { Refusal } from '../../api/refusal.ts';
import type { Field } from './way.ts';

/** A field that the server refused, and why. */
export interface RefusedField {
  readonly name: string;
  readonly text: string;
}

/** The field that a refusal is about, where it is one of these. */
export function refusedField(refusal: Refusal | null, fields: readonly Field[]): RefusedField | null {
  if (refusal?.code !== 'VALIDATION_ERROR' || refusal.field === null) return null;
  const steps = refusal.field.split('.');
  const [name = ''] = (isPart(steps[0]) ? steps.slice(1) : steps).map(nameOf);
  const field = fields.find((known) => known.name === name);
  return field ? { name, text: inWords(refusal.labelled(field.label), fields) } : null;
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
  const named = fields.reduce(
    (text, { name, label }) =>
      text.replaceAll(`settings.${name}`, `“${label}”`).replaceAll(`credentials.${name}`, `“${label}”`),
    message,
  );
  return named
    .replace(/; see (GET \/accounts\/setup|accountSetup)/, '')
    .replace(/(: reconnect that one) with (PATCH \S+|updateAccount)/, '$1')
    .replace(/ as account "[\da-f-]{36}"/, ' as another account');
}

function isPart(step: string | undefined): boolean {
  return step === 'settings' || step === 'credentials';
}

/** A step of a path without its place in a list, as GraphQL spells it: the guide is asked through REST. */
function nameOf(step: string): string {
  const name = step.split('[', 1)[0] ?? '';
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
