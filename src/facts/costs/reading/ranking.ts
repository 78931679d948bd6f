import type { Amount } from '../../../kit/money.ts';
import { sumAmounts } from '../../../kit/money.ts';
import type { Day, DayRange } from '../../../kit/time/period.ts';
import type { Sort } from '../../../kit/sort.ts';
import { amountsBy, convertedOf, costOf, unconvertedOf, type CostCell } from '../cells.ts';
import { compare } from '../../../kit/sort.ts';

/** Sort fields of rows. */
export const rowSortFields = ['cost', 'change', 'name'] as const;

/** Selects the displayed rows and the comparison. */
export interface Ranking {
  /** Comparison days, half-open, before the range and disjoint from it; null: none. */
  readonly previous: DayRange | null;
  readonly sort: Sort<(typeof rowSortFields)[number]>;
  /** Maximum number of rows. */
  readonly limit: number;
  /** Lower-case text that a value must contain; null: any. */
  readonly search: string | null;
}

/** Exact figures of one combination of values. */
export interface RankedRow {
  readonly keys: readonly (string | null)[];
  readonly cost: Amount;
  /** Cost in the comparison range; 0 without one. */
  readonly previous: Amount;
  /** Consumed quantity in one unit; null without a quantity or with mixed units. */
  readonly quantity: Amount | null;
  readonly unit: string | null;
  /** Cost by first day of each bucket (day or month) of the query. */
  readonly points: ReadonlyMap<Day, Amount>;
}

/** The top rows of an answer and the totals of all rows. */
export interface RankedCosts {
  readonly rows: readonly RankedRow[];
  readonly rowCount: number;
  readonly total: Amount;
  readonly previousTotal: Amount;
  /** Totals of all rows. */
  readonly points: ReadonlyMap<Day, Amount>;
  /** Costs without an exchange rate, by currency: not included in any other figure, and never 0. */
  readonly unconverted: ReadonlyMap<string, Amount>;
  /** The same in the comparison range. */
  readonly previousUnconverted: ReadonlyMap<string, Amount>;
  /** Number of rows that match the search. */
  readonly matchCount: number;
}

/** Options of a ranking. */
export interface RankBy extends Pick<Ranking, 'sort' | 'limit'> {
  /** Returns whether a row matches the search. */
  readonly matches: (keys: RankedRow['keys']) => boolean;
  /** Returns the names that rows are sorted by. */
  readonly namesOf: (keys: RankedRow['keys']) => readonly string[];
}

/** Ranks the complete cells of an answer.
 *  @param previous cells of the comparison range */
export function rankCells(cells: readonly CostCell[], previous: readonly CostCell[], by: RankBy): RankedCosts {
  const groups = new Map<string, MutableRow>();
  const groupOf = (keys: RankedRow['keys']): MutableRow => {
    const id = JSON.stringify(keys);
    const known = groups.get(id) ?? { keys, cost: 0n, previous: 0n, quantity: null, unit: null, points: new Map() };
    groups.set(id, known);
    return known;
  };
  for (const { keys, cost, period } of convertedOf(cells)) {
    const group = groupOf(keys);
    group.cost += cost;
    if (period !== null) group.points.set(period, (group.points.get(period) ?? 0n) + cost);
  }
  for (const { keys, cost } of convertedOf(previous)) groupOf(keys).previous += cost;
  const rows = [...groups.values()];
  const matching = rows.filter(({ keys }) => by.matches(keys));
  matching.sort(rowOrder(by));
  return {
    rows: matching.slice(0, by.limit),
    rowCount: rows.length,
    matchCount: matching.length,
    previousTotal: sumAmounts(rows.map((row) => row.previous)),
    previousUnconverted: unconvertedOf(previous),
    ...sumsOfAll(cells),
  };
}

/** Sums all cells of an answer. */
export function sumsOfAll(cells: readonly CostCell[]): Pick<RankedCosts, 'total' | 'points' | 'unconverted'> {
  const converted = convertedOf(cells);
  return {
    total: costOf(converted),
    points: amountsBy(converted, ({ period }) => period),
    unconverted: unconvertedOf(cells),
  };
}

interface MutableRow extends RankedRow {
  cost: Amount;
  previous: Amount;
  readonly points: Map<Day, Amount>;
}

/** Total order of rows: ties are broken by keys, absent ones last. */
export function rowOrder({ sort, namesOf }: Pick<RankBy, 'sort' | 'namesOf'>): (a: RankedRow, b: RankedRow) => number {
  const sign = sort.direction === 'asc' ? 1 : -1;
  const rankOf = (row: RankedRow) => (sort.field === 'change' ? row.cost - row.previous : row.cost);
  const main =
    sort.field === 'name'
      ? (a: RankedRow, b: RankedRow) => byKeys(namesOf(a.keys), namesOf(b.keys))
      : (a: RankedRow, b: RankedRow) => compare(rankOf(a), rankOf(b));
  return (a, b) => sign * main(a, b) || byKeys(a.keys, b.keys);
}

function byKeys(a: RankedRow['keys'], b: RankedRow['keys']): number {
  for (const [index, key] of a.entries()) {
    const other = b[index] ?? null;
    if (key === other) continue;
    if (key === null) return 1;
    return other === null ? -1 : compare(key, other);
  }
  return 0;
}
