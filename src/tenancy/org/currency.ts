import { arg, invalid } from '../../kit/errors.ts';

/** The form of a currency code. Not every code of this form is a currency. */
export const currencyRule = { minLength: 3, maxLength: 3, pattern: '^[A-Z]{3}$' } as const;

const known: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Reads an ISO 4217 code, in upper case.
 *  @param field how the client spells it
 *  @throws {AppError} VALIDATION_ERROR naming the field when no such currency is known */
export function parseCurrency(text: string, field: string): string {
  if (!known.has(text)) throw invalid`${arg(field, text.slice(0, 20))} must be an ISO 4217 code such as "USD"`;
  return text;
}
