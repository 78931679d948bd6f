import { addDays, monthStart } from '../words/days.ts';
import type { AlertRule } from './queries.ts';

/** A day's cost. */
interface Day {
  readonly date: string;
  readonly cost: number;
}

/** What a metric was on a day. */
export interface Figure {
  readonly date: string;
  /** Null where there is nothing to compare with. */
  readonly value: number | null;
}

/** Metrics that follow from the days alone. */
export type DayMetric = Exclude<AlertRule['metric'], 'FORECASTED_MONTH_COST'>;

/** Days before the first shown one that a metric may need: two weeks, and the month so far. */
export const lead = 31;

/** What a metric was on each day from `from` on, of days in order that begin `lead` days before. */
export function figuresOf(metric: DayMetric, days: readonly Day[], from: string): Figure[] {
  const costs = new Map(days.map(({ date, cost }) => [date, cost]));
  const sum = (start: string, end: string) => {
    let total = 0;
    for (let at = start; at <= end; at = addDays(at, 1)) total += costs.get(at) ?? 0;
    return total;
  };
  return days
    .filter(({ date }) => date >= from)
    .map(({ date, cost }) => ({ date, value: valueOf(metric, { date, cost }, sum) }));
}

function valueOf(metric: DayMetric, { date, cost }: Day, sum: (start: string, end: string) => number): number | null {
  switch (metric) {
    case 'DAILY_COST':
      return cost;
    case 'MONTH_TO_DATE_COST':
      return sum(monthStart(date), date);
    case 'DAY_OVER_DAY_PERCENT':
      return change(cost, sum(addDays(date, -1), addDays(date, -1)));
    case 'WEEK_OVER_WEEK_PERCENT':
      return change(sum(addDays(date, -6), date), sum(addDays(date, -13), addDays(date, -7)));
    default:
      return metric satisfies never;
  }
}

function change(now: number, before: number): number | null {
  return before === 0 ? null : ((now - before) / Math.abs(before)) * 100;
}

/** Whether a figure stands to the threshold as the operator says. */
export function holds(value: number, operator: AlertRule['operator'], threshold: number): boolean {
  switch (operator) {
    case 'GT':
      return value > threshold;
    case 'GTE':
      return value >= threshold;
    case 'LT':
      return value < threshold;
    case 'LTE':
      return value <= threshold;
    default:
      return operator satisfies never;
  }
}
