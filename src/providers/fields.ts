import { z } from 'zod';
import { arg, fix, invalid, mention, type Part } from '../kit/errors/errors.ts';
import { blank } from '../kit/errors/refusals.ts';
import type { Rule } from '../kit/text/cloud-names.ts';
import { snakeOf } from '../kit/text/case.ts';

const text = z.string().nullish();
const texts = z.array(z.string()).nullish();

const settingsShape = z.object({
  source: z.literal('uploads').nullish(),
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

/** Settings as sent and stored, for all providers; each uses some. Absent and null are equivalent. */
export type SettingsFields = z.infer<typeof settingsShape>;

export type SettingName = keyof SettingsFields;

/** Names of all providers' settings. */
export const settingNames = settingsShape.keyof().options;

/** Parses stored settings; missing ones are absent. */
export function parseSettings(stored: unknown): SettingsFields {
  return settingsShape.catch({}).parse(stored);
}

/** Credentials as sent, for all providers. Messages never contain them. */
export type CredentialFields = {
  readonly [
    name in 'roleArn' | 'accessKeyId' | 'secretAccessKey' | 'sessionToken' | 'tenantId' | 'clientId' | 'clientSecret'
  ]?: string | null | undefined;
} & { readonly serviceAccountJson?: object | null | undefined };

/** Converts a rule to JSON Schema keywords, which cannot express a pattern with flags. */
function keywordsOf({ pattern, maxLength, format }: Rule): Readonly<Record<string, unknown>> {
  if (format !== undefined) return { format };
  const limit = maxLength === undefined ? {} : { maxLength };
  return pattern.flags === '' ? { ...limit, pattern: pattern.source } : limit;
}

/** Converts rules by name to JSON Schema keywords. */
export function keywordsByName<Name extends string>(rules: Readonly<Record<Name, Rule>>) {
  const entries = Object.entries<Rule>(rules).map(([name, rule]) => [name, keywordsOf(rule)]);
  return Object.fromEntries(entries) as Readonly<Record<Name, ReturnType<typeof keywordsOf>>>;
}

/** Converts a rule for list items to JSON Schema keywords. */
export function listKeywordsOf(rule: Rule, most: number): Readonly<Record<string, unknown>> {
  return { maxItems: most, items: keywordsOf(rule) };
}

/** Validates an optional text.
 *  @param at the field as spelled in REST, such as `settings.bucket`
 *  @returns null if absent
 *  @throws {AppError} VALIDATION_ERROR naming the field and its rule */
export function optional(at: string, value: string | null | undefined, rule: Rule): string | null {
  if (value === null || value === undefined) return null;
  if (rule.pattern.test(value) && value.length <= (rule.maxLength ?? Infinity)) return value;
  throw invalid`${arg(at, shown(at, value))} must be ${rule.says}`;
}

/** Validates a required text.
 *  @throws {AppError} VALIDATION_ERROR as `optional`, and when absent */
export function required(at: string, value: string | null | undefined, rule: Rule): string {
  const read = optional(at, value, rule);
  if (read === null) throw invalid`${arg(at)} is required: ${rule.says}`;
  return read;
}

/** Validates a list; returns it sorted and without duplicates. Absent is empty.
 *  @throws {AppError} VALIDATION_ERROR naming the item */
export function list(at: string, values: readonly string[] | null | undefined, rule: Rule, most: number): string[] {
  const given = values ?? [];
  if (given.length > most) throw invalid`${arg(at)} has ${given.length} items; at most ${most} are allowed`;
  return [...new Set(given.map((value, index) => required(`${at}[${index}]`, value, rule)))].toSorted();
}

/** Rejects fields that a provider does not use, so that none is silently ignored.
 *  @throws {AppError} VALIDATION_ERROR naming the first of them */
export function refuseOthers(
  at: 'settings' | 'credentials',
  given: object,
  takes: readonly string[],
  who: readonly Part[] | string,
): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined || takes.includes(name)) continue;
    throw invalid`${arg(`${at}.${snakeOf(name)}`)} is not valid for ${who}${fix}use ${mention(...takes.map(snakeOf))}`;
  }
}

/** Rejects blank texts: use null to clear a setting. Only a prefix can be empty.
 *  @throws {AppError} VALIDATION_ERROR naming the first of them */
export function refuseBlank(at: 'settings' | 'credentials', given: object | null | undefined): void {
  for (const [name, value] of Object.entries(given ?? {})) {
    if (typeof value !== 'string' || value.trim() !== '' || (name === 'prefix' && value === '')) continue;
    throw blank(arg(`${at}.${snakeOf(name)}`, value));
  }
}

/** Returns a normalized key prefix, with `/` only between names; empty for none.
 *  @throws {AppError} VALIDATION_ERROR when it could point to a different place than it seems to */
export function readPrefix(at: string, value: string | null | undefined): string {
  if (value === null || value === undefined || value === '') return '';
  const prefix = required(at, value, prefixRule).replaceAll(/^\/+|\/+$/g, '');
  const hasStep = prefix.split('/').some((name) => name === '' || name === '.' || name === '..');
  if (hasStep && prefix !== '')
    throw invalid`${arg(at, shown(at, value))} must be names separated by "/", without "." and ".."`;
  return prefix;
}

/** Letters of any language, because people name folders. No characters with a meaning in URLs, shells or patterns. */
export const prefixRule: Rule = {
  pattern: /^[\p{L}\p{N} !_.'()+=@,/-]+$/u,
  maxLength: 512,
  says: "the folder of the export: up to 512 letters, digits, spaces and !_.'()+=@,/-, and no URL",
};

/** Returns a value for a message only if it is short and plain: a secret or address in the wrong field is not repeated. */
function shown(at: string, value: string): string | null {
  return !at.startsWith('credentials.') && /^[\p{L}\p{N} _.,/-]{1,29}$/u.test(value) ? value : null;
}
