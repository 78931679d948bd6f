import { type AppError, arg, fix, invalid } from '../../kit/errors/errors.ts';
import { sumAmounts, type Amount } from '../../kit/money.ts';
import { firstDay, monthOf, monthsIn, type Day } from '../../kit/time/period.ts';
import { nextTurn } from '../../kit/turns.ts';
import { amountsBy, convertedOf, type CostCell } from '../costs/cells.ts';
import { virtualKeyOf } from '../costs/dimensions.ts';
import type { Ledger } from '../costs/ledger.ts';
import { passes, withoutFilters, type CostQuery } from '../costs/query.ts';
import { rankCells, type RankedCosts, type RankedRow, type Ranking } from '../costs/reading/ranking.ts';
import { wholeMonths } from '../costs/question.ts';
import { rankBy, readCells, type ReadDeps, type ScopedSlice } from '../costs/reading/read.ts';
import { readLive } from '../costs/reading/tag-basis.ts';
import { readLabelQuantities, type LabelQuantity } from '../metrics/values-store.ts';
import { monthSplits, type MonthFigures, type MonthSplits, type SkippedSplit, type ValueCost } from './split-costs.ts';
import { metricIdsOf, type Split } from './splits.ts';

/** Additional parts of a ranking with shared costs; its rows and totals include them. */
export interface SharedCosts {
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
  ledger: Ledger & ScopedSlice,
  { query, ranking }: { readonly query: CostQuery; readonly ranking: Ranking },
  signal?: AbortSignal,
): Promise<RankedCosts & { readonly shared: SharedCosts }> {
  const at = query.dimensions.findIndex((dimension) => virtualKeyOf(dimension) !== null);
  const key = virtualKeyOf(query.dimensions[at] ?? 'tag') ?? '';
  const splits = (await readLive(deps.pool, ledger, [key])).get(key)?.splits ?? [];
  const read = async (asked: CostQuery) => readSplit(deps, ledger, { query: asked, at, splits }, signal);
  const current = await read(query);
  const before = ranking.previous && (await read({ ...query, range: ranking.previous, bucket: 'none' }));
  const ranked = rankCells(current.cells, before?.cells ?? [], await rankBy(deps, ledger, query, ranking));
  const shared: SharedCosts = {
    directOf: (keys) => current.direct.get(JSON.stringify(keys)) ?? 0n,
    directTotal: sumAmounts([...current.direct.values()]),
    skipped: distinct([...(before?.skipped ?? []), ...current.skipped]),
  };
  return { ...ranked, shared };
}

/** Removes repetitions: the ranges can be in the same month. */
function distinct(skipped: readonly SkippedSplit[]): SkippedSplit[] {
  return [...new Map(skipped.map((one) => [`${one.month} ${one.name}`, one])).values()];
}

interface Task {
  readonly query: CostQuery;
  /** Index of the virtual tag among the dimensions. */
  readonly at: number;
  readonly splits: readonly Split[];
}

interface SplitCells {
  /** With shared costs. */
  readonly cells: readonly CostCell[];
  /** Direct costs, converted, by the keys as JSON. */
  readonly direct: ReadonlyMap<string, Amount>;
  readonly skipped: readonly SkippedSplit[];
}

async function readSplit(
  deps: ReadDeps,
  ledger: Ledger & ScopedSlice,
  { query, at, splits }: Task,
  signal?: AbortSignal,
): Promise<SplitCells> {
  const dimension = query.dimensions[at] ?? 'tag';
  const byMonth: CostQuery = {
    ...query,
    ...withoutFilters(query, dimension),
    bucket: query.bucket === 'none' ? 'month' : query.bucket,
  };
  const [cells, months] = await Promise.all([
    readCells(deps, ledger, byMonth, signal),
    readMonths(deps, ledger, { query, at, splits }, signal),
  ]);
  const shownIn = ({ period, ...cell }: CostCell): CostCell => ({
    ...cell,
    period: query.bucket === 'none' ? null : period,
  });
  const isShown = ({ keys }: CostCell) => passes(query, dimension, keys[at] ?? null);
  const shown = cells.filter((cell) => cell.unconverted !== null && isShown(cell)).map(shownIn);
  const direct = new Map<string, Amount>();
  const add = (cell: CostCell, cost: ValueCost) => {
    shown.push({ ...cell, cost: cost.direct + cost.shared });
    if (cost.direct === 0n) return;
    const keys = JSON.stringify(cell.keys);
    direct.set(keys, (direct.get(keys) ?? 0n) + cost.direct);
  };
  let count = 0;
  for (const cell of convertedOf(cells)) {
    await nextTurn(signal);
    const month = months.get(firstDay(monthOf(cell.period ?? query.range.start)));
    const parts = month?.split(cell.keys[at] ?? '', cell.cost) ?? [];
    count += parts.length;
    if (count > mostParts) throw tooManyParts();
    for (const part of parts) {
      const one = { ...shownIn(cell), keys: cell.keys.with(at, part.value) };
      if (isShown(one)) add(one, part);
    }
  }
  return { cells: shown, direct, skipped: [...months.values()].flatMap(({ skipped }) => skipped) };
}

/** Maximum number of costs after splitting, each of which takes up to a kilobyte of memory. */
const mostParts = 100_000;

function tooManyParts(): AppError {
  return invalid`${arg('include_shared')} splits the costs into more than ${mostParts.toLocaleString('en-US')} parts${fix}request fewer days or dimensions, or a coarser granularity`;
}

/** Prepares the splits of the calendar months that a query touches, from the direct costs and the quantities of each whole
 *  month. */
async function readMonths(
  deps: ReadDeps,
  ledger: Ledger & ScopedSlice,
  { query, at, splits }: Task,
  signal?: AbortSignal,
): Promise<ReadonlyMap<Day, MonthSplits>> {
  const slice = { ...ledger, accountIds: ledger.accounts.map(({ id }) => id) };
  const dimension = query.dimensions[at] ?? 'tag';
  const whole: CostQuery = {
    ...query,
    range: wholeMonths(query.range),
    bucket: 'month',
    dimensions: [dimension],
    include: [],
    exclude: [],
  };
  const [read, quantities] = await Promise.all([
    splits.length === 0 ? [] : readCells(deps, slice, whole, signal),
    readLabelQuantities(deps.pool, ledger, {
      metricIds: metricIdsOf(splits),
      label: virtualKeyOf(dimension) ?? '',
      range: whole.range,
    }),
  ]);
  const cells = convertedOf(read);
  return new Map(
    monthsIn(query.range).map((month) => {
      const start = firstDay(month);
      const own = cells.filter(({ period }) => period === start);
      const direct = amountsBy(own, ({ keys }) => keys[0] ?? null);
      return [start, monthSplits(start, splits, { direct, quantities: quantitiesIn(quantities, start) })];
    }),
  );
}

function quantitiesIn(quantities: readonly LabelQuantity[], month: Day): MonthFigures['quantities'] {
  const byMetric = Map.groupBy(
    quantities.filter((each) => each.month === month),
    ({ metricId }) => metricId,
  );
  return new Map([...byMetric].map(([id, own]) => [id, new Map(own.map(({ value, quantity }) => [value, quantity]))]));
}
