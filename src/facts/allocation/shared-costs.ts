import type { Amount } from '../../kit/money.ts';
import { addMonths, firstDay, monthOf, monthsIn, type Day, type DayRange } from '../../kit/time/period.ts';
import { amountsBy, convertedOf, type CostCell } from '../costs/cells.ts';
import { virtualKeyOf } from '../costs/dimensions.ts';
import type { Ledger } from '../costs/ledger.ts';
import { passes, withoutFilters, type CostQuery } from '../costs/query.ts';
import { rankCells, type RankedCosts, type RankedRow, type Ranking } from '../costs/reading/ranking.ts';
import { rankBy, readCells, type ReadDeps, type ScopedBooks } from '../costs/reading/read.ts';
import { monthSplits, type MonthSplits, type SkippedSplit } from './split-costs.ts';
import { readLiveSplits } from './splits-store.ts';
import type { Split } from './splits.ts';

/** A ranking with the costs that values share: `rows` and totals include them. */
export interface SharedRanking {
  readonly ranked: RankedCosts;
  /** Direct cost of a row. */
  readonly directOf: (keys: RankedRow['keys']) => Amount;
  readonly directTotal: Amount;
  /** Splits that could not be applied. */
  readonly skipped: readonly SkippedSplit[];
}

/** Reads a ranking by a virtual tag, with its shared costs split in each calendar month. Proportions follow from all costs in
 *  the caller's scope, so that filters do not change them; filters by values of the virtual tag apply to the result. */
export async function readSharedRanking(
  deps: ReadDeps,
  ledger: Ledger & ScopedBooks,
  { query, ranking }: { readonly query: CostQuery; readonly ranking: Ranking },
  signal?: AbortSignal,
): Promise<SharedRanking> {
  const at = query.dimensions.findIndex((dimension) => virtualKeyOf(dimension) !== null);
  const task = {
    query,
    at,
    splits: await readLiveSplits(deps.pool, ledger, virtualKeyOf(query.dimensions[at] ?? 'tag') ?? ''),
  };
  const current = await readSplit(deps, ledger, task, signal);
  const before =
    ranking.previous === null
      ? null
      : await readSplit(
          deps,
          ledger,
          { ...task, query: { ...query, range: ranking.previous, bucket: 'none' } },
          signal,
        );
  const direct = new Map<string, Amount>();
  for (const { keys, direct: own } of current.costs) add(direct, JSON.stringify(keys), own);
  return {
    ranked: rankCells(current.cells, before?.cells ?? [], await rankBy(deps, ledger, query, ranking)),
    directOf: (keys) => direct.get(JSON.stringify(keys)) ?? 0n,
    directTotal: [...direct.values()].reduce((sum, amount) => sum + amount, 0n),
    skipped: current.skipped,
  };
}

interface Task {
  readonly query: CostQuery;
  /** Index of the virtual tag among the dimensions. */
  readonly at: number;
  readonly splits: readonly Split[];
}

interface SplitCells {
  readonly cells: readonly CostCell[];
  readonly costs: readonly { readonly keys: CostCell['keys']; readonly direct: Amount }[];
  readonly skipped: readonly SkippedSplit[];
}

async function readSplit(
  deps: ReadDeps,
  ledger: Ledger & ScopedBooks,
  { query, at, splits }: Task,
  signal?: AbortSignal,
): Promise<SplitCells> {
  const dimension = query.dimensions[at] ?? 'tag';
  const asked: CostQuery = {
    ...query,
    ...withoutFilters(query, dimension),
    bucket: query.bucket === 'none' ? 'month' : query.bucket,
  };
  const [cells, months] = await Promise.all([
    readCells(deps, ledger, asked, signal),
    readMonths(deps, ledger, { query, at, splits }, signal),
  ]);
  const isShown = (keys: CostCell['keys']) => passes(query, dimension, keys[at] ?? null);
  const parts = convertedOf(cells).flatMap((cell) => {
    const splitter = months.get(firstDay(monthOf(cell.period ?? query.range.start)));
    const costs = splitter?.split(cell.keys[at] ?? '', cell.cost) ?? [];
    return costs.map(({ value, direct, shared }) => ({ cell, direct, shared, keys: cell.keys.with(at, value) }));
  });
  const shown = parts.filter(({ keys }) => isShown(keys));
  const periodOf = ({ period }: CostCell) => (query.bucket === 'none' ? null : period);
  return {
    costs: shown,
    cells: [
      ...shown.map(({ cell, keys, direct, shared }) => ({
        ...cell,
        keys,
        cost: direct + shared,
        period: periodOf(cell),
      })),
      ...cells
        .filter(({ unconverted, keys }) => unconverted !== null && isShown(keys))
        .map((cell) => ({ ...cell, period: periodOf(cell) })),
    ],
    skipped: [...months.values()].flatMap(({ skipped }) => skipped),
  };
}

/** Prepares the splits of the calendar months that a query touches, from the direct costs of each whole month. */
async function readMonths(
  deps: ReadDeps,
  ledger: Ledger & ScopedBooks,
  { query, at, splits }: Task,
  signal?: AbortSignal,
): Promise<ReadonlyMap<Day, MonthSplits>> {
  const books = { ...ledger, accountIds: ledger.accounts.map(({ id }) => id) };
  const dimensions = [query.dimensions[at] ?? 'tag'];
  const whole: CostQuery = {
    ...query,
    range: wholeMonths(query.range),
    bucket: 'month',
    dimensions,
    include: [],
    exclude: [],
  };
  const cells = splits.length === 0 ? [] : convertedOf(await readCells(deps, books, whole, signal));
  return new Map(
    monthsIn(query.range).map((month) => {
      const start = firstDay(month);
      const own = cells.filter(({ period }) => period === start);
      return [
        start,
        monthSplits(
          start,
          splits,
          amountsBy(own, ({ keys }) => keys[0] ?? null),
        ),
      ];
    }),
  );
}

function wholeMonths(range: DayRange): DayRange {
  const months = monthsIn(range);
  const last = months.at(-1) ?? monthOf(range.start);
  return { start: firstDay(monthOf(range.start)), end: firstDay(addMonths(last, 1)) };
}

function add(sums: Map<string, Amount>, key: string, amount: Amount): void {
  sums.set(key, (sums.get(key) ?? 0n) + amount);
}
