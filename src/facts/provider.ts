import { arg, argItem, fix, invalid, type Subject } from '../kit/errors.ts';

/** The form of a provider's slug: letters and digits of any script, and dashes. Providers are no closed list, since any may
 *  have a FOCUS bill; but a blank or a comma is in no slug. The pattern has no \p{…}: the documents carry it to validators that
 *  do not know the flag `u`. */
export const providerRule = {
  pattern: '^[^\\s\\u0000-\\u002c./:-@\\[-`{-\\u009f\\u202a-\\u202e\\u2066-\\u2069]+$',
  minLength: 1,
  maxLength: 200,
} as const;

/** Bounds of a filter by providers. */
export const providersRule = { items: providerRule } as const;

const form = new RegExp(providerRule.pattern, 'u');

/** Reads a provider's slug, in lower case. One that no bill has is taken: it may yet come.
 *  @throws {AppError} VALIDATION_ERROR naming the field, the value and examples */
function parseProvider(provider: string, at: Subject): string {
  if (!form.test(provider) || [...provider].length > providerRule.maxLength)
    throw invalid`${at} is not a provider${fix}use one slug such as aws, azure, gcp or oracle`;
  return provider.toLowerCase();
}

/** Reads a provider's slug; null stays.
 *  @throws {AppError} VALIDATION_ERROR as `parseProvider` */
export function parseProviderOrNull(provider: string | null): string | null {
  return provider === null ? null : parseProvider(provider, arg('provider', provider));
}

/** Reads a filter by providers, each once; null where there is none.
 *  @throws {AppError} VALIDATION_ERROR as `parseProvider` */
export function parseProviders(providers: readonly string[] | null | undefined): string[] | null {
  if (!providers) return null;
  const count = providers.length;
  const read = (value: string, index: number) => parseProvider(value, argItem('provider', { index, count, value }));
  return [...new Set(providers.map(read))];
}
