import type { Deps } from '../../../kit/deps.ts';
import {
  changePercent,
  microsToNumber,
  percentages,
  roundAmount,
  roundParts,
  sumAmounts,
  type Amount,
  type Micros,
} from '../../../kit/money.ts';
import { addDays, dayOf, daysIn, firstDay, monthsIn, type Day, type DayRange } from '../../../kit/period.ts';
import type { OrgScope } from '../../../tenancy/auth/scope.ts';
import type { Breakdown, BreakdownRest, BreakdownRow, DimensionValues } from './answer.ts';
import {
  resolveBreakdown,
  resolveValues,
  type BreakdownArgs,
  type BreakdownQuestion,
  type ValuesArgs,
} from './question.ts';
import { AnswerCache, answerKey } from '../cache.ts';
import { headOf } from '../compose.ts';
import { noLabels, readLabels, type Labels } from '../reading/labels.ts';
import { passes, withoutFilters } from '../query.ts';
import type { RankedCosts, RankedRow } from '../reading/ranking.ts';
import { readRanking } from '../reading/read.ts';
import { readLedger, type CostAccount, type Ledger } from '../store.ts';

/** What answers need of the outside world. */
export type BreakdownDeps = Pick<Deps, 'pool' | 'clock' | 'engine'>;

/** A resolved question and the versions of everything that it is answered from. */
export interface PreparedBreakdown {
  readonly question: BreakdownQuestion;
  readonly ledger: Ledger;
  /** The accounts in the caller's scope and question. */
  readonly accounts: readonly CostAccount[];
  /** Equal keys have equal answers. */
  readonly key: string;
}

/** Resolves the parameters of `costs`, and reads the versions that its answer depends on.
 *  @throws {AppError} VALIDATION_ERROR that names the parameter */
export function prepareBreakdown(
  deps: BreakdownDeps,
  scope: OrgScope,
  args: BreakdownArgs,
): Promise<PreparedBreakdown> {
  return prepare(deps, scope, resolveBreakdown(args, dayOf(deps.clock.now())));
}

/** Resolves the parameters of `costDimensionValues`, and reads the versions that its answer depends on.
 *  @throws {AppError} VALIDATION_ERROR that names the parameter */
export function prepareValues(deps: BreakdownDeps, scope: OrgScope, args: ValuesArgs): Promise<PreparedBreakdown> {
  return prepare(deps, scope, resolveValues(args, dayOf(deps.clock.now())));
}

async function prepare(
  { pool }: BreakdownDeps,
  scope: OrgScope,
  { query, ...rest }: BreakdownQuestion,
): Promise<PreparedBreakdown> {
  const ledger = await readLedger(pool, scope);
  const accounts = ledger.accounts.filter(({ id }) => passes(query, 'account', id));
  // Accounts are chosen here, so that nothing later can tell an id outside of the scope from one that never existed.
  const question = { query: { ...query, ...withoutFilters(query, 'account') }, ...rest };
  return { question, ledger, accounts, key: answerKey(question, ledger, accounts) };
}

const breakdowns = new AnswerCache<Breakdown>();
const valueLists = new AnswerCache<DimensionValues>();

/** Answers `costs`.
 *  @throws {AppError} SERVICE_UNAVAILABLE when the question is too large, or the engine is busy */
export function answerBreakdown(
  deps: BreakdownDeps,
  prepared: PreparedBreakdown,
  signal?: AbortSignal,
): Promise<Breakdown> {
  return breakdowns.get(
    deps.pool,
    prepared.key,
    async (shared) => compose(prepared, ...(await read(deps, prepared, shared))),
    signal,
  );
}

/** Answers `costDimensionValues`.
 *  @throws {AppError} SERVICE_UNAVAILABLE when the question is too large, or the engine is busy */
export function answerValues(
  deps: BreakdownDeps,
  prepared: PreparedBreakdown,
  signal?: AbortSignal,
): Promise<DimensionValues> {
  const compute = async (shared: AbortSignal) => composeValues(prepared, ...(await read(deps, prepared, shared)));
  return valueLists.get(deps.pool, prepared.key, compute, signal);
}

async function read(
  deps: BreakdownDeps,
  { question: { query, ranking }, ledger, accounts }: PreparedBreakdown,
  signal: AbortSignal,
): Promise<[RankedCosts, Labels]> {
  const books = { ...ledger, accountIds: accounts.map(({ id }) => id) };
  const ranked = await readRanking(deps, books, { query, ranking }, signal);
  const labels = ranked.rows.length === 0 ? noLabels : await readLabels(deps.pool, books, query, ranked.rows);
  return [ranked, labels];
}

/** Rows, the rest, and what they add up to, rounded so that they do. */
function compose(prepared: PreparedBreakdown, ranked: RankedCosts, labels: Labels): Breakdown {
  const { question, ledger, accounts } = prepared;
  const { query, ranking, compare } = question;
  const shares = sharesOf(ranked, question);
  const rows = ranked.rows.map((row, index) => ({
    keys: query.dimensions.map((dimension, at) => {
      const value = row.keys[at] ?? null;
      return { dimension, value, label: labels.labelOf(row.keys, at) };
    }),
    resourceId: labels.resourceIdOf(row.keys),
    quantity: row.quantity === null ? null : microsToNumber(roundAmount(row.quantity)),
    unit: row.unit,
    ...shares.of(index),
  }));
  return {
    ...headOf({ query, ledger, accounts }, shares.total, ranked.unconverted),
    groupBy: query.dimensions,
    granularity: query.bucket === 'none' ? 'none' : query.bucket === 'day' ? 'daily' : 'monthly',
    compare,
    previous:
      ranking.previous === null
        ? null
        : comparedWith(ranking.previous, shares.total, roundAmount(ranked.previousTotal)),
    rows,
    other: { count: ranked.rowCount - rows.length, ...shares.of(rows.length) },
    rowCount: ranked.rowCount,
  };
}

/** Tag keys overlap, and a search leaves values out: each value is rounded on its own. */
function composeValues(prepared: PreparedBreakdown, ranked: RankedCosts, labels: Labels): DimensionValues {
  const { question, ledger, accounts } = prepared;
  const total = roundAmount(ranked.total);
  return {
    ...headOf({ query: question.query, ledger, accounts }, total, ranked.unconverted),
    dimension: question.query.dimensions[0] ?? 'tag',
    values: ranked.rows.map(({ keys, cost }) => {
      const rounded = roundAmount(cost);
      const [percentage = null] = percentages([rounded, total - rounded], total);
      return { value: keys[0] ?? null, label: labels.labelOf(keys, 0), cost: microsToNumber(rounded), percentage };
    }),
    valueCount: ranked.matchCount,
  };
}

function comparedWith({ start, end }: DayRange, total: Micros, before: Micros) {
  return {
    startDate: start,
    endDate: addDays(end, -1),
    totalCost: microsToNumber(before),
    change: microsToNumber(total - before),
    changePercent: changePercent(total, before),
  };
}

type Share = Omit<BreakdownRest, 'count'> & Pick<BreakdownRow, 'cost'>;

/** Rounds the rows and the rest so that they add up to the rounded total; the rest comes after the last row. */
function sharesOf(ranked: RankedCosts, { query, ranking }: BreakdownQuestion) {
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
        percentage: shares[index] ?? (total === 0n ? null : 0),
        previousCost: isCompared ? microsToNumber(previous) : null,
        change: isCompared ? microsToNumber(cost - previous) : null,
        changePercent: isCompared ? changePercent(cost, previous) : null,
        points: starts === null ? null : pointsOf(starts, pointsAt(ranked, index), cost),
      };
    },
  };
}

function withRest(parts: readonly Amount[], whole: Amount, hasRest: boolean): Amount[] {
  return hasRest ? [...parts, whole - sumAmounts(parts)] : [...parts];
}

function roundAll(parts: readonly Amount[], whole: Micros): Micros[] {
  return parts.length === 0 ? [] : roundParts(parts, whole);
}

/** The points of a row, or after the last one of the rest. */
function pointsAt({ rows, points }: RankedCosts, index: number): (start: Day) => Amount {
  const row: RankedRow | undefined = rows[index];
  if (row) return (start) => row.points.get(start) ?? 0n;
  return (start) => (points.get(start) ?? 0n) - sumAmounts(rows.map((each) => each.points.get(start) ?? 0n));
}

interface BucketStart {
  /** The first day of the day or month. */
  readonly start: Day;
  /** The first of its days that is in the range. */
  readonly shown: Day;
}

function bucketStarts({ bucket, range }: BreakdownQuestion['query']): readonly BucketStart[] | null {
  if (bucket === 'none') return null;
  if (bucket === 'day') return daysIn(range).map((day) => ({ start: day, shown: day }));
  return monthsIn(range).map((month) => {
    const start = firstDay(month);
    return { start, shown: start < range.start ? range.start : start };
  });
}

function pointsOf(starts: readonly BucketStart[], amountAt: (start: Day) => Amount, whole: Micros) {
  const costs = roundParts(
    starts.map(({ start }) => amountAt(start)),
    whole,
  );
  return starts.map(({ shown }, index) => ({ date: shown, cost: microsToNumber(costs[index] ?? 0n) }));
}
