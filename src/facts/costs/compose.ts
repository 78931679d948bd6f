import { arg, fix, invalid } from '../../kit/errors/errors.ts';
import type { Amount, Micros } from '../../kit/money.ts';
import { changePercent, microsToNumber, percentages, roundAmount, roundParts } from '../../kit/money.ts';
import { beginsBefore, lastCompleteDay } from '../../kit/time/compared-days.ts';
import type { Day, DayRange, Month } from '../../kit/time/period.ts';
import { addDays, addMonths, daysIn, firstDay, monthOf, monthsIn } from '../../kit/time/period.ts';
import { nextTurn } from '../../kit/turns.ts';
import type { CostCell, Group } from './cells.ts';
import {
  amountsBy,
  convertedOf,
  costOf,
  groupCells,
  largest,
  unconvertedBy,
  unconvertedCosts,
  unconvertedOf,
} from './cells.ts';
import type { Dimension } from './dimensions.ts';
import type {
  AccountCost,
  CostAnswer,
  CostsDaily,
  CostsSummary,
  CostsTrend,
  DayGroup,
  GroupedCosts,
  MonthCost,
  RegionCost,
  ServiceCost,
  SubAccountCost,
  TagCost,
} from './graphql-types.ts';
import type { CostQuery } from './query.ts';
import type { CostQuestion } from './question.ts';
import type { Caveats, CostAccount, Ledger, Prepared } from './ledger.ts';

/** Inputs of an answer. Composition is pure: equal facts give equal answers. */
export interface AnswerFacts extends Omit<Prepared<CostQuestion>, 'key'>, Caveats {
  readonly cells: readonly CostCell[];
  /** Names of sub-accounts by `subAccountKey`, where the answer shows them. */
  readonly subAccountNames: ReadonlyMap<string, string>;
}

/** Composes `/costs/summary`. */
export function composeSummary(facts: AnswerFacts): CostsSummary {
  const { range, granularity } = facts.question;
  const { converted, total, head } = open(facts);
  const periods =
    granularity === 'daily' ? daysIn(range).map((day) => ({ start: day, end: addDays(day, 1) })) : clipMonths(range);
  const periodOf = ({ period }: CostCell) => (granularity === 'daily' ? period : clipped(period, range));
  const byPeriod = amountsBy(converted, periodOf);
  const rateless = unconvertedBy(facts.cells, periodOf);
  const costs = roundParts(
    periods.map((period) => byPeriod.get(period.start) ?? 0n),
    total,
  );
  return {
    ...head,
    granularity: granularity ?? 'monthly',
    periods: periods.map((period, index) => ({
      periodStart: period.start,
      periodEnd: addDays(period.end, -1),
      cost: numberAt(costs, index),
      unconverted: unconvertedCosts(rateless.get(period.start)),
    })),
  };
}

/** Composes `/costs/by-service`. A service that bills put in several categories gets the one with most of its cost. */
export function composeByService(facts: AnswerFacts): GroupedCosts<ServiceCost> {
  const of = valueReader(facts.question.query);
  return grouped(facts, ['service', 'provider'], ({ first, cells }) => ({
    service: of(first, 'service') ?? '',
    serviceCategory: largest(cells, (cell) => of(cell, 'service_category')) ?? '',
    provider: of(first, 'provider') ?? '',
  }));
}

/** Composes `/costs/by-account`: a row per account and billing provider, split by sub-account. */
export function composeByAccount(facts: AnswerFacts): GroupedCosts<AccountCost> {
  const of = valueReader(facts.question.query);
  const names = accountNames(facts.ledger);
  return grouped(facts, ['account', 'provider'], (group) => ({
    accountId: of(group.first, 'account') ?? '',
    accountName: names.get(of(group.first, 'account') ?? '') ?? '',
    provider: of(group.first, 'provider') ?? '',
    subAccounts: subAccounts(facts, group),
  }));
}

/** Composes `/costs/by-region`. */
export function composeByRegion(facts: AnswerFacts): GroupedCosts<RegionCost> {
  const of = valueReader(facts.question.query);
  return grouped(facts, ['region', 'provider'], ({ first }) => ({
    region: of(first, 'region') ?? '',
    provider: of(first, 'provider') ?? '',
  }));
}

/** Composes `/costs/by-tag`. */
export function composeByTag(facts: AnswerFacts): GroupedCosts<TagCost> {
  return grouped(facts, facts.question.query.dimensions, ({ first }) => ({ tagValue: first.keys[0] ?? null }));
}

/** Maximum number of groups of all days together. */
const mostDayGroups = 100_000;

/** Composes `/costs/daily`.
 *  @throws {AppError} VALIDATION_ERROR for too many groups */
export async function composeDaily(facts: AnswerFacts, signal: AbortSignal): Promise<CostsDaily> {
  const { range, groupBy } = facts.question;
  const { converted, total, head } = open(facts);
  if (groupBy !== null && converted.length > mostDayGroups) {
    throw invalid`${arg('group_by', groupBy)} splits the days into ${converted.length.toLocaleString('en-US')} groups; at most ${mostDayGroups.toLocaleString('en-US')} are allowed${fix}request fewer days, or use filters`;
  }
  const names = accountNames(facts.ledger);
  const cellsByDay = Map.groupBy(converted, (cell) => cell.period);
  const days = daysIn(range).map((date) => ({ date, cells: cellsByDay.get(date) ?? [] }));
  const costs = roundParts(
    days.map((day) => costOf(day.cells)),
    total,
  );
  const rateless = unconvertedBy(facts.cells, ({ period }) => period);
  const split: CostsDaily['days'][number][] = [];
  for (const [index, { date, cells }] of days.entries()) {
    await nextTurn(signal);
    const groups = groupBy === null ? null : dayGroups(facts, cells, { whole: costs[index] ?? 0n, names });
    const unconverted = unconvertedCosts(rateless.get(date));
    split.push({ date, cost: numberAt(costs, index), groups, unconverted });
  }
  return { ...head, groupBy, days: split };
}

/** Composes `/costs/trend`. The first month is compared with the one before the range. */
export function composeTrend(facts: AnswerFacts): CostsTrend {
  const { range, runningMonth } = facts.question;
  const { total, head, converted } = open(facts);
  const before = addMonths(monthOf(range.start), -1);
  const of = ({ period }: CostCell) => monthOf(period ?? range.start);
  const byMonth = amountsBy(convertedOf(facts.cells), of);
  const rateless = unconvertedBy(facts.cells, of);
  const months = monthsIn(range);
  const missing = new Set(facts.missingBills.map(({ month }) => month));
  const inRange = amountsBy(converted, of);
  const costs = roundParts(
    months.map((month) => inRange.get(month) ?? 0n),
    total,
  );
  const previous = [roundAmount(byMonth.get(before) ?? 0n), ...costs];
  return {
    ...head,
    months: months.map((month, index) =>
      monthCost(month, costs[index] ?? 0n, previous[index] ?? 0n, {
        isPartial: runningMonth !== null && month >= runningMonth,
        isKnown:
          !beginsBefore(firstDay(addMonths(month, -1)), head.dataFrom) &&
          !missing.has(addMonths(month, -1)) &&
          !missing.has(month),
        unconverted: unconvertedCosts(rateless.get(month)),
        previousUnconverted: unconvertedCosts(rateless.get(addMonths(month, -1))),
      }),
    ),
  };
}

interface MonthOf extends Pick<MonthCost, 'unconverted' | 'previousUnconverted'> {
  readonly isPartial: boolean;
  /** Whether there are bills of the month and of the month before. */
  readonly isKnown: boolean;
}

function monthCost(month: Month, cost: Micros, before: Micros, of: MonthOf): MonthCost {
  const { isPartial, isKnown, unconverted, previousUnconverted } = of;
  const isComparable = isKnown && !isPartial && unconverted.length + previousUnconverted.length === 0;
  return {
    month,
    cost: microsToNumber(cost),
    previousCost: microsToNumber(before),
    change: microsToNumber(cost - before),
    changePercent: isComparable ? changePercent(cost, before) : null,
    partial: isPartial,
    unconverted,
    previousUnconverted,
  };
}

/** Returns the cells of the range, their total, and the fields common to all answers. */
function open(facts: AnswerFacts): { converted: readonly CostCell[]; total: Micros; head: CostAnswer } {
  const { question } = facts;
  const { query, range, until } = question;
  // A trend also reads the month before.
  const inRange =
    question.view === 'trend'
      ? facts.cells.filter(({ period }) => period !== null && period >= range.start)
      : facts.cells;
  const converted = convertedOf(inRange);
  const total = roundAmount(costOf(converted));
  const rateless = unconvertedOf(inRange);
  return {
    converted,
    total,
    head: headOf({ ...facts, query: { ...query, range }, until }, total, rateless),
  };
}

/** Inputs of the head of an answer. */
interface About extends Caveats {
  readonly query: Pick<CostQuery, 'range' | 'costMetric'>;
  /** Last day of the range, at most today. */
  readonly until: Day;
  readonly ledger: Ledger;
  readonly accounts: readonly CostAccount[];
}

/** Builds the fields common to all cost answers.
 *  @param rateless costs without an exchange rate, by currency */
export function headOf(
  { query, until, ledger, accounts, provisionalRates, missingBills }: About,
  total: Micros,
  rateless: ReadonlyMap<string, Amount>,
): CostAnswer {
  return {
    startDate: query.range.start,
    endDate: addDays(query.range.end, -1),
    currency: ledger.currency,
    costMetric: query.costMetric,
    totalCost: microsToNumber(total),
    completeThrough: completeThrough(accounts, query.range),
    lastCompleteDay: lastCompleteDay(completeThroughs(accounts, query.range), until),
    dataFrom: firstBilledDay(accounts),
    unconverted: unconvertedCosts(rateless),
    provisionalRates,
    missingBills,
  };
}

/** Returns the last day for which all relevant accounts are complete. */
export function completeThrough(accounts: readonly CostAccount[], range: DayRange): Day | null {
  return completeThroughs(accounts, range).sort()[0] ?? null;
}

/** Returns the last complete day of each relevant account with bills. A connected account always counts, even if its bills
 *  end before the range, because then its data is missing. A disconnected one counts only if its history overlaps the range. */
export function completeThroughs(accounts: readonly CostAccount[], range: DayRange): Day[] {
  return accounts
    .filter((account) => account.isConnected || overlaps(account, range))
    .flatMap((account) => account.completeThrough ?? []);
}

/** Returns the first day with costs in the bills of accounts; null without bills. */
export function firstBilledDay(accounts: readonly CostAccount[]): Day | null {
  return accounts.flatMap(({ dataFrom }) => dataFrom ?? []).sort()[0] ?? null;
}

function overlaps({ dataFrom, dataTo }: CostAccount, range: DayRange): boolean {
  return dataFrom !== null && dataTo !== null && dataFrom < range.end && dataTo >= range.start;
}

function grouped<Row>(
  facts: AnswerFacts,
  by: readonly Dimension[],
  describe: (group: Group) => Row,
): GroupedCosts<Row & { cost: number; percentage: number | null }> {
  const { converted, total, head } = open(facts);
  const groups = groupCells(converted, keysOf(facts.question.query, by), total);
  const shares = percentages(
    groups.map((group) => group.cost),
    total,
  );
  return {
    ...head,
    groups: groups.map((group, index) => ({
      ...describe(group),
      cost: microsToNumber(group.cost),
      percentage: shares[index] ?? null,
    })),
  };
}

function subAccounts({ question: { query }, subAccountNames }: AnswerFacts, account: Group): SubAccountCost[] {
  const of = valueReader(query);
  return groupCells(account.cells, keysOf(query, ['sub_account']), account.cost).map(({ first, cost }) => {
    const id = of(first, 'sub_account') ?? '';
    const key = subAccountKey(of(first, 'account') ?? '', of(first, 'provider') ?? '', id);
    return { subAccountId: id, subAccountName: subAccountNames.get(key) ?? '', cost: microsToNumber(cost) };
  });
}

function dayGroups(
  { question: { query } }: AnswerFacts,
  cells: readonly CostCell[],
  { whole, names }: { whole: Micros; names: ReadonlyMap<string, string> },
): DayGroup[] {
  const of = valueReader(query);
  return groupCells(cells, keysOf(query, ['service', 'account', 'region', 'provider']), whole).map(
    ({ first, cost }) => {
      const accountId = of(first, 'account');
      return {
        service: of(first, 'service'),
        accountId,
        accountName: accountId === null ? null : (names.get(accountId) ?? ''),
        region: of(first, 'region'),
        provider: of(first, 'provider'),
        cost: microsToNumber(cost),
      };
    },
  );
}

/** Returns a reader of a cell's value of a dimension; null if the query does not have the dimension. */
function valueReader({ dimensions }: Pick<CostQuery, 'dimensions'>) {
  const places = new Map(dimensions.map((dimension, index) => [dimension, index]));
  return (cell: CostCell, dimension: Dimension): string | null => cell.keys[places.get(dimension) ?? -1] ?? null;
}

function keysOf(query: Pick<CostQuery, 'dimensions'>, by: readonly Dimension[]) {
  const of = valueReader(query);
  return (cell: CostCell) => by.map((dimension) => of(cell, dimension));
}

/** Identifies a sub-account of a connected account. */
export function subAccountKey(accountId: string, provider: string, code: string): string {
  return JSON.stringify([accountId, provider, code]);
}

function accountNames(ledger: Ledger): ReadonlyMap<string, string> {
  return new Map(ledger.accounts.map((account) => [account.id, account.name]));
}

/** Splits a range into calendar months, clipped to it. */
function clipMonths(range: DayRange): DayRange[] {
  return monthsIn(range).map((month) => {
    const end = firstDay(addMonths(month, 1));
    return { start: clipped(firstDay(month), range) ?? range.start, end: end < range.end ? end : range.end };
  });
}

function clipped(day: Day | null, range: DayRange): Day | null {
  return day !== null && day < range.start ? range.start : day;
}

function numberAt(costs: readonly Micros[], index: number): number {
  return microsToNumber(costs[index] ?? 0n);
}
