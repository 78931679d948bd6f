import { formatDay, formatPercent } from '../../../kit/format.ts';
import { addDays, monthOf, type Day } from '../../../kit/period.ts';

/** A number for a reader, with as many decimals as say something: `1,240`, `12.5`, `0.034`. */
export function formatNumber(value: number): string {
  return new Intl.NumberFormat('en-US', {
    maximumSignificantDigits: Math.abs(value) >= 1000 ? 21 : 3,
    maximumFractionDigits: 0,
    roundingPriority: 'morePrecision',
  }).format(value);
}

/** A share for a reader: whole percents from 10 on. */
export function formatShare(percent: number): string {
  return formatPercent(percent, Math.abs(percent) < 10 ? 1 : 0);
}

/** A factor for a reader, such as `14 times` or `1.6 times`. */
export function formatRatio(ratio: number): string {
  return `${new Intl.NumberFormat('en-US', { maximumFractionDigits: ratio < 10 ? 1 : 0 }).format(ratio)} times`;
}

/** The days from one to another, both inclusive, as briefly as can be: `November 11–13, 2026`. */
export function formatDays(start: Day, end: Day): string {
  return start === end ? formatDay(start) : joined(start, end, monthOf(start) === monthOf(end) ? '–' : ' – ');
}

/** The days with the word before them: `on November 11, 2026`, `from November 11 to 13, 2026`. */
export function onDays(start: Day, end: Day): string {
  if (start === end) return `on ${formatDay(start)}`;
  return addDays(start, 1) === end ? `on ${joined(start, end, ' and ')}` : `from ${joined(start, end, ' to ')}`;
}

/** Two days of one month name it, and the year, once. */
function joined(start: Day, end: Day, between: string): string {
  if (monthOf(start) !== monthOf(end)) return `${formatDay(start)}${between}${formatDay(end)}`;
  return formatDay(start).replace(',', `${between}${Number(end.slice(8))},`);
}
