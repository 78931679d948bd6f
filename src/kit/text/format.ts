import { firstDay, instantOf, type Day, type Month } from '../time/period.ts';

// How figures and days are put before people: in mails, chat messages, reports and explanations alike.

const locale = 'en-US';
const dayFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
const monthFormat = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
const timeFormat = new Intl.DateTimeFormat(locale, { timeStyle: 'short', hourCycle: 'h23', timeZone: 'UTC' });
const rangeFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
const countFormat = new Intl.NumberFormat(locale);
const byteUnits = ['B', 'kB', 'MB', 'GB'] as const;
const providers: Readonly<Record<string, string>> = {
  aws: 'AWS',
  azure: 'Azure',
  gcp: 'Google Cloud',
  oci: 'OCI',
  focus: 'FOCUS',
};
const moneyFormats = new Map<string, Intl.NumberFormat>();
const percentFormats = new Map<number, Intl.NumberFormat>();

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

/** A percentage, such as `12.5%` of 12.5.
 *  @param decimals at most */
export function formatPercent(percent: number, decimals = 2): string {
  let format = percentFormats.get(decimals);
  if (!format) {
    format = new Intl.NumberFormat(locale, { maximumFractionDigits: decimals, signDisplay: 'negative' });
    percentFormats.set(decimals, format);
  }
  return `${format.format(percent)}%`;
}

/** The name of a provider by its slug or name, such as `Google Cloud` of `gcp`. */
export function formatProvider(slug: string): string {
  return providers[slug.toLowerCase()] ?? slug.charAt(0).toUpperCase() + slug.slice(1);
}

/** A count, such as `1,234`. */
export function formatCount(value: number): string {
  return countFormat.format(value);
}

/** The size of a file, such as `48.2 kB`: decimal units (SI), at most one decimal. */
export function formatBytes(bytes: number): string {
  const step = Math.min(byteUnits.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const size = bytes / 1000 ** step;
  return `${size.toLocaleString(locale, { maximumFractionDigits: 1 })} ${byteUnits[step]}`;
}

/** A month in words, such as `November 2026`. */
export function formatMonth(month: Month): string {
  return monthFormat.format(instantOf(firstDay(month)));
}

/** A day in words, such as `November 21, 2026`. */
export function formatDay(day: Day): string {
  return dayFormat.format(instantOf(day));
}

/** An instant in words: `November 21, 2026, 10:00 UTC`. */
export function formatInstant(instant: Date): string {
  return `${dayFormat.format(instant)}, ${timeFormat.format(instant)} UTC`;
}

/** Days in words, both inclusive, such as `Nov 9 – 15, 2026`. */
export function formatPeriod(start: Day, end: Day): string {
  const [from, to] = [instantOf(start), instantOf(end)];
  // Intl sets thin spaces around the dash, which not every font has.
  return (start === end ? rangeFormat.format(from) : rangeFormat.formatRange(from, to)).replaceAll('\u2009', ' ');
}
