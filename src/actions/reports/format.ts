import type { Day } from '../../kit/period.ts';

const locale = 'en-US';
const dayFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
const countFormat = new Intl.NumberFormat(locale);
const moneyFormats = new Map<string, Intl.NumberFormat>();

/** Money as people read it, such as `$1,234.50` or `CHF 1,234.50`.
 *  @param currency ISO 4217; what is no such code stands before the number as it is */
export function formatMoney(value: number, currency: string): string {
  if (!/^[A-Z]{3}$/.test(currency)) return `${currency} ${countFormat.format(value)}`.trim();
  let format = moneyFormats.get(currency);
  if (!format) {
    format = new Intl.NumberFormat(locale, { style: 'currency', currency });
    moneyFormats.set(currency, format);
  }
  // Intl separates code and number by a no-break space, which not every font has.
  return format.format(value).replaceAll('\u00a0', ' ');
}

/** Decimals of a currency (ISO 4217): 2 of most, 0 of JPY. */
export function currencyDecimals(currency: string): number {
  if (!/^[A-Z]{3}$/.test(currency)) return 2;
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

/** A percentage, such as `12.5 %` of 12.5. */
export function formatPercent(value: number): string {
  return `${countFormat.format(Math.round(value * 10) / 10)}%`;
}

/** A change, such as `+12.5%`; `no change` of 0. */
export function formatChange(percent: number): string {
  return percent === 0 ? 'no change' : `${percent > 0 ? '+' : '−'}${formatPercent(Math.abs(percent))}`;
}

/** A count, such as `1,234`. */
export function formatCount(value: number): string {
  return countFormat.format(value);
}

/** A day in words, such as `November 21, 2026`. */
export function formatDay(day: Day): string {
  return dayFormat.format(new Date(`${day}T00:00:00Z`));
}

/** A word of the API for people: `in_progress` is `In progress`. */
export function formatWord(word: string): string {
  const plain = word.replaceAll('_', ' ');
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
