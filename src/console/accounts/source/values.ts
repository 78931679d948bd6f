import type { VariablesOf } from '../../api/graphql.ts';
import { isRecord, Refusal } from '../../api/refusal.ts';
import type { Account, ConnectAccount, Provider } from '../queries.ts';
import type { CredentialKind, Field, Way } from './fields.ts';
import { ways } from './ways.ts';

/** Field values by name; lists have one item per line. */
export type Values = Readonly<Record<string, string>>;

/** Settings in the API's format. */
export type Settings = NonNullable<VariablesOf<typeof ConnectAccount>['input']['settings']>;

/** Credentials in the API's format. */
export type Credentials = NonNullable<VariablesOf<typeof ConnectAccount>['input']['credentials']>;

const lists: ReadonlySet<string> = new Set(['subscriptionIds', 'scopes']);

/** Trimmed value of a field; empty if there is none. */
export function textOf(values: Values, name: string): string {
  return (values[name] ?? '').trim();
}

/** Items of a list field, separated by whitespace or commas. */
export function itemsOf(values: Values, name: string): string[] {
  return textOf(values, name)
    .split(/[\s,]+/)
    .filter((item) => item !== '');
}

/** Non-empty settings of a method. */
export function settingsOf({ fields, source }: Way, values: Values): Settings {
  const names = fields.filter(({ part }) => part === 'settings').map(({ name }) => name);
  const input = inputOf(names.filter((name) => textOf(values, name) !== '').map((name) => [name, values]));
  return source ? { ...input, source } : input;
}

/** Settings for an update: clears the provider's settings that the method or the form leaves empty. */
export function changedSettingsOf(provider: Provider, way: Way, values: Values): Settings {
  const own = new Set(way.fields.filter(({ part }) => part === 'settings').map(({ name }) => name));
  const all: readonly Way[] = ways[provider];
  const names = new Set(
    all.flatMap(({ fields }) => fields.filter(({ part }) => part === 'settings').map(({ name }) => name)),
  );
  const input = inputOf([...names].map((name) => [name, own.has(name) ? values : {}]));
  return all.some(({ source }) => source) ? { ...input, source: way.source ?? null } : input;
}

function inputOf(named: readonly (readonly [name: string, values: Values])[]): Settings {
  const entries = named.map(([name, values]) => {
    const value = lists.has(name) ? itemsOf(values, name) : textOf(values, name);
    return [name, value.length > 0 ? value : null] as const;
  });
  return Object.fromEntries(entries) as Settings;
}

/** Credentials of a kind; null if none are needed. */
export function credentialsOf(kind: CredentialKind | null, values: Values): Credentials | null {
  if (!kind) return null;
  const filled = kind.fields.filter(({ name }) => textOf(values, name) !== '');
  const texts: Partial<Record<Exclude<keyof Credentials, 'serviceAccountJson'>, string>> = Object.fromEntries(
    filled.filter((field) => field.kind !== 'file').map(({ name }) => [name, textOf(values, name)]),
  );
  const file = filled.find((field) => field.kind === 'file');
  return file ? { ...texts, serviceAccountJson: parseKey(textOf(values, file.name)) } : texts;
}

/** Parses a key file as JSON; null if it is invalid. */
export function parseKey(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return isRecord(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

/** Validation errors by field. */
export function faultsOf(fields: readonly Field[], values: Values): Readonly<Record<string, string>> {
  const faults = fields.flatMap((field): [string, string][] => {
    const text = textOf(values, field.name);
    if (text === '') return missing(fields, field, values);
    if (field.kind === 'file' && !parseKey(text))
      return [[field.name, 'This is not valid JSON; use the complete key file']];
    return unfit(field, values);
  });
  return Object.fromEntries(faults);
}

function missing(fields: readonly Field[], field: Field, values: Values): [string, string][] {
  const { name, label, isOptional, alternative } = field;
  const other = fields.find((one) => one.name === alternative);
  if (!other) return isOptional ? [] : [[name, `${label} is missing`]];
  return textOf(values, other.name) === '' ? [[name, `Fill in “${label}” or “${other.label}”`]] : [];
}

function unfit({ name, label, kind, rule }: Field, values: Values): [string, string][] {
  if (!rule) return [];
  const isFit = (value: string) => rule.pattern.test(value) && value.length <= (rule.maxLength ?? Infinity);
  if (kind !== 'list') return isFit(textOf(values, name)) ? [] : [[name, `${label} must be ${rule.says}`]];
  const wrong = itemsOf(values, name).find((item) => !isFit(item));
  return wrong === undefined ? [] : [[name, `“${wrong}” must be ${rule.says}`]];
}

/** Field values for an account's settings. */
export function valuesOf(settings: Account['settings']): Values {
  const entries = Object.entries(settings).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : (value ?? []).join('\n'),
  ]);
  return Object.fromEntries(entries);
}

/** Connection method of an account. */
export function wayOf(provider: Provider, { source, path, bucket, storageAccount }: Account['settings']): Way {
  const key =
    provider === 'FOCUS'
      ? source
        ? 'uploads'
        : path
          ? 'folder'
          : storageAccount
            ? 'container'
            : 'bucket'
      : (provider === 'AWS' && !bucket) || (provider === 'AZURE' && !storageAccount)
        ? 'api'
        : 'export';
  return wayNamed(provider, key);
}

/** Provider's method by key; its recommended one if the key is unknown. */
export function wayNamed(provider: Provider, key: string | null): Way {
  const [best, ...others]: readonly Way[] = ways[provider];
  const found = others.find((way) => way.key === key) ?? best;
  if (!found) throw new Error(`no source is defined for ${provider}`);
  return found;
}

/** Whether the new location is another kind of store, which the current credentials cannot read. */
export function needsOtherCredentials(before: Values, after: Values): boolean {
  const store = (values: Values) =>
    textOf(values, 'source')
      ? 'uploads'
      : textOf(values, 'path')
        ? 'folder'
        : textOf(values, 'storageAccount')
          ? 'container'
          : textOf(values, 'endpoint');
  return store(before) !== store(after);
}

/** Field that the server rejected, with the reason. */
export interface RefusedField {
  readonly name: string;
  readonly text: string;
}

/** Returns the field that an API error names, if it is one of `fields`. */
export function refusedField(refusal: Refusal | null, fields: readonly Field[]): RefusedField | null {
  if (refusal?.code !== 'VALIDATION_ERROR' || refusal.field === null) return null;
  const steps = refusal.field.split('.');
  const [name = ''] = (isPart(steps[0]) ? steps.slice(1) : steps).map(nameOf);
  const field = fields.find((known) => known.name === name);
  return field ? { name, text: inWords(refusal.labelled(field.label), fields) } : null;
}

/** Rewords an API error for the form: replaces field names with labels and drops API operations. */
export function plainRefusal(refusal: Refusal | null, fields: readonly Field[]): Refusal | null {
  if (!refusal) return null;
  const text = refusedField(refusal, fields)?.text ?? inWords(plainText(refusal), fields);
  return new Refusal(refusal.code, text, refusal);
}

function plainText(refusal: Refusal): string {
  if (connectedAlready(refusal) !== null) return 'This source is already connected as another account';
  return refusal.operation === null ? refusal.message : refusal.labelled(refusal.field ?? '');
}

/** ID of the account that an API error reports as having the same source or sharing charges; null if it names none. */
export function connectedAlready(refusal: Refusal | null): string | null {
  return refusal?.code === 'CONFLICT' ? refusal.resourceId : null;
}

/** Replaces field names with their labels. */
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

/** Converts a step of a field path to GraphQL spelling and drops its list index. */
function nameOf(step: string): string {
  const name = step.split('[', 1)[0] ?? '';
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
