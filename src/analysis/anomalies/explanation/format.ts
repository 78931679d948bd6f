import { formatDay, formatPercent } from '../../../kit/text/format.ts';
import { addDays, monthOf, type Day } from '../../../kit/time/period.ts';

/** Formats a number with as many decimals as are meaningful: `1,240`, `12.5`, `0.034`. */
export function formatNumber(value: number): string {
  return new Intl.NumberFormat('en-US', {
    maximumSignificantDigits: Math.abs(value) >= 1000 ? 21 : 3,
    maximumFractionDigits: 0,
    roundingPriority: 'morePrecision',
  }).format(value);
}

/** Formats a share: whole percentages from 10 up. */
export function formatShare(percent: number): string {
  return formatPercent(percent, Math.abs(percent) < 10 ? 1 : 0);
}

/** Formats a factor, such as `14 times` or `1.6 times`. */
export function formatRatio(ratio: number): string {
  return `${new Intl.NumberFormat('en-US', { maximumFractionDigits: ratio < 10 ? 1 : 0 }).format(ratio)} times`;
}

/** Formats a range of days, both inclusive, as briefly as possible: `November 11–13, 2026`. */
export function formatDays(start: Day, end: Day): string {
  return start === end ? formatDay(start) : joined(start, end, monthOf(start) === monthOf(end) ? '–' : ' – ');
}

/** Formats days with a preposition: `on November 11, 2026`, `from November 11 to 13, 2026`. */
export function onDays(start: Day, end: Day): string {
  if (start === end) return `on ${formatDay(start)}`;
  return addDays(start, 1) === end ? `on ${joined(start, end, ' and ')}` : `from ${joined(start, end, ' to ')}`;
}

/** Joins two days; days of the same month share the month and the year. */
function joined(start: Day, end: Day, between: string): string {
  if (monthOf(start) !== monthOf(end)) return `${formatDay(start)}${between}${formatDay(end)}`;
  return formatDay(start).replace(',', `${between}${Number(end.slice(8))},`);
}
