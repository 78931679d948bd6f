import type { VariablesOf } from '../../api/graphql.ts';
import { isRecord, Refusal } from '../../api/refusal.ts';
import type { Account, ConnectAccount, Provider } from '../queries.ts';
import type { CredentialKind, Field, Way } from './fields.ts';
import { ways } from './ways.ts';

/** What stands in the fields, by their names; lists are one a line. */
export type Values = Readonly<Record<string, string>>;

/** Settings as the API takes them. */
export type Settings = NonNullable<VariablesOf<typeof ConnectAccount>['input']['settings']>;

/** Credentials as the API takes them. */
export type Credentials = NonNullable<VariablesOf<typeof ConnectAccount>['input']['credentials']>;

const lists: ReadonlySet<string> = new Set(['subscriptionIds', 'scopes']);

/** What a field holds, without spaces around; empty where nothing does. */
export function textOf(values: Values, name: string): string {
  return (values[name] ?? '').trim();
}

/** Items of a list field: one a line, or with commas between. */
export function itemsOf(values: Values, name: string): string[] {
  return textOf(values, name)
    .split(/[\s,]+/)
    .filter((item) => item !== '');
}

type Texts = Partial<Record<Exclude<keyof Settings, 'subscriptionIds' | 'scopes'>, string | null>>;
type Lists = Partial<Record<'subscriptionIds' | 'scopes', string[] | null>>;

/** The settings of a way, with only what is filled in. */
export function settingsOf({ fields }: Way, values: Values): Settings {
  const names = fields.filter(({ part }) => part === 'settings').map(({ name }) => name);
  return inputOf(names.filter((name) => textOf(values, name) !== '').map((name) => [name, values]));
}

/** The same for a change: what the provider has and the way or the form leaves empty is cleared. */
export function changedSettingsOf(provider: Provider, way: Way, values: Values): Settings {
  const own = new Set(way.fields.filter(({ part }) => part === 'settings').map(({ name }) => name));
  const all: readonly Way[] = ways[provider];
  const names = new Set(
    all.flatMap(({ fields }) => fields.filter(({ part }) => part === 'settings').map(({ name }) => name)),
  );
  return inputOf([...names].map((name) => [name, own.has(name) ? values : {}]));
}

function inputOf(named: readonly (readonly [name: string, values: Values])[]): Settings {
  const texts: Texts = Object.fromEntries(
    named.filter(([name]) => !lists.has(name)).map(([name, values]) => [name, textOf(values, name) || null]),
  );
  const several: Lists = Object.fromEntries(
    named
      .filter(([name]) => lists.has(name))
      .map(([name, values]) => [name, itemsOf(values, name).length > 0 ? itemsOf(values, name) : null]),
  );
  return { ...texts, ...several };
}

/** The credentials of a kind; null where none are needed. */
export function credentialsOf(kind: CredentialKind | null, values: Values): Credentials | null {
  if (!kind) return null;
  const filled = kind.fields.filter(({ name }) => textOf(values, name) !== '');
  const texts: Partial<Record<Exclude<keyof Credentials, 'serviceAccountJson'>, string>> = Object.fromEntries(
    filled.filter((field) => field.kind !== 'file').map(({ name }) => [name, textOf(values, name)]),
  );
  const file = filled.find((field) => field.kind === 'file');
  return file ? { ...texts, serviceAccountJson: parseKey(textOf(values, file.name)) } : texts;
}

/** A key file as JSON; null when it is none. */
export function parseKey(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return isRecord(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

/** What keeps the form from being sent, by field. */
export function faultsOf(fields: readonly Field[], values: Values): Readonly<Record<string, string>> {
  const faults = fields.flatMap((field): [string, string][] => {
    const text = textOf(values, field.name);
    if (text === '') return field.isOptional ? [] : [[field.name, `${field.label} is missing`]];
    if (field.kind === 'file' && !parseKey(text)) return [[field.name, 'This is no JSON: take the whole key file']];
    return [];
  });
  return Object.fromEntries(faults);
}

/** What an account's settings put into the fields. */
export function valuesOf(settings: Account['settings']): Values {
  const entries = Object.entries(settings).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : (value ?? []).join('\n'),
  ]);
  return Object.fromEntries(entries);
}

/** The way in which an account is connected. */
export function wayOf(provider: Provider, { path, bucket, storageAccount }: Account['settings']): Way {
  const key =
    provider === 'FOCUS'
      ? path
        ? 'folder'
        : storageAccount
          ? 'container'
          : 'bucket'
      : (provider === 'AWS' && !bucket) || (provider === 'AZURE' && !storageAccount)
        ? 'api'
        : 'export';
  return wayNamed(provider, key);
}

/** A provider's way by its key; the best one where there is none of that key. */
export function wayNamed(provider: Provider, key: string | null): Way {
  const [best, ...others]: readonly Way[] = ways[provider];
  const found = others.find((way) => way.key === key) ?? best;
  if (!found) throw new Error(`${provider} has no way of connecting`);
  return found;
}

/** Whether credentials for where the bills lay cannot be those for where they lie now: another kind of store. */
export function needsOtherCredentials(before: Values, after: Values): boolean {
  const store = (values: Values) =>
    textOf(values, 'path') ? 'folder' : textOf(values, 'storageAccount') ? 'container' : textOf(values, 'endpoint');
  return store(before) !== store(after);
}

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
