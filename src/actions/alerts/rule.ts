import type { AlertMetric, AlertOperator } from '../../../prisma/generated/client/enums.ts';
import type { Target } from '../../analysis/budgets/target.ts';
import { sumAmounts, type Amount } from '../../kit/money.ts';
import { addDays, daysIn, firstDay, monthOf, type Day, type DayRange } from '../../kit/period.ts';
import type { Owned } from '../../tenancy/auth/owner-scope.ts';

/** A condition on spend, of which somebody is told on each day that it holds. */
export interface AlertRule extends Target, Owned {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly metric: AlertMetric;
  readonly operator: AlertOperator;
  /** In the organization's currency, or in percent: as the metric is. */
  readonly threshold: Amount;
  /** Only charges that carry the tag; null: all. */
  readonly tagKey: string | null;
  /** Null if any value is allowed. */
  readonly tagValue: string | null;
  readonly emails: readonly string[];
  readonly slack: boolean;
  readonly enabled: boolean;
  readonly lastTriggeredAt: Date | null;
  /** The first day that it is held against; null: not held against any yet. */
  readonly judgedFrom: Day | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What a client sets of a rule. */
export type RuleValues = Omit<
  AlertRule,
  keyof Owned | 'id' | 'organizationId' | 'lastTriggeredAt' | 'judgedFrom' | 'createdAt' | 'updatedAt'
>;

/** Fields on which it depends whether a rule holds. */
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
] as const satisfies readonly (keyof RuleValues)[];

/** Whether a metric is money; else it is in percent. */
export function isMoney(metric: AlertMetric): boolean {
  return metric !== 'day_over_day_percent' && metric !== 'week_over_week_percent';
}

/** An exact figure: money, or a percentage as the fraction that it is. Its value is `numerator / denominator`. */
export interface Figure {
  readonly numerator: Amount;
  /** Above 0. */
  readonly denominator: bigint;
}

/** What was spent on each day, and since when that is known. */
export interface Days {
  /** Exact; a day without charges is absent. */
  readonly days: ReadonlyMap<Day, Amount>;
  /** The first day of which bills are known; null where there are none. */
  readonly from: Day | null;
}

/** Metrics that follow from the days alone. */
export type DayMetric = Exclude<AlertMetric, 'forecasted_month_cost'>;

const hundred = 100n * 10n ** 24n;

/** Whether a figure stands to a threshold as the operator says: exactly. */
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

/** The value of a figure, cut off at 24 decimals. */
export function valueOf({ numerator, denominator }: Figure): Amount {
  return numerator / denominator;
}

/** Money as a figure. */
export function money(amount: Amount): Figure {
  return { numerator: amount, denominator: 1n };
}

/** What a metric is of a day. Null where there is nothing to compare with: costs before were 0, or not known. */
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

/** The days that figures of a day are made of. */
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

/** By how many percent of the size of what was before. */
function change(known: Days, now: DayRange, before: DayRange): Figure | null {
  if (known.from === null || known.from > before.start) return null;
  const base = spent(known, before);
  if (base === 0n) return null;
  return { numerator: (spent(known, now) - base) * hundred, denominator: base < 0n ? -base : base };
}
