import type { AlertMetric, AlertOperator } from '../../../prisma/generated/client/enums.ts';
import type { AlertRule as AlertRuleRow } from '../../../prisma/generated/client/client.ts';
import { sumAmounts, type Amount } from '../../kit/money.ts';
import { addDays, daysIn, firstDay, monthOf, type Day, type DayRange } from '../../kit/time/period.ts';

/** A condition on spend, announced on each day it holds: its columns, with exact amounts and days. */
export type AlertRule = Omit<AlertRuleRow, 'threshold' | 'judgedFrom'> & {
  /** In the organization's currency or in percent, depending on the metric. */
  readonly threshold: Amount;
  /** First day to evaluate; null: not evaluated yet. */
  readonly judgedFrom: Day | null;
};

/** Fields that affect whether a rule's condition holds. */
export const conditionFields = [
  'metric',
  'operator',
  'threshold',
  'accountId',
  'provider',
  'service',
  'tagKey',
  'tagValue',
  'enabled',
] as const satisfies readonly (keyof AlertRule)[];

/** Returns whether a metric is monetary; otherwise it is in percent. */
export function isMoney(metric: AlertMetric): boolean {
  return metric !== 'day_over_day_percent' && metric !== 'week_over_week_percent';
}

/** An exact figure, `numerator / denominator`: money or a percentage. */
export interface Figure {
  readonly numerator: Amount;
  /** Above 0. */
  readonly denominator: bigint;
}

/** Daily spend, and the day since which it is known. */
export interface Days {
  /** Exact; days without charges are absent. */
  readonly days: ReadonlyMap<Day, Amount>;
  /** First day with known bills; null without bills. */
  readonly from: Day | null;
}

/** Metrics computed from daily spend only. */
export type DayMetric = Exclude<AlertMetric, 'forecasted_month_cost'>;

const hundred = 100n * 10n ** 24n;

/** Returns whether a figure compares with a threshold as the operator requires, exactly. */
export function holds({ numerator, denominator }: Figure, operator: AlertOperator, threshold: Amount): boolean {
  const other = threshold * denominator;
  switch (operator) {
    case 'gt':
      return numerator > other;
    case 'gte':
      return numerator >= other;
    case 'lt':
      return numerator < other;
    case 'lte':
      return numerator <= other;
  }
}

/** Returns the value of a figure, truncated to 24 decimals. */
export function valueOf({ numerator, denominator }: Figure): Amount {
  return numerator / denominator;
}

/** Converts an amount of money to a figure. */
export function money(amount: Amount): Figure {
  return { numerator: amount, denominator: 1n };
}

/** Computes a metric for a day. Null without a base for comparison: earlier costs were 0 or unknown. */
export function figureOf(metric: DayMetric, known: Days, day: Day): Figure | null {
  switch (metric) {
    case 'daily_cost':
      return money(spent(known, oneDay(day)));
    case 'month_to_date_cost':
      return money(spent(known, { start: firstDay(monthOf(day)), end: addDays(day, 1) }));
    case 'day_over_day_percent':
      return change(known, oneDay(day), oneDay(addDays(day, -1)));
    case 'week_over_week_percent':
      return change(known, weekTo(day), weekTo(addDays(day, -7)));
  }
}

/** Returns the days needed to compute the figures of a day. */
export function daysNeeded(day: Day): DayRange {
  const start = weekTo(addDays(day, -7)).start;
  const month = firstDay(monthOf(day));
  return { start: month < start ? month : start, end: addDays(day, 1) };
}

function oneDay(day: Day): DayRange {
  return { start: day, end: addDays(day, 1) };
}

function weekTo(day: Day): DayRange {
  return { start: addDays(day, -6), end: addDays(day, 1) };
}

function spent({ days }: Days, range: DayRange): Amount {
  return sumAmounts(daysIn(range).map((day) => days.get(day) ?? 0n));
}

/** Returns the change in percent of the absolute earlier cost. */
function change(known: Days, now: DayRange, before: DayRange): Figure | null {
  if (known.from === null || known.from > before.start) return null;
  const base = spent(known, before);
  if (base === 0n) return null;
  return { numerator: (spent(known, now) - base) * hundred, denominator: base < 0n ? -base : base };
}
