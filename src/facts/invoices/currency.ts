/** The tolerance of currencies with 2 decimals. */
export const usualTolerance = '0.005';

/** Tolerances of the other currencies, by ISO 4217 code: half of the smallest unit. Invoices are rounded to it, lines are
 *  not. */
export const otherTolerances: Readonly<Record<string, string>> = Object.fromEntries(
  Intl.supportedValuesOf('currency').flatMap((currency) => {
    const digits = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits;
    return digits === undefined || digits === 2 ? [] : [[currency, digits === 0 ? '0.5' : `0.${'0'.repeat(digits)}5`]];
  }),
);
