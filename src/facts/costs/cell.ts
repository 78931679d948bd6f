import type { Amount } from '../../kit/money.ts';
import type { Day } from '../../kit/period.ts';

/** Exact cost of one cell of an answer. */
export interface CostCell {
  /** The first day of the cell's day or month; null where the query has no bucket. */
  readonly period: Day | null;
  /** The value of each dimension of the query, in its order; null where charges have none. */
  readonly keys: readonly (string | null)[];
  /** The billing currency of costs that have no exchange rate: `cost` is then in it. Null: converted. */
  readonly unconverted: string | null;
  readonly cost: Amount;
}
