import { TwoLines } from '../parts/list/table.tsx';
import { Status, StatusOf } from '../parts/page/card.tsx';
import type { BudgetRow } from './queries.ts';

type Judged = Pick<BudgetRow, 'status' | 'amount' | 'forecastedSpend' | 'alertThresholds' | 'percentUsed'>;

/** Status of a budget. Without reached thresholds, it is at risk if its forecast exceeds the amount. */
export function BudgetStatus({ budget }: { readonly budget: Judged }) {
  return isAtRisk(budget) ? <Status value="AT_RISK" tone="warn" /> : <StatusOf value={budget.status} />;
}

/** Status with its reason below: the forecast, or the highest threshold that the spend has reached. */
export function BudgetStatusCell({ budget }: { readonly budget: Judged }) {
  const status = <BudgetStatus budget={budget} />;
  const reason = reasonOf(budget);
  return reason === null ? status : <TwoLines top={status} below={reason} />;
}

/** Whether the budget has reached a threshold, is exceeded or is forecast to exceed its amount. */
export function needsAttention(budget: Judged): boolean {
  return budget.status !== 'OK' || isAtRisk(budget);
}

function isAtRisk({ status, forecastedSpend, amount }: Judged): boolean {
  return status === 'OK' && forecastedSpend !== null && forecastedSpend > amount;
}

function reasonOf(budget: Judged): string | null {
  if (isAtRisk(budget)) return 'forecast over budget';
  const { status, alertThresholds, percentUsed } = budget;
  const reached = Math.max(...alertThresholds.filter((threshold) => threshold <= percentUsed));
  return status === 'WARNING' && Number.isFinite(reached) ? `${reached}% reached` : null;
}
