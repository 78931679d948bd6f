import type { Deps } from '../../../kit/deps.ts';
import {
  amountToNumber,
  microsToNumber,
  roundAmount,
  roundParts,
  sumAmounts,
  type Amount,
  type Micros,
} from '../../../kit/money.ts';
import { addDays, dayOf, daysIn, firstDay, monthOf, type Day } from '../../../kit/time/period.ts';
import type { OrgScope } from '../../../tenancy/auth/scope.ts';
import { bucketStarts } from '../../costs/buckets.ts';
import { amountsBy, convertedOf, costOf, unconvertedBy, unconvertedOf, type CostCell } from '../../costs/cells.ts';
import { headOf } from '../../costs/compose.ts';
import { answering, readCaveats, type Caller, type Caveats, type CostDeps, type Prepared } from '../../costs/ledger.ts';
import { readCells } from '../../costs/reading/read.ts';
import { requireMetric } from '../run.ts';
import { readMetricDays } from '../values-store.ts';
import { costPerUnit, metricMonthsOf } from './cost-per-unit.ts';
import type { UnitCost } from './graphql-types.ts';
import { resolveUnitCost, type UnitCostArgs, type UnitCostQuestion } from './question.ts';

/** Quantities or costs by day. */
type Quantities = ReadonlyMap<Day, Amount>;

const unitCosts = answering(async (deps, prepared: Prepared<UnitCostQuestion>, signal) => {
  const { question, ledger, accounts } = prepared;
  const { query, metric, labels } = question;
  const slice = { ...ledger, accountIds: accounts.map(({ id }) => id) };
  const [cells, days, caveats] = await Promise.all([
    readCells(deps, slice, query, signal),
    readMetricDays(deps.pool, ledger, { metricId: metric.id, range: query.range, labels }),
    readCaveats(deps.pool, slice, query, query.range),
  ]);
  return compose({ ...prepared, ...caveats }, cells, days);
});

/** Answers `unitCost`: costs in the caller's scope, divided by the organization's quantities.
 *  @throws {AppError} VALIDATION_ERROR that names the parameter; SERVICE_UNAVAILABLE when the engine is busy */
export async function readUnitCost(
  deps: CostDeps & Pick<Deps, 'db'>,
  scope: OrgScope,
  args: UnitCostArgs,
  caller: Caller = {},
): Promise<UnitCost> {
  const { key, asked } = resolveUnitCost(args, dayOf(deps.clock.now()));
  return unitCosts(deps, scope, { ...asked, metric: await requireMetric(deps, scope, key, 'metric') }, caller);
}

function compose(
  { question, ledger, accounts, provisionalRates, missingBills }: Prepared<UnitCostQuestion> & Caveats,
  cells: readonly CostCell[],
  days: Quantities,
): UnitCost {
  const { query, until, granularity, metric } = question;
  const converted = convertedOf(cells);
  const costs = amountsBy(converted, ({ period }) => period);
  const total = roundAmount(costOf(converted));
  const rateless = unconvertedBy(cells, ({ period }) => period ?? query.range.start);
  const quantity = days.size === 0 ? null : sumAmounts(days.values());
  const missing = daysIn({ start: query.range.start, end: addDays(until, 1) }).filter((day) => !days.has(day));
  const quantities = granularity === 'daily' ? days : metricMonthsOf(days);
  const missingMonths = new Set(missingBills.map(({ month }) => month));
  const isPartial = (period: Day) => (rateless.get(period)?.size ?? 0) > 0 || missingMonths.has(monthOf(period));
  // Periods without values would raise the cost per unit: the metric began later, or its values are late.
  const measured = sumAmounts([...costs].map(([period, cost]) => (quantities.has(period) ? cost : 0n)));
  return {
    ...headOf({ query, until, ledger, accounts, provisionalRates, missingBills }, total, unconvertedOf(cells)),
    metric,
    granularity,
    totalQuantity: quantity === null ? null : amountToNumber(quantity),
    measuredCost: amountToNumber(measured),
    costPerUnit: [...quantities.keys()].some(isPartial) ? null : costPerUnit(measured, quantity),
    points: pointsOf(question, { costs, total, quantities, missing, isPartial }),
    daysWithoutValues: missing,
  };
}

interface PointFacts {
  /** Exact costs by the first day of each day or month. */
  readonly costs: Quantities;
  /** The rounded total that the points add up to. */
  readonly total: Micros;
  readonly quantities: Quantities;
  /** Days without values. */
  readonly missing: readonly Day[];
  /** Whether a day or month has a missing bill or costs without an exchange rate: its cost per unit would be too low. */
  readonly isPartial: (start: Day) => boolean;
}

function pointsOf(
  { query, granularity }: UnitCostQuestion,
  { costs, total, quantities, missing, isPartial }: PointFacts,
): UnitCost['points'] {
  const starts = bucketStarts(query);
  const amounts = starts.map(({ start }) => costs.get(start) ?? 0n);
  const rounded = roundParts(amounts, total);
  const missingBy = Map.groupBy(missing, (day) => (granularity === 'daily' ? day : firstDay(monthOf(day))));
  return starts.map(({ start, shown }, index) => {
    const quantity = quantities.get(start) ?? null;
    return {
      date: shown,
      cost: microsToNumber(rounded[index] ?? 0n),
      quantity: quantity === null ? null : amountToNumber(quantity),
      costPerUnit: isPartial(start) ? null : costPerUnit(amounts[index] ?? 0n, quantity),
      daysWithoutValues: missingBy.get(start)?.length ?? 0,
    };
  });
}
