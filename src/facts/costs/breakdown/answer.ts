import type { Day } from '../../../kit/period.ts';
import type { CostAnswer } from '../answer.ts';
import type { Comparison, SeriesGranularity } from './question.ts';
import type { Dimension } from '../dimensions.ts';

/** A value by which a row is grouped. */
export interface RowKey {
  /** As in `groupBy` of the answer. */
  readonly dimension: Dimension;
  /** Null: the charges have none. */
  readonly value: string | null;
  /** Readable name of a value that is an id. */
  readonly label: string | null;
}

/** Cost of a day or month. */
export interface CostPoint {
  /** The day, or the first day of the month that is in the range. */
  readonly date: Day;
  readonly cost: number;
}

/** What rows, the rest and the comparison have in common. */
interface Share {
  readonly cost: number;
  /** Of the total. */
  readonly percentage: number | null;
  /** Null without a comparison, as `change` is. */
  readonly previousCost: number | null;
  readonly change: number | null;
  readonly changePercent: number | null;
  /** Null without a granularity. */
  readonly points: readonly CostPoint[] | null;
}

/** Cost of one combination of values. */
export interface BreakdownRow extends Share {
  readonly keys: readonly RowKey[];
  /** Id of the resource's inventory page, where the rows are grouped by resource and it has one. */
  readonly resourceId: string | null;
  /** FOCUS ConsumedQuantity, where a meter or SKU is grouped by and one unit holds. */
  readonly quantity: number | null;
  readonly unit: string | null;
}

/** All rows that are not shown. */
export interface BreakdownRest extends Share {
  readonly count: number;
}

/** The range that was compared with. */
export interface ComparedRange {
  readonly startDate: Day;
  readonly endDate: Day;
  readonly totalCost: number;
  readonly change: number;
  readonly changePercent: number | null;
}

/** Costs by any dimensions: rows and rest add up to the total. */
export interface Breakdown extends CostAnswer {
  readonly groupBy: readonly Dimension[];
  readonly granularity: SeriesGranularity;
  readonly compare: Comparison;
  readonly previous: ComparedRange | null;
  readonly rows: readonly BreakdownRow[];
  readonly other: BreakdownRest;
  /** How many combinations of values have charges, shown or not. */
  readonly rowCount: number;
}

/** A value of a dimension. */
export interface DimensionValue {
  readonly value: string | null;
  readonly label: string | null;
  readonly cost: number;
  readonly percentage: number | null;
}

/** Values of one dimension. */
export interface DimensionValues extends CostAnswer {
  readonly dimension: Dimension;
  readonly values: readonly DimensionValue[];
  /** How many match, shown or not. */
  readonly valueCount: number;
}
