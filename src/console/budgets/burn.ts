import { useMemo } from 'react';
import { type Answer, useAnswer } from '../api/use-api.ts';
import { DailyCosts, scopeArguments } from '../costs/totals.ts';
import { addDays, countDays, monthEnd, monthStart, today } from '../words/days.ts';
import { type BudgetDetails, BudgetForecastQuery } from './queries.ts';

/** Input of the burn chart. */
interface Known {
  /** First day of the month. */
  readonly month: string;
  readonly amount: number;
  /** Daily costs of the month so far, sorted, in the budget's currency. */
  readonly days: readonly { readonly date: string; readonly cost: number }[];
  /** Last day with complete bills. */
  readonly completeThrough: string | null;
  /** Forecast spend at month end. */
  readonly forecast: number | null;
  /** Expected cost of each remaining day; only the proportions matter. */
  readonly expected: ReadonlyMap<string, number>;
}

/** Month as daily cumulative values; every list has one entry per day, null if unknown. */
export interface Burn {
  readonly days: readonly string[];
  /** Through the last complete day. */
  readonly spent: readonly (number | null)[];
  /** From the last complete day to today; these values still grow. */
  readonly running: readonly (number | null)[];
  readonly pace: readonly number[];
  /** From the last complete day to month end. */
  readonly forecast: readonly (number | null)[];
  /** Sum of the complete days. */
  readonly complete: number;
  /** Sum of all days. */
  readonly total: number;
}

/** Computes the cumulative series of a month. */
function burnOf({ month, amount, days, completeThrough, forecast, expected }: Known): Burn {
  const count = countDays(month, monthEnd(month));
  const dates = Array.from({ length: count }, (_, index) => addDays(month, index));
  const sums = cumulated(days.map(({ cost }) => cost));
  const known = completeThrough === null ? 0 : Math.min(days.length, Math.max(0, countDays(month, completeThrough)));
  const complete = sums[known - 1] ?? 0;
  return {
    days: dates,
    spent: dates.map((_, index) => (index < known ? (sums[index] ?? null) : null)),
    running: dates.map((_, index) => (index >= known - 1 ? (sums[index] ?? null) : null)),
    pace: dates.map((_, index) => (amount * (index + 1)) / count),
    forecast: forecast === null ? dates.map(() => null) : forecastLine({ dates, known, complete, forecast, expected }),
    complete,
    total: sums.at(-1) ?? 0,
  };
}

interface Rest {
  readonly dates: readonly string[];
  readonly known: number;
  readonly complete: number;
  readonly forecast: number;
  readonly expected: Known['expected'];
}

/** Distributes the remaining forecast over the remaining days in proportion to their expected costs, or evenly if unknown. */
function forecastLine({ dates, known, complete, forecast, expected }: Rest): (number | null)[] {
  const rest = dates.slice(known);
  const shape = rest.map((date) => expected.get(date) ?? 0);
  const weights = shape.every((weight) => weight > 0) ? shape : rest.map(() => 1);
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const sums = cumulated(weights.map((weight) => ((forecast - complete) * weight) / (whole || 1)));
  return dates.map((_, index) => {
    if (index < known - 1) return null;
    return index === known - 1 ? complete : complete + (sums[index - known] ?? 0);
  });
}

function cumulated(values: readonly number[]): number[] {
  let sum = 0;
  return values.map((value) => (sum += value));
}

/** First day on which the forecast reaches an amount; null if it never does. */
export function reachedOn({ days, forecast }: Burn, amount: number): string | null {
  const index = forecast.findIndex((value) => value !== null && value >= amount);
  return days[index] ?? null;
}

/** Budget month with its currency. */
export interface BudgetBurn {
  readonly burn: Burn;
  /** Currency of the daily costs: the organization's. */
  readonly currency: string;
}

/** Fetches the daily costs of a budget's current month. */
export function useBurn(budget: BudgetDetails): { readonly of: Answer<unknown>; readonly month: BudgetBurn | null } {
  const now = today();
  const scope = scopeArguments(budget);
  const { costMetric } = budget;
  const days = useAnswer(DailyCosts, { ...scope, startDate: monthStart(now), endDate: now, costMetric });
  const forecast = useAnswer(BudgetForecastQuery, scope);
  const month = useMemo(() => {
    const costs = days.data?.costsDaily;
    if (!costs) return null;
    const isSameCurrency = costs.currency === budget.currency;
    const points = forecast.data?.forecast?.points ?? [];
    const burn = burnOf({
      month: monthStart(now),
      amount: budget.amount,
      days: costs.days,
      completeThrough: budget.completeThrough,
      forecast: isSameCurrency ? budget.forecastedSpend : null,
      expected: new Map(points.map(({ date, cost }) => [date, cost])),
    });
    return { burn, currency: costs.currency };
  }, [days.data, forecast.data, budget, now]);
  return { of: days, month };
}
