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

/** The refusal in the form's own words: fields by their labels, and no operations of the API. */
export function plainRefusal(refusal: Refusal | null, fields: readonly Field[]): Refusal | null {
  if (!refusal) return null;
  const text = refusedField(refusal, fields)?.text ?? inWords(plainText(refusal), fields);
  return new Refusal(refusal.code, text, refusal);
}

function plainText(refusal: Refusal): string {
  if (connectedAlready(refusal) !== null) return 'This source is already connected as another account';
  return refusal.operation === null ? refusal.message : refusal.labelled(refusal.field ?? '');
}

/** The account whose source a refusal says is the same, or shares charges; null where it names none. */
export function connectedAlready(refusal: Refusal | null): string | null {
  return refusal?.code === 'CONFLICT' ? refusal.resourceId : null;
}

/** Names fields by their labels. */
function inWords(message: string, fields: readonly Field[]): string {
  return fields.reduce(
    (text, { name, label }) =>
      text.replaceAll(`settings.${name}`, `“${label}”`).replaceAll(`credentials.${name}`, `“${label}”`),
    message,
  );
}

function isPart(step: string | undefined): boolean {
  return step === 'settings' || step === 'credentials';
}

/** A step of a path without its place in a list, as GraphQL spells it: the guide is asked through REST. */
function nameOf(step: string): string {
  const name = step.split('[', 1)[0] ?? '';
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
