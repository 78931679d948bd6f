import { addDays, countDays } from '../words/days.ts';
import { month } from '../words/format.ts';
import type { BudgetRow } from './queries.ts';

type PeriodKind = BudgetRow['period'];

/** Names of the periods of budgets. */
export const periods = {
  MONTHLY: { label: 'Monthly', description: 'Each calendar month (UTC)', noun: 'month', months: 1 },
  QUARTERLY: { label: 'Quarterly', description: 'Each calendar quarter (UTC)', noun: 'quarter', months: 3 },
  YEARLY: { label: 'Yearly', description: 'Each calendar year (UTC)', noun: 'year', months: 12 },
} as const satisfies Record<PeriodKind, { label: string; description: string; noun: string; months: number }>;

/** Name of the period that starts on a day: `Nov 2026`, `Q4 2026` or `2026`. */
export function periodName(kind: PeriodKind, start: string): string {
  if (kind === 'MONTHLY') return month(start);
  const year = start.slice(0, 4);
  return kind === 'YEARLY' ? year : `Q${Math.ceil(Number(start.slice(5, 7)) / periods.QUARTERLY.months)} ${year}`;
}

/** First day of the period that a day is in. */
export function periodStart(kind: PeriodKind, day: string): string {
  const { months } = periods[kind];
  const at = Number(day.slice(5, 7)) - 1;
  return `${day.slice(0, 5)}${String(at - (at % months) + 1).padStart(2, '0')}-01`;
}

/** Every day from one to another, inclusive. */
export function daysBetween(from: string, to: string): string[] {
  return Array.from({ length: Math.max(0, countDays(from, to)) }, (_, index) => addDays(from, index));
}
