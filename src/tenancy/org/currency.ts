import { invalid } from '../../kit/errors.ts';

const known: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Reads an ISO 4217 code, in upper case.
 *  @param field how the client spells it
 *  @throws {AppError} VALIDATION_ERROR naming the field when no such currency is known */
export function parseCurrency(text: string, field: string): string {
  if (!known.has(text))
    throw invalid(`${field} must be an ISO 4217 code such as "USD", not ${JSON.stringify(text.slice(0, 20))}`);
  return text;
}
