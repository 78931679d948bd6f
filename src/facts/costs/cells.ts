import type { Amount, Micros } from '../../kit/money.ts';
import { roundParts, sumAmounts } from '../../kit/money.ts';
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

/** Cells that an answer shows as one. */
export interface Group {
  readonly key: string;
  readonly first: CostCell;
  readonly cells: readonly CostCell[];
  readonly amount: Amount;
  readonly cost: Micros;
}

/** Groups with the largest cost first, rounded so that they add up to the whole. Equal costs go by their keys. */
export function groupCells(
  cells: readonly CostCell[],
  keyOf: (cell: CostCell) => readonly (string | null)[],
  whole: Micros,
): Group[] {
  const byKey = Map.groupBy(cells, (cell) => JSON.stringify(keyOf(cell)));
  const groups = [...byKey].flatMap(([key, members]) => {
    const first = members[0];
    return first === undefined ? [] : [{ key, first, cells: members, amount: costOf(members) }];
  });
  groups.sort((a, b) => compare(b.amount, a.amount) || compare(a.key, b.key));
  const costs = roundParts(
    groups.map((group) => group.amount),
    whole,
  );
  return groups.map((group, index) => ({ ...group, cost: costs[index] ?? 0n }));
}

/** The value of most of the cost, credits counted by their size; null without any. */
export function largest(cells: readonly CostCell[], valueOf: (cell: CostCell) => string | null): string | null {
  const amounts = [...amountsBy(cells, valueOf)];
  const size = (amount: Amount) => (amount < 0n ? -amount : amount);
  amounts.sort(([a, costA], [b, costB]) => compare(size(costB), size(costA)) || compare(a, b));
  return amounts[0]?.[0] ?? null;
}

/** The cells in the answer's currency. */
export function convertedOf(cells: readonly CostCell[]): CostCell[] {
  return cells.filter((cell) => cell.unconverted === null);
}

/** What cells add up to. */
export function costOf(cells: readonly CostCell[]): Amount {
  return sumAmounts(cells.map((cell) => cell.cost));
}

/** What cells add up to under each key. A cell whose key is null is left out. */
export function amountsBy<Key>(cells: readonly CostCell[], keyOf: (cell: CostCell) => Key | null): Map<Key, Amount> {
  const amounts = new Map<Key, Amount>();
  for (const cell of cells) {
    const key = keyOf(cell);
    if (key !== null) amounts.set(key, (amounts.get(key) ?? 0n) + cell.cost);
  }
  return amounts;
}

function compare<Value extends bigint | string>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
