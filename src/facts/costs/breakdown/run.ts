import {
  type Amount,
  amountToNumber,
  changePercent,
  type Micros,
  microsToNumber,
  percentages,
  roundAmount,
  roundParts,
  sumAmounts,
} from '../../../kit/money.ts';
import { addDays, dayOf, type Day, type DayRange } from '../../../kit/time/period.ts';
import type { OrgScope } from '../../../tenancy/auth/scope.ts';
import type { Breakdown, DimensionValues } from './graphql-types.ts';
import {
  resolveBreakdown,
  resolveValues,
  type BreakdownArgs,
  type BreakdownQuestion,
  type ValuesArgs,
} from './question.ts';
import { bucketStarts } from '../buckets.ts';
import { beginsBefore } from '../../../kit/time/compared-days.ts';
import { unconvertedCosts } from '../cells.ts';
import { firstBilledDay, headOf } from '../compose.ts';
import { answering, readCaveats, type Caller, type Caveats, type CostDeps, type Prepared } from '../ledger.ts';
import { noLabels, readLabels, type Labels } from '../reading/labels.ts';
import type { RankedCosts, RankedRow } from '../reading/ranking.ts';
import { readRanking } from '../reading/read.ts';
import { readSharedRanking, type SharedCosts } from '../../allocation/shared-costs.ts';

const breakdowns = answering(async (deps, prepared: Prepared<BreakdownQuestion>, signal) =>
  compose(prepared, await read(deps, prepared, signal)),
);
const valueLists = answering(async (deps, prepared: Prepared<BreakdownQuestion>, signal) =>
  composeValues(prepared, await read(deps, prepared, signal)),
);

/** Answers `costs`.
 *  @throws {AppError} VALIDATION_ERROR that names the parameter; SERVICE_UNAVAILABLE when the question is too large or the
 *    engine is busy */
export async function readBreakdown(
  deps: CostDeps,
  scope: OrgScope,
  args: BreakdownArgs,
  caller: Caller = {},
): Promise<Breakdown> {
  return breakdowns(deps, scope, resolveBreakdown(args, dayOf(deps.clock.now())), caller);
}

/** Answers `costDimensionValues`.
 *  @throws {AppError} as `readBreakdown` */
export async function readValues(
  deps: CostDeps,
  scope: OrgScope,
  args: ValuesArgs,
  caller: Caller = {},
): Promise<DimensionValues> {
  return valueLists(deps, scope, resolveValues(args, dayOf(deps.clock.now())), caller);
}

interface Read {
  readonly ranked: Ranked;
  readonly labels: Labels;
  readonly caveats: Caveats;
}

async function read(
  deps: CostDeps,
  { question: { query, ranking, includesShared }, ledger, accounts }: Prepared<BreakdownQuestion>,
  signal: AbortSignal,
): Promise<Read> {
  const slice = { ...ledger, accountIds: accounts.map(({ id }) => id) };
  const ranges = [query.range, ...(ranking.previous ? [ranking.previous] : [])];
  const [ranked, caveats] = await Promise.all([
    includesShared
      ? readSharedRanking(deps, slice, { query, ranking }, signal)
      : readRanking(deps, slice, { query, ranking }, signal),
    readCaveats(deps.pool, slice, query, ...ranges),
  ]);
  const labels = ranked.rows.length === 0 ? noLabels : await readLabels(deps.pool, slice, query, ranked.rows);
  return { ranked, labels, caveats };
}

interface Ranked extends RankedCosts {
  /** Absent without shared costs. */
  readonly shared?: SharedCosts;
}

/** Composes the rows, the remainder and the total, rounded so that they add up. */
function compose(prepared: Prepared<BreakdownQuestion>, { ranked, labels, caveats }: Read): Breakdown {
  const { question, ledger, accounts } = prepared;
  const { query, until, ranking, compare } = question;
  const isComparable =
    ranking.previous !== null &&
    !beginsBefore(ranking.previous.start, firstBilledDay(accounts)) &&
    ranked.unconverted.size + ranked.previousUnconverted.size + caveats.missingBills.length === 0;
  const shares = sharesOf(ranked, question, isComparable);
  const rows = ranked.rows.map((row, index) => ({
    keys: query.dimensions.map((dimension, at) => {
      const value = row.keys[at] ?? null;
      return { dimension, value, label: labels.labelOf(row.keys, at) };
    }),
    resourceId: labels.resourceIdOf(row.keys),
    quantity: row.quantity === null ? null : amountToNumber(row.quantity),
    unit: row.unit,
    ...shares.of(index),
  }));
  return {
    ...headOf({ query, until, ledger, accounts, ...caveats }, shares.total, ranked.unconverted),
    groupBy: query.dimensions,
    granularity: query.bucket === 'none' ? 'none' : query.bucket === 'day' ? 'daily' : 'monthly',
    compare,
    previous:
      ranking.previous === null
        ? null
        : {
            ...comparedWith(ranking.previous, shares.total, roundAmount(ranked.previousTotal), isComparable),
            unconverted: unconvertedCosts(ranked.previousUnconverted),
          },
    rows,
    other: { count: ranked.rowCount - rows.length, ...shares.of(rows.length) },
    rowCount: ranked.rowCount,
    skippedSplits: ranked.shared?.skipped.map(({ name, month }) => ({ name, month })) ?? null,
  };
}

/** Rounds each value on its own: tag keys overlap and a search leaves values out, so they do not add up anyway. */
function composeValues(prepared: Prepared<BreakdownQuestion>, { ranked, labels, caveats }: Read): DimensionValues {
  const { question, ledger, accounts } = prepared;
  const { query, until } = question;
  const total = roundAmount(ranked.total);
  return {
    ...headOf({ query, until, ledger, accounts, ...caveats }, total, ranked.unconverted),
    dimension: query.dimensions[0] ?? 'tag',
    values: ranked.rows.map(({ keys, cost }) => {
      const rounded = roundAmount(cost);
      const [percentage = null] = percentages([rounded, total - rounded], total);
      return { value: keys[0] ?? null, label: labels.labelOf(keys, 0), cost: microsToNumber(rounded), percentage };
    }),
    valueCount: ranked.matchCount,
  };
}

function comparedWith({ start, end }: DayRange, total: Micros, before: Micros, isComparable: boolean) {
  return {
    startDate: start,
    endDate: addDays(end, -1),
    totalCost: microsToNumber(before),
    change: microsToNumber(total - before),
    changePercent: isComparable ? changePercent(total, before) : null,
  };
}

type Share = Omit<Breakdown['other'], 'count'>;

/** Rounds the rows and the remainder so that they add up to the rounded total; the remainder comes last. */
function sharesOf(ranked: Ranked, { query, ranking }: BreakdownQuestion, isComparable: boolean) {
  const { rows } = ranked;
  const hasRest = ranked.rowCount > rows.length;
  const total = roundAmount(ranked.total);
  const previousTotal = roundAmount(ranked.previousTotal);
  const costs = withRest(
    rows.map(({ cost }) => cost),
    ranked.total,
    hasRest,
  );
  const before = withRest(
    rows.map(({ previous }) => previous),
    ranked.previousTotal,
    hasRest,
  );
  const rounded = roundAll(costs, total);
  const direct = directParts(ranked, hasRest);
  const roundedBefore = roundAll(before, previousTotal);
  const shares = percentages(rounded, total);
  const starts = bucketStarts(query);
  return {
    total,
    of(index: number): Share {
      const cost = rounded[index] ?? 0n;
      const previous = roundedBefore[index] ?? 0n;
      const isCompared = ranking.previous !== null;
      return {
        cost: microsToNumber(cost),
        directCost: direct && microsToNumber(direct[index] ?? 0n),
        sharedCost: direct && microsToNumber(cost - (direct[index] ?? 0n)),
        percentage: shares[index] ?? (total === 0n ? null : 0),
        previousCost: isCompared ? microsToNumber(previous) : null,
        change: isCompared ? microsToNumber(cost - previous) : null,
        changePercent: isComparable ? changePercent(cost, previous) : null,
        points: query.bucket === 'none' ? null : pointsOf(starts, pointsAt(ranked, index), cost),
      };
    },
  };
}

/** Rounds the direct costs so that they add up to their total; null without shared costs. */
function directParts({ rows, shared }: Ranked, hasRest: boolean): Micros[] | null {
  if (shared === undefined) return null;
  const direct = withRest(
    rows.map(({ keys }) => shared.directOf(keys)),
    shared.directTotal,
    hasRest,
  );
  return roundAll(direct, roundAmount(shared.directTotal));
}

function withRest(parts: readonly Amount[], whole: Amount, hasRest: boolean): Amount[] {
  return hasRest ? [...parts, whole - sumAmounts(parts)] : [...parts];
}

function roundAll(parts: readonly Amount[], whole: Micros): Micros[] {
  return parts.length === 0 ? [] : roundParts(parts, whole);
}

/** Returns the points of a row, or of the remainder for the index after the last row. */
function pointsAt({ rows, points }: RankedCosts, index: number): (start: Day) => Amount {
  const row: RankedRow | undefined = rows[index];
  if (row) return (start) => row.points.get(start) ?? 0n;
  return (start) => (points.get(start) ?? 0n) - sumAmounts(rows.map((each) => each.points.get(start) ?? 0n));
}

function pointsOf(starts: ReturnType<typeof bucketStarts>, amountAt: (start: Day) => Amount, whole: Micros) {
  const costs = roundParts(
    starts.map(({ start }) => amountAt(start)),
    whole,
  );
  return starts.map(({ shown }, index) => ({ date: shown, cost: microsToNumber(costs[index] ?? 0n) }));
}
