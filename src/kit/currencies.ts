const known: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Returns whether a text is an ISO 4217 code in upper case. */
export function isCurrencyCode(text: string): boolean {
  return known.has(text);
}
