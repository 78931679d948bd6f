/** The complete history of the European Central Bank's daily reference rates, updated on working days at about 16:00 CET. */
export const ecbHistory = 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip';

/** Source of downloaded exchange rates, and the organizations that use it by default. */
export interface RateSettings {
  /** Null: never downloaded. */
  readonly url: string | null;
  /** Whether organizations download rates unless an Admin turns it off; otherwise, only those whose Admin turned it on. */
  readonly isDefault: boolean;
}

/** Parses `EXCHANGE_RATES`. Null if it is invalid. */
export function parseExchangeRates(value: string): RateSettings | null {
  if (value === 'off') return { url: ecbHistory, isDefault: false };
  if (value === 'forbidden') return { url: null, isDefault: false };
  if (value === 'ecb') return { url: ecbHistory, isDefault: true };
  if (!URL.canParse(value)) return null;
  const { protocol, username, password } = new URL(value);
  return protocol === 'https:' && username + password === '' ? { url: value, isDefault: true } : null;
}

/** Returns whether an organization's rates are downloaded.
 *  @param chosen by an Admin; null if none has decided */
export function isAutomatic({ url, isDefault }: RateSettings, chosen: boolean | null): boolean {
  return url !== null && (chosen ?? isDefault);
}
