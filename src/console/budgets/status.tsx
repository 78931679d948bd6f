import { Muted } from '../parts/form/menu.tsx';
import { TwoLines } from '../parts/list/table.tsx';
import { Meter, StatusOf } from '../parts/page/card.tsx';
import { type BudgetRow, toneOf } from './queries.ts';

type Projected = Pick<BudgetRow, 'projectedStatus' | 'alertThresholds' | 'percentUsed'>;

/** Status with its reason below: the forecast, or the highest threshold that the spend has reached. */
export function BudgetStatusCell({ budget }: { readonly budget: Projected }) {
  const status = <ProjectedStatus value={budget.projectedStatus} />;
  const reason = reasonOf(budget);
  return reason === null ? status : <TwoLines top={status} below={reason} />;
}

/** Status of a budget; it is unknown if its costs could not be read in time. */
export function ProjectedStatus({ value }: { readonly value: BudgetRow['projectedStatus'] }) {
  return value === null ? <Muted span>Not available</Muted> : <StatusOf value={value} />;
}

interface UsedMeterProps {
  readonly budget: Pick<BudgetRow, 'percentUsed' | 'status'>;
  readonly label: string;
}

/** Meter of the used percentage; none if it is unknown. */
export function UsedMeter({ budget: { percentUsed, status }, label }: UsedMeterProps) {
  return percentUsed === null || status === null ? null : (
    <Meter percent={percentUsed} tone={toneOf[status]} label={label} />
  );
}

function reasonOf({ projectedStatus, alertThresholds, percentUsed }: Projected): string | null {
  if (projectedStatus === 'AT_RISK') return 'forecast over budget';
  const reached = Math.max(...alertThresholds.filter((threshold) => percentUsed !== null && threshold <= percentUsed));
  return projectedStatus === 'WARNING' && Number.isFinite(reached) ? `${reached}% reached` : null;
}
