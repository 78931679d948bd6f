import { arg, argItem, fix, invalid, type Subject } from '../kit/errors/errors.ts';

/** Format of a provider's slug: letters and digits of any script, and dashes, but no blanks or commas. There is no closed
 *  list, since any provider can have FOCUS bills. The pattern avoids \p{…}, because the API documents carry it to validators
 *  that do not support the `u` flag. */
export const providerRule = {
  pattern: '^[^\\s\\u0000-\\u002c./:-@\\[-`{-\\u009f\\u202a-\\u202e\\u2066-\\u2069]+$',
  minLength: 1,
  maxLength: 200,
} as const;

/** Bounds of a provider filter. */
export const providersRule = { items: providerRule } as const;

const form = new RegExp(providerRule.pattern, 'u');

/** Parses a provider's slug, in lower case. Slugs without bills are accepted: bills can still arrive.
 *  @throws {AppError} VALIDATION_ERROR naming the field, the value and examples */
function parseProvider(provider: string, at: Subject): string {
  if (!form.test(provider) || [...provider].length > providerRule.maxLength)
    throw invalid`${at} is not a provider${fix}use one slug such as aws, azure, gcp or oracle`;
  return provider.toLowerCase();
}

/** Parses the provider of a record.
 *  @throws {AppError} VALIDATION_ERROR as `parseProvider` */
export function parseOwnProvider(provider: string): string {
  return parseProvider(provider, arg('provider', provider));
}

/** Parses a provider filter and removes duplicates; null without one.
 *  @throws {AppError} VALIDATION_ERROR as `parseProvider` */
export function parseProviders(providers: readonly string[] | null | undefined): string[] | null {
  if (!providers) return null;
  const count = providers.length;
  const read = (value: string, index: number) => parseProvider(value, argItem('provider', { index, count, value }));
  return [...new Set(providers.map(read))];
}
