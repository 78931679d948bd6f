import { z } from 'zod';
import { arg, fix, invalid, mention, type Part } from '../kit/errors.ts';
import { blank } from '../kit/refusals.ts';

const text = z.string().nullish();
const texts = z.array(z.string()).nullish();

const settingsShape = z.object({
  path: text,
  bucket: text,
  prefix: text,
  exportName: text,
  region: text,
  endpoint: text,
  subscriptionIds: texts,
  billingScope: text,
  storageAccount: text,
  container: text,
  billingProject: text,
  dataset: text,
  table: text,
  location: text,
  scopes: texts,
});

/** Settings as they are sent and stored: those of every provider, of which each takes some. Absent and null say the same. */
export type SettingsFields = z.infer<typeof settingsShape>;

export type SettingName = keyof SettingsFields;

/** Every setting that any provider has. */
export const settingNames = settingsShape.keyof().options;

/** Reads stored settings; what they do not hold is absent. */
export function parseSettings(stored: unknown): SettingsFields {
  return settingsShape.catch({}).parse(stored);
}

/** Credentials as they are sent: those of every provider. Nothing of them is ever repeated in a message. */
export interface CredentialFields {
  readonly roleArn?: string | null | undefined;
  readonly accessKeyId?: string | null | undefined;
  readonly secretAccessKey?: string | null | undefined;
  readonly sessionToken?: string | null | undefined;
  readonly tenantId?: string | null | undefined;
  readonly clientId?: string | null | undefined;
  readonly clientSecret?: string | null | undefined;
  readonly serviceAccountJson?: object | null | undefined;
}

/** What a text must be. */
export interface Rule {
  readonly pattern: RegExp;
  /** In characters, where the pattern has no limit. */
  readonly maxLength?: number;
  /** What JSON Schema calls texts of this pattern. */
  readonly format?: 'uuid';
  /** Goes on "must be …". */
  readonly says: string;
}

/** A rule as JSON Schema keywords. A pattern with flags has no spelling there. */
export function keywordsOf({ pattern, maxLength, format }: Rule): Readonly<Record<string, unknown>> {
  if (format !== undefined) return { format };
  const limit = maxLength === undefined ? {} : { maxLength };
  return pattern.flags === '' ? { ...limit, pattern: pattern.source } : limit;
}

/** A list of texts of one rule as JSON Schema keywords. */
export function listKeywordsOf(rule: Rule, most: number): Readonly<Record<string, unknown>> {
  return { maxItems: most, items: keywordsOf(rule) };
}

/** Reads a text that may be absent.
 *  @param at the field as REST spells it, such as `settings.bucket`
 *  @returns null when it is absent
 *  @throws {AppError} VALIDATION_ERROR naming the field, and what it must be */
export function optional(at: string, value: string | null | undefined, rule: Rule): string | null {
  if (value === null || value === undefined) return null;
  if (rule.pattern.test(value) && value.length <= (rule.maxLength ?? Infinity)) return value;
  throw invalid`${arg(at, shown(at, value))} must be ${rule.says}`;
}

/** Reads a text that must be there.
 *  @throws {AppError} VALIDATION_ERROR as `optional`, and when it is absent */
export function required(at: string, value: string | null | undefined, rule: Rule): string {
  const read = optional(at, value, rule);
  if (read === null) throw invalid`${arg(at)} is required: ${rule.says}`;
  return read;
}

/** Reads a list without doubles, sorted; absent is empty.
 *  @throws {AppError} VALIDATION_ERROR naming the item */
export function list(at: string, values: readonly string[] | null | undefined, rule: Rule, most: number): string[] {
  const given = values ?? [];
  if (given.length > most) throw invalid`${arg(at)} has ${given.length} items; at most ${most} are allowed`;
  return [...new Set(given.map((value, index) => required(`${at}[${index}]`, value, rule)))].toSorted();
}

/** Refuses fields that a provider does not take, so that none is silently without effect.
 *  @throws {AppError} VALIDATION_ERROR naming the first of them */
export function refuseOthers(
  at: 'settings' | 'credentials',
  given: object,
  takes: readonly string[],
  who: readonly Part[] | string,
): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined || takes.includes(name)) continue;
    throw invalid`${arg(`${at}.${snake(name)}`)} is not valid for ${who}${fix}use ${mention(...takes.map(snake))}`;
  }
}

/** Refuses blank texts: they are no value, and null is how a setting is cleared. Only a prefix can be empty.
 *  @throws {AppError} VALIDATION_ERROR naming the first of them */
export function refuseBlank(at: 'settings' | 'credentials', given: object | null | undefined): void {
  for (const [name, value] of Object.entries(given ?? {})) {
    if (typeof value !== 'string' || value.trim() !== '' || (name === 'prefix' && value === '')) continue;
    throw blank(arg(`${at}.${snake(name)}`, value));
  }
}

/** A key's prefix, `/` between names and none at the ends; empty for none.
 *  @throws {AppError} VALIDATION_ERROR for what could name another place than it seems to */
export function readPrefix(at: string, value: string | null | undefined): string {
  if (value === null || value === undefined || value === '') return '';
  const prefix = required(at, value, prefixRule).replaceAll(/^\/+|\/+$/g, '');
  const hasStep = prefix.split('/').some((name) => name === '' || name === '.' || name === '..');
  if (hasStep && prefix !== '')
    throw invalid`${arg(at, shown(at, value))} must be names with one "/" between them, without "." and ".."`;
  return prefix;
}

/** Letters of any language: folders are named by people. No sign that URLs, shells or patterns give a meaning to. */
export const prefixRule: Rule = {
  pattern: /^[\p{L}\p{N} !_.'()+=@,/-]+$/u,
  maxLength: 512,
  says: "the folder of the export: up to 512 letters, digits, spaces and !_.'()+=@,/-, and no address",
};

/** Of a value only what is short and plain: a secret or an address that was put into the wrong field is not repeated. */
function shown(at: string, value: string): string | null {
  return !at.startsWith('credentials.') && /^[\p{L}\p{N} _.,/-]{1,29}$/u.test(value) ? value : null;
}

/** `roleArn` becomes `role_arn`. */
export function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
