import { useMemo } from 'react';
import { useAnswer, type Answer } from '../api/use-answer.ts';
import { monthStart, today } from '../words/days.ts';
import { burnOf, type Burn } from './burn.ts';
import { BudgetDaysQuery, BudgetForecastQuery, type BudgetDetails } from './queries.ts';

/** A budget's month, and what it is told in. */
export interface BudgetBurn {
  readonly burn: Burn;
  /** Currency of the days: the organization's. */
  readonly currency: string;
}

/** Asks for the days of a budget's running month. */
export function useBurn(budget: BudgetDetails): { readonly of: Answer<unknown>; readonly month: BudgetBurn | null } {
  const now = today();
  const scope = {
    accountId: budget.accountId === null ? undefined : [budget.accountId],
    provider: budget.provider === null ? undefined : [budget.provider],
    service: budget.service === null ? undefined : [budget.service],
  };
  const days = useAnswer(BudgetDaysQuery, {
    ...scope,
    startDate: monthStart(now),
    endDate: now,
    costMetric: budget.costMetric,
  });
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
