import type { Amount, Micros } from '../../kit/money.ts';
import { amountToNumber, roundParts, sumAmounts } from '../../kit/money.ts';
import type { Day } from '../../kit/time/period.ts';
import { compare } from '../../kit/sort.ts';

/** Exact cost of one cell of an answer. */
export interface CostCell {
  /** First day of the cell's day or month; null if the query has no bucket. */
  readonly period: Day | null;
  /** The values of the query's dimensions, in order; null for charges without a value. */
  readonly keys: readonly (string | null)[];
  /** Billing currency of `cost` if it has no exchange rate. Null: converted. */
  readonly unconverted: string | null;
  readonly cost: Amount;
}

/** Cells that an answer shows as one row. */
export interface Group {
  readonly key: string;
  readonly first: CostCell;
  readonly cells: readonly CostCell[];
  readonly amount: Amount;
  readonly cost: Micros;
}

/** Groups cells, largest cost first, rounded so that they add up to the total. Ties are ordered by key. */
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

/** Returns the value with the largest cost, by absolute amount; null without any value. */
export function largest(cells: readonly CostCell[], valueOf: (cell: CostCell) => string | null): string | null {
  const amounts = [...amountsBy(cells, valueOf)];
  const size = (amount: Amount) => (amount < 0n ? -amount : amount);
  amounts.sort(([a, costA], [b, costB]) => compare(size(costB), size(costA)) || compare(a, b));
  return amounts[0]?.[0] ?? null;
}

/** Returns the cells that are in the answer's currency. */
export function convertedOf(cells: readonly CostCell[]): CostCell[] {
  return cells.filter((cell) => cell.unconverted === null);
}

/** Sums the cost of cells. */
export function costOf(cells: readonly CostCell[]): Amount {
  return sumAmounts(cells.map((cell) => cell.cost));
}

/** Sums the cost of cells by key. Cells with a null key are left out. */
export function amountsBy<Key>(cells: readonly CostCell[], keyOf: (cell: CostCell) => Key | null): Map<Key, Amount> {
  const amounts = new Map<Key, Amount>();
  for (const cell of cells) {
    const key = keyOf(cell);
    if (key !== null) amounts.set(key, (amounts.get(key) ?? 0n) + cell.cost);
  }
  return amounts;
}

/** Sums the cost of cells without an exchange rate by currency. Currencies whose costs cancel out are not worth reporting. */
export function unconvertedOf(cells: readonly CostCell[]): Map<string, Amount> {
  const costs = amountsBy(cells, ({ unconverted }) => unconverted);
  return new Map([...costs].filter(([, cost]) => cost !== 0n));
}

/** Sums the cost of cells without an exchange rate by period and currency. */
export function unconvertedBy<Period>(
  cells: readonly CostCell[],
  periodOf: (cell: CostCell) => Period,
): Map<Period, Map<string, Amount>> {
  const rateless = cells.filter(({ unconverted }) => unconverted !== null);
  return new Map([...Map.groupBy(rateless, periodOf)].map(([period, own]) => [period, unconvertedOf(own)]));
}

/** Converts costs without an exchange rate to JSON, by currency. */
export function unconvertedCosts(costs: Iterable<readonly [currency: string, cost: Amount]> = []) {
  return [...costs]
    .sort(([one], [other]) => compare(one, other))
    .map(([currency, cost]) => ({ currency, cost: amountToNumber(cost) }));
}
