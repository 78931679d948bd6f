import { formatMonth } from '../../kit/text/format.ts';
import { addDays, addMonths, firstDay, monthOf, type Day, type DayRange } from '../../kit/time/period.ts';

/** Period of a budget's amount: a calendar month, quarter or year in UTC. */
export type BudgetPeriod = 'monthly' | 'quarterly' | 'yearly';

/** A calendar period of a kind. */
export interface Period extends DayRange {
  readonly kind: BudgetPeriod;
}

const kinds: Readonly<Record<BudgetPeriod, { readonly months: number; readonly noun: string }>> = {
  monthly: { months: 1, noun: 'month' },
  quarterly: { months: 3, noun: 'quarter' },
  yearly: { months: 12, noun: 'year' },
};

/** First days of a period during which the previous one is checked too, because its last days are still being billed. */
const lateDays = 7;

/** Returns the period that a day is in. */
export function periodOn(kind: BudgetPeriod, day: Day): Period {
  const { months } = kinds[kind];
  const month = monthOf(day);
  const first = addMonths(month, -((Number(month.slice(5)) - 1) % months));
  return { kind, start: firstDay(first), end: firstDay(addMonths(first, months)) };
}

/** Returns the periods whose spend can change today: the current one; in its first days preceded by the previous one. */
export function openPeriods(kind: BudgetPeriod, today: Day): Period[] {
  const current = periodOn(kind, today);
  const isLate = today < addDays(current.start, lateDays);
  return isLate ? [periodOn(kind, addDays(current.start, -1)), current] : [current];
}

/** Returns the days of a period up to today. */
export function elapsed({ start, end }: Period, today: Day): DayRange {
  const tomorrow = addDays(today, 1);
  return { start, end: end < tomorrow ? end : tomorrow };
}

/** Identifies a period: `2026-11`, `2026-Q4` or `2026`. */
export function periodKey({ kind, start }: Pick<Period, 'kind' | 'start'>): string {
  if (kind === 'monthly') return monthOf(start);
  return kind === 'quarterly' ? `${start.slice(0, 4)}-Q${quarterOf(start)}` : start.slice(0, 4);
}

/** Returns the display name of a period: `November 2026`, `Q4 2026` or `2026`. */
export function periodName({ kind, start }: Pick<Period, 'kind' | 'start'>): string {
  if (kind === 'monthly') return formatMonth(monthOf(start));
  return kind === 'quarterly' ? `Q${quarterOf(start)} ${start.slice(0, 4)}` : start.slice(0, 4);
}

/** Returns the noun of a period: `month`, `quarter` or `year`. */
export function periodNoun(kind: BudgetPeriod): string {
  return kinds[kind].noun;
}

function quarterOf(day: Day): number {
  return Math.ceil(Number(day.slice(5, 7)) / kinds.quarterly.months);
}
