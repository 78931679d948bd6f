import type { AlertMetric, AlertOperator } from '../../../prisma/generated/client/enums.ts';
import type { AlertRule as AlertRuleRow } from '../../../prisma/generated/client/client.ts';
import type { MissingBill } from '../../facts/costs/ledger.ts';
import { targetNames } from '../../analysis/budgets/target.ts';
import { sumAmounts, type Amount } from '../../kit/money.ts';
import { compare } from '../../kit/sort.ts';
import { isChangeBase } from '../../kit/time/compared-days.ts';
import {
  addDays,
  addMonths,
  daysIn,
  firstDay,
  monthOf,
  monthsIn,
  type Day,
  type DayRange,
} from '../../kit/time/period.ts';

/** A condition on spend, announced on each day it holds: its columns, with exact amounts and days. */
export type AlertRule = Omit<AlertRuleRow, 'threshold' | 'evaluatedFrom'> & {
  /** In the organization's currency or in percent, depending on the metric. */
  readonly threshold: Amount;
  /** First day to evaluate; null: not evaluated yet. */
  readonly evaluatedFrom: Day | null;
};

/** Fields that affect whether a rule's condition holds. */
export const conditionFields = [
  'metric',
  'operator',
  'threshold',
  'unitMetricKey',
  'windowDays',
  ...targetNames,
  'enabled',
] as const satisfies readonly (keyof AlertRule)[];

/** Returns whether a metric is monetary; otherwise it is in percent. */
export function isMoney(metric: AlertMetric): boolean {
  return !metric.endsWith('_percent');
}

/** Returns whether a metric is a cost per unit, or its change. */
export function isUnitCost(metric: AlertMetric): boolean {
  return metric === 'unit_cost' || metric === 'unit_cost_change_percent';
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
  /** Costs that `days` excludes. */
  readonly unconvertedDays: ReadonlyMap<Day, Excluded>;
  /** First day with known bills; null without bills. */
  readonly from: Day | null;
  /** Missing bills: the costs of their months are unknown. */
  readonly missingBills: readonly MissingBill[];
  /** Exact quantities of the rule's unit metric; days without values are absent. */
  readonly quantities: ReadonlyMap<Day, Amount>;
}

/** Exact costs that a figure excludes because they have no exchange rate, by currency. */
export type Excluded = ReadonlyMap<string, Amount>;

/** A metric that is computed from the costs up to a day, not forecast. */
export interface DayFigure extends Pick<AlertRule, 'windowDays'> {
  readonly metric: Exclude<AlertMetric, 'forecasted_month_cost'>;
}

/** The amount 1. */
const one = 10n ** 24n;
const hundred = 100n * one;

/** Returns whether a rule triggers. If the figure excludes costs, only a `gt` or `gte` condition on an amount other than a unit
 *  cost can, and only if the excluded costs would increase the amount.
 *  @param isMissing whether a bill of the figure's days is missing */
export function triggers(
  { metric, operator, threshold }: Pick<AlertRule, 'metric' | 'operator' | 'threshold'>,
  figure: Figure,
  excluded: Excluded,
  isMissing: boolean,
): boolean {
  if (!holds(figure, operator, threshold)) return false;
  if (excluded.size === 0 && !isMissing) return true;
  const isAbove = operator === 'gt' || operator === 'gte';
  const canGrowOnly = isMoney(metric) && !isUnitCost(metric) && [...excluded.values()].every((cost) => cost > 0n);
  return isAbove && canGrowOnly;
}

/** Returns whether a figure compares with a threshold as the operator requires, exactly. */
function holds({ numerator, denominator }: Figure, operator: AlertOperator, threshold: Amount): boolean {
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

/** Computes a metric for a day. Null without a base for comparison, when earlier costs were unknown or not above 0, and for a unit cost
 *  if a day has no value of the unit metric or all values are 0. */
export function figureOf({ metric, windowDays }: DayFigure, known: Days, day: Day): Figure | null {
  const window = daysTo(day, windowDays);
  switch (metric) {
    case 'daily_cost':
      return money(spent(known, daysTo(day, 1)));
    case 'month_to_date_cost':
      return money(spent(known, { start: firstDay(monthOf(day)), end: addDays(day, 1) }));
    case 'day_over_day_percent':
      return change(known, daysTo(day, 1), daysTo(addDays(day, -1), 1));
    case 'week_over_week_percent':
      return change(known, daysTo(day, 7), daysTo(addDays(day, -7), 7));
    case 'unit_cost':
      return unitCost(known, window);
    case 'unit_cost_change_percent':
      return unitCostChange(known, window, daysTo(addDays(day, -windowDays), windowDays));
  }
}

/** Returns the costs that a rule's figure of a day excludes. */
export function excludedOf(
  rule: Pick<AlertRule, 'metric' | 'windowDays'>,
  { unconvertedDays }: Pick<Days, 'unconvertedDays'>,
  { day, today }: { readonly day: Day; readonly today: Day },
): Excluded {
  const sums = new Map<string, Amount>();
  for (const each of daysIn(figureDays(rule, day, today)))
    for (const [currency, cost] of unconvertedDays.get(each) ?? [])
      if (cost !== 0n) sums.set(currency, (sums.get(currency) ?? 0n) + cost);
  return new Map([...sums].sort(([a], [b]) => compare(a, b)));
}

/** Returns the missing bills of the days on which a rule's figure of a day depends. */
export function missingOf(
  rule: Pick<AlertRule, 'metric' | 'windowDays'>,
  { missingBills }: Pick<Days, 'missingBills'>,
  { day, today }: { readonly day: Day; readonly today: Day },
): MissingBill[] {
  const months = monthsIn(figureDays(rule, day, today));
  return missingBills.filter(({ month }) => months.includes(month));
}

/** Returns the days on whose costs a rule's figure of a day depends. */
function figureDays({ metric, windowDays }: Pick<AlertRule, 'metric' | 'windowDays'>, day: Day, today: Day): DayRange {
  const month = firstDay(monthOf(day));
  switch (metric) {
    case 'daily_cost':
      return daysTo(day, 1);
    case 'month_to_date_cost':
      return { start: month, end: addDays(day, 1) };
    case 'forecasted_month_cost':
      // At the start of a month, the forecast is based on the month before.
      return { start: month, end: firstDay(addMonths(monthOf(today), 1)) };
    case 'day_over_day_percent':
      return daysTo(day, 2);
    case 'week_over_week_percent':
      return daysTo(day, 14);
    case 'unit_cost':
      return daysTo(day, windowDays);
    case 'unit_cost_change_percent':
      return daysTo(day, 2 * windowDays);
  }
}

/** Returns the days needed to compute the figures of a day. */
export function daysNeeded({ windowDays }: Pick<AlertRule, 'windowDays'>, day: Day): DayRange {
  const { start } = daysTo(day, 2 * Math.max(windowDays, 7));
  const month = firstDay(monthOf(day));
  return { start: month < start ? month : start, end: addDays(day, 1) };
}

/** Returns the given number of days that end with a day. */
function daysTo(day: Day, count: number): DayRange {
  return { start: addDays(day, 1 - count), end: addDays(day, 1) };
}

function spent({ days }: Days, range: DayRange): Amount {
  return sumAmounts(daysIn(range).map((day) => days.get(day) ?? 0n));
}

/** Returns whether there are bills of all days of a range. */
function isKnown({ from, missingBills }: Days, range: DayRange): boolean {
  const months = monthsIn(range);
  return from !== null && from <= range.start && !missingBills.some(({ month }) => months.includes(month));
}

/** Returns the change as a percentage of the earlier cost. */
function change(known: Days, now: DayRange, before: DayRange): Figure | null {
  if (!isKnown(known, before) || !isKnown(known, now)) return null;
  const base = spent(known, before);
  if (!isChangeBase(base)) return null;
  return { numerator: (spent(known, now) - base) * hundred, denominator: base };
}

/** Returns the cost and quantity of some days; null if bills are missing, a day has no value, or the quantity is 0. */
function perUnit(known: Days, range: DayRange): { cost: Amount; quantity: Amount } | null {
  if (!isKnown(known, range)) return null;
  const quantities = daysIn(range).map((day) => known.quantities.get(day));
  const given = quantities.filter((quantity) => quantity !== undefined);
  const quantity = sumAmounts(given);
  if (given.length < quantities.length || quantity === 0n) return null;
  return { cost: spent(known, range), quantity };
}

function unitCost(known: Days, range: DayRange): Figure | null {
  const now = perUnit(known, range);
  return now && { numerator: now.cost * one, denominator: now.quantity };
}

/** Returns the change as a percentage of the earlier unit cost. */
function unitCostChange(known: Days, range: DayRange, earlier: DayRange): Figure | null {
  const [now, before] = [perUnit(known, range), perUnit(known, earlier)];
  if (now === null || before === null || !isChangeBase(before.cost)) return null;
  return {
    numerator: (now.cost * before.quantity - before.cost * now.quantity) * hundred,
    denominator: before.cost * now.quantity,
  };
}
