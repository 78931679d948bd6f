import { firstDay, instantOf, type Day, type Month } from '../time/period.ts';

// Formatting of figures and days for people: in emails, chat messages, reports and explanations.

const locale = 'en-US';
const dayFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
const monthFormat = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
const timeFormat = new Intl.DateTimeFormat(locale, { timeStyle: 'short', hourCycle: 'h23', timeZone: 'UTC' });
const rangeFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
const countFormat = new Intl.NumberFormat(locale);
const byteUnits = ['B', 'kB', 'MB', 'GB'] as const;
const moneyFormats = new Map<string, Intl.NumberFormat>();
const percentFormats = new Map<number, Intl.NumberFormat>();

/** Formats money, such as `$1,234.50` or `CHF 1,234.50`.
 *  @param currency ISO 4217; anything else is prefixed to the number unchanged */
export function formatMoney(value: number, currency: string): string {
  if (!/^[A-Z]{3}$/.test(currency)) return `${currency} ${countFormat.format(value)}`.trim();
  let format = moneyFormats.get(currency);
  if (!format) {
    format = new Intl.NumberFormat(locale, { style: 'currency', currency });
    moneyFormats.set(currency, format);
  }
  // Intl puts a no-break space between code and number, which some fonts lack.
  return format.format(value).replaceAll('\u00a0', ' ');
}

/** Formats a cost per unit, which can be tiny: with the currency's decimals, and at least 3 significant digits below 1, such as
 *  `$1,234.50` or `$0.0000123`. */
export function formatUnitCost(value: number, currency: string): string {
  const size = Math.abs(value);
  if (size >= 1 || size === 0 || !/^[A-Z]{3}$/.test(currency)) return formatMoney(value, currency);
  const digits = {
    minimumFractionDigits: currencyDecimals(currency),
    maximumFractionDigits: 2 - Math.floor(Math.log10(size)),
  };
  const decimals = { ...digits, maximumFractionDigits: Math.min(Math.max(digits.maximumFractionDigits, 2), 20) };
  return new Intl.NumberFormat(locale, { style: 'currency', currency, ...decimals })
    .format(value)
    .replaceAll('\u00a0', ' ');
}

/** Decimals of a currency (ISO 4217): usually 2, 0 for JPY. */
export function currencyDecimals(currency: string): number {
  if (!/^[A-Z]{3}$/.test(currency)) return 2;
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

/** Formats a percentage: 12.5 as `12.5%`.
 *  @param decimals maximum */
export function formatPercent(percent: number, decimals = 2): string {
  let format = percentFormats.get(decimals);
  if (!format) {
    format = new Intl.NumberFormat(locale, { maximumFractionDigits: decimals, signDisplay: 'negative' });
    percentFormats.set(decimals, format);
  }
  return `${format.format(percent)}%`;
}

/** Formats a count, such as `1,234`. */
export function formatCount(value: number): string {
  return countFormat.format(value);
}

/** Formats a file size, such as `48.2 kB`: decimal units (SI), at most one decimal. */
export function formatBytes(bytes: number): string {
  const step = Math.min(byteUnits.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const size = bytes / 1000 ** step;
  return `${size.toLocaleString(locale, { maximumFractionDigits: 1 })} ${byteUnits[step]}`;
}

/** Formats a month, such as `November 2026`. */
export function formatMonth(month: Month): string {
  return monthFormat.format(instantOf(firstDay(month)));
}

/** Formats a day, such as `November 21, 2026`. */
export function formatDay(day: Day): string {
  return dayFormat.format(instantOf(day));
}

/** Formats an instant: `November 21, 2026, 10:00 UTC`. */
export function formatInstant(instant: Date): string {
  return `${dayFormat.format(instant)}, ${timeFormat.format(instant)} UTC`;
}

/** Formats an inclusive range of days, such as `Nov 9–15, 2026`. */
export function formatPeriod(start: Day, end: Day): string {
  const [from, to] = [instantOf(start), instantOf(end)];
  const text = start === end ? rangeFormat.format(from) : rangeFormat.formatRange(from, to);
  // Intl puts thin spaces around the dash, which some fonts lack: use plain ones, and none within a month.
  return text.replaceAll('\u2009', ' ').replace(/ – (?=\d)/, '–');
}
