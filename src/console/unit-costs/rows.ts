import { changeOf } from '../costs/table/rows.ts';
import { monthEnd, monthStart } from '../words/days.ts';
import type { UnitCost } from './queries.ts';

type Point = UnitCost['points'][number];

/** A row of the table: a point and its change from the point before. */
export interface UnitCostRow extends Point {
  /** Null if one of the two lacks a value or covers its day or month only in part. */
  readonly change: number | null;
}

interface Points extends Pick<UnitCost, 'granularity' | 'dataFrom' | 'lastCompleteDay'> {
  readonly points: readonly Point[];
}

/** Converts points to rows, newest first. */
export function unitCostRows(cost: Points): UnitCostRow[] {
  return cost.points
    .map((point, index) => ({ ...point, change: changeFrom(cost, cost.points[index - 1], point) }))
    .toReversed();
}

function changeFrom(cost: Points, before: Point | undefined, now: Point): number | null {
  if (!before || !isWhole(cost, before) || !isWhole(cost, now)) return null;
  return before.costPerUnit === null || now.costPerUnit === null ? null : changeOf(now.costPerUnit, before.costPerUnit);
}

/** Whether the range and the bills cover all days of a point. */
function isWhole({ granularity, dataFrom, lastCompleteDay }: Points, { date }: Point): boolean {
  const [first, last] = granularity === 'DAILY' ? [date, date] : [monthStart(date), monthEnd(date)];
  if (dataFrom === null || lastCompleteDay === null) return false;
  return date === first && dataFrom <= first && last <= lastCompleteDay;
}
