import { Muted } from '../parts/form/menu.tsx';
import { TwoLines } from '../parts/list/table.tsx';
import { Meter, Status, StatusOf } from '../parts/page/card.tsx';
import { missingBillsText } from '../../kit/text/missing-bills.ts';
import { money, month as monthName } from '../words/format.ts';
import { type BudgetRow, toneOf } from './queries.ts';

type Shown = Pick<BudgetRow, 'projectedStatus' | 'unconverted' | 'missingBills'>;
interface Excluding {
  readonly unconverted: readonly object[];
  readonly missingBills: readonly object[];
}
type Projected = Shown & Pick<BudgetRow, 'alertThresholds' | 'percentUsed'>;

/** Status with its reasons below: the forecast or the highest threshold that the spend has reached, and excluded costs. */
export function BudgetStatusCell({ budget }: { readonly budget: Projected }) {
  const status = <ProjectedStatus budget={budget} />;
  const reasons = [reasonOf(budget), excludedOf(budget)].filter((reason) => reason !== null);
  return reasons.length === 0 ? status : <TwoLines top={status} below={reasons.join(', ')} />;
}

/** Status of a budget; it is unknown if its costs could not be read in time. A budget that excludes costs without an exchange
 *  rate or of a missing bill is not OK: they can exceed the amount. */
export function ProjectedStatus({ budget }: { readonly budget: Shown }) {
  const { projectedStatus: value } = budget;
  if (value === 'OK' && isIncomplete(budget)) return <Status value="INCOMPLETE" tone="warn" />;
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

/** Whether the figures of a budget exclude costs. */
export function isIncomplete({ unconverted, missingBills }: Excluding): boolean {
  return unconverted.length + missingBills.length > 0;
}

/** Names the costs that the figures of a budget exclude; null if there are none. */
export function excludedOf({ unconverted, missingBills }: Pick<Shown, keyof Excluding>): string | null {
  const sums = unconverted.map(({ cost, currency }) => money(cost, currency)).join(', ');
  const parts = [missingBillsText(missingBills, monthName), sums === '' ? null : `excludes ${sums}`];
  return parts.filter((part) => part !== null).join(', ') || null;
}
