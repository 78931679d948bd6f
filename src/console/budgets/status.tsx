import { TwoLines } from '../parts/list/table.tsx';
import { StatusOf } from '../parts/page/card.tsx';
import type { BudgetRow } from './queries.ts';

type Projected = Pick<BudgetRow, 'projectedStatus' | 'alertThresholds' | 'percentUsed'>;

/** Status with its reason below: the forecast, or the highest threshold that the spend has reached. */
export function BudgetStatusCell({ budget }: { readonly budget: Projected }) {
  const status = <StatusOf value={budget.projectedStatus} />;
  const reason = reasonOf(budget);
  return reason === null ? status : <TwoLines top={status} below={reason} />;
}

function reasonOf({ projectedStatus, alertThresholds, percentUsed }: Projected): string | null {
  if (projectedStatus === 'AT_RISK') return 'forecast over budget';
  const reached = Math.max(...alertThresholds.filter((threshold) => threshold <= percentUsed));
  return projectedStatus === 'WARNING' && Number.isFinite(reached) ? `${reached}% reached` : null;
}
