import { addDays, monthOf, type Day } from '../../../kit/period.ts';

/** An amount for a reader, such as `USD 1,234.50`: in the digits of the currency.
 *  @param currency ISO 4217 */
export function formatMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency, currencyDisplay: 'code' });
  return format.format(amount).replaceAll('\u00a0', ' ');
}

/** A number for a reader, with as many decimals as say something: `1,240`, `12.5`, `0.034`. */
export function formatNumber(value: number): string {
  return new Intl.NumberFormat('en-US', {
    maximumSignificantDigits: Math.abs(value) >= 1000 ? 21 : 3,
    maximumFractionDigits: 0,
    roundingPriority: 'morePrecision',
  }).format(value);
}

/** A share for a reader: whole percents from 10 on. */
export function formatPercent(percent: number): string {
  return `${new Intl.NumberFormat('en-US', { maximumFractionDigits: Math.abs(percent) < 10 ? 1 : 0 }).format(percent)} %`;
}

/** A factor for a reader, such as `14 times` or `1.6 times`. */
export function formatRatio(ratio: number): string {
  return `${new Intl.NumberFormat('en-US', { maximumFractionDigits: ratio < 10 ? 1 : 0 }).format(ratio)} times`;
}

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** Names of the months, January first. */
export const monthNames: readonly string[] = months;

/** A day for a reader: `11 November 2026`. */
export function formatDay(day: Day): string {
  const [year, month, date] = day.split('-').map(Number);
  return `${date} ${months[(month ?? 1) - 1]} ${year}`;
}

/** The days from one to another, both inclusive, as briefly as can be: `11–13 November 2026`. */
export function formatDays(start: Day, end: Day): string {
  if (start === end) return formatDay(start);
  if (monthOf(start) === monthOf(end)) return `${Number(start.slice(8))}–${formatDay(end)}`;
  return `${formatDay(start)} – ${formatDay(end)}`;
}

/** The days with the word before them: `on 11 November 2026`, `from 11 to 13 November 2026`. */
export function onDays(start: Day, end: Day): string {
  if (start === end) return `on ${formatDay(start)}`;
  const first = monthOf(start) === monthOf(end) ? String(Number(start.slice(8))) : formatDay(start);
  return addDays(start, 1) === end ? `on ${first} and ${formatDay(end)}` : `from ${first} to ${formatDay(end)}`;
}
