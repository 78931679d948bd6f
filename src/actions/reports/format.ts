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

const acronyms =
  /\b(?:ahb|ami|amd|appgw|arm|aws|az|clb|ddos|ebs|ec2|ecr|efs|eip|eks|elb|gcp|gcs|gp2|gp3|ha|ia|id|io1|ip|lb|n1|nat|pd|rds|s3|sql|ssd|vm|vpce)\b/g;

/** A word of the API for people: `in_progress` is `In progress`, `aws_eip_idle` is `AWS EIP idle`. */
export function formatWord(word: string): string {
  const plain = word.replaceAll('_', ' ').replace(acronyms, (short) => short.toUpperCase());
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

const providers: Readonly<Record<string, string>> = { aws: 'AWS', azure: 'Azure', gcp: 'Google Cloud', oci: 'OCI' };

/** The name of a provider, by its slug. */
export function formatProvider(slug: string): string {
  return providers[slug] ?? formatWord(slug);
}

const rangeFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });

/** Days in words, both inclusive, such as `Nov 9 – 15, 2026`. */
export function formatPeriod(start: Day, end: Day): string {
  const [from, to] = [new Date(`${start}T00:00:00Z`), new Date(`${end}T00:00:00Z`)];
  // Intl sets thin spaces around the dash, which not every font has.
  return (start === end ? rangeFormat.format(from) : rangeFormat.formatRange(from, to)).replaceAll('\u2009', ' ');
}
