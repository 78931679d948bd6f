import type { Amount, Micros } from '../../kit/money.ts';
import { changePercent, microsToNumber, percentages, roundAmount, roundParts, sumAmounts } from '../../kit/money.ts';
import type { Day, DayRange, Month } from '../../kit/period.ts';
import { addDays, addMonths, daysIn, firstDay, monthOf, monthsIn } from '../../kit/period.ts';
import type { CostMetric, CostQuestion, DailyGroup, Granularity } from './question.ts';
import type { CostAccount, CostCell, Ledger } from './store.ts';

/** What every cost answer says. Money is in `currency`, rounded to 6 decimals. */
export interface CostAnswer {
  readonly startDate: Day;
  /** The last day, inclusive. */
  readonly endDate: Day;
  readonly currency: string;
  readonly costMetric: CostMetric;
  readonly totalCost: number;
  /** The last day up to which the bills of all accounts used are complete. */
  readonly completeThrough: Day | null;
  /** Costs without an exchange rate, which no other figure holds. */
  readonly unconverted: readonly { readonly currency: string; readonly cost: number }[];
}

/** A group's cost and its share of the total in percent. */
interface Share {
  readonly cost: number;
  readonly percentage: number | null;
}

/** Total spend per period. */
export interface CostsSummary extends CostAnswer {
  readonly granularity: Granularity;
  readonly periods: readonly { readonly periodStart: Day; readonly periodEnd: Day; readonly cost: number }[];
}

/** One row of spend by service. */
export interface ServiceCost extends Share {
  readonly service: string;
  readonly serviceCategory: string;
  readonly provider: string;
}

/** One row of spend by account. */
export interface AccountCost extends Share {
  readonly accountId: string;
  readonly accountName: string;
  readonly provider: string;
  readonly subAccounts: readonly SubAccountCost[];
}

/** A sub-account's part of an account's spend. */
export interface SubAccountCost {
  readonly subAccountId: string;
  readonly subAccountName: string;
  readonly cost: number;
}

/** One row of spend by region. */
export interface RegionCost extends Share {
  readonly region: string;
  readonly provider: string;
}

/** One row of spend by tag. */
export interface TagCost extends Share {
  /** Null: the charges without the key. */
  readonly tagValue: string | null;
}

/** An answer whose rows are groups, the largest cost first. */
export interface GroupedCosts<Group> extends CostAnswer {
  readonly groups: readonly Group[];
}

/** A day's part of a group: the fields of what it is grouped by are set, the others null. */
export interface DayGroup {
  readonly service: string | null;
  readonly accountId: string | null;
  readonly accountName: string | null;
  readonly region: string | null;
  readonly provider: string | null;
  readonly cost: number;
}

/** A day of the daily series. */
export interface DayCost {
  readonly date: Day;
  readonly cost: number;
  /** Null when the series is not grouped. */
  readonly groups: readonly DayGroup[] | null;
}

/** Spend per day. */
export interface CostsDaily extends CostAnswer {
  readonly groupBy: DailyGroup | null;
  readonly days: readonly DayCost[];
}

/** A month beside the one before it. */
export interface MonthCost {
  readonly month: Month;
  readonly cost: number;
  readonly previousCost: number;
  readonly change: number;
  readonly changePercent: number | null;
  /** True while the month is running. */
  readonly partial: boolean;
}

/** Spend per month, with the change from the month before. */
export interface CostsTrend extends CostAnswer {
  readonly months: readonly MonthCost[];
}

/** What an answer is made of. Pure: the same facts are the same answer. */
export interface AnswerFacts {
  readonly question: CostQuestion;
  readonly ledger: Ledger;
  /** The accounts of the ledger that the question asks. */
  readonly accounts: readonly CostAccount[];
  readonly cells: readonly CostCell[];
}

/** Composes `/costs/summary`. */
export function composeSummary(facts: AnswerFacts): CostsSummary {
  const { range, granularity } = facts.question;
  const { converted, total, head } = open(facts);
  const periods = granularity === 'daily' ? daysIn(range).map((day) => ({ start: day, end: addDays(day, 1) })) : clipMonths(range);
  const byPeriod = amountsBy(converted, (cell) => (granularity === 'daily' ? cell.period : clipped(cell.period, range)));
  const costs = roundParts(periods.map((period) => byPeriod.get(period.start) ?? 0n), total);
  return {
    ...head,
    granularity: granularity ?? 'monthly',
    periods: periods.map((period, index) => ({
      periodStart: period.start,
      periodEnd: addDays(period.end, -1),
      cost: numberAt(costs, index),
    })),
  };
}

/** Composes `/costs/by-service`: a service that bills call different categories by has that of most of its cost. */
export function composeByService(facts: AnswerFacts): GroupedCosts<ServiceCost> {
  return grouped(facts, (cell) => [cell.service, cell.provider], (group) => ({
    service: group.first.service ?? '',
    serviceCategory: largestCategory(group.cells),
    provider: group.first.provider ?? '',
  }));
}

/** Composes `/costs/by-account`: a row per account and provider on its bills, taken apart by sub-account. */
export function composeByAccount(facts: AnswerFacts): GroupedCosts<AccountCost> {
  const names = accountNames(facts.ledger);
  return grouped(facts, (cell) => [cell.accountId, cell.provider], (group) => ({
    accountId: group.first.accountId ?? '',
    accountName: names.get(group.first.accountId ?? '') ?? '',
    provider: group.first.provider ?? '',
    subAccounts: subAccounts(group),
  }));
}

/** Composes `/costs/by-region`. */
export function composeByRegion(facts: AnswerFacts): GroupedCosts<RegionCost> {
  return grouped(facts, (cell) => [cell.region, cell.provider], (group) => ({
    region: group.first.region ?? '',
    provider: group.first.provider ?? '',
  }));
}

/** Composes `/costs/by-tag`. */
export function composeByTag(facts: AnswerFacts): GroupedCosts<TagCost> {
  return grouped(facts, (cell) => [cell.tagValue], (group) => ({ tagValue: group.first.tagValue }));
}

/** Composes `/costs/daily`. */
export function composeDaily(facts: AnswerFacts): CostsDaily {
  const { range, groupBy } = facts.question;
  const { converted, total, head } = open(facts);
  const names = accountNames(facts.ledger);
  const cellsByDay = Map.groupBy(converted, (cell) => cell.period);
  const days = daysIn(range).map((date) => ({ date, cells: cellsByDay.get(date) ?? [] }));
  const costs = roundParts(days.map((day) => costOf(day.cells)), total);
  return {
    ...head,
    groupBy,
    days: days.map(({ date, cells }, index) => ({
      date,
      cost: numberAt(costs, index),
      groups: groupBy === null ? null : dayGroups(cells, costs[index] ?? 0n, names),
    })),
  };
}

/** Composes `/costs/trend`. The first month is compared with the one before the range. */
export function composeTrend(facts: AnswerFacts): CostsTrend {
  const { range, runningMonth } = facts.question;
  const { total, head, converted } = open(facts);
  const before = addMonths(monthOf(range.start), -1);
  const byMonth = amountsBy(convertedOf(facts.cells), (cell) => monthOf(cell.period ?? range.start));
  const months = monthsIn(range);
  const inRange = amountsBy(converted, (cell) => monthOf(cell.period ?? range.start));
  const costs = roundParts(months.map((month) => inRange.get(month) ?? 0n), total);
  const previous = [roundAmount(byMonth.get(before) ?? 0n), ...costs];
  return {
    ...head,
    months: months.map((month, index) =>
      monthCost(month, costs[index] ?? 0n, previous[index] ?? 0n, runningMonth !== null && month >= runningMonth),
    ),
  };
}

function monthCost(month: Month, cost: Micros, before: Micros, partial: boolean): MonthCost {
  return {
    month,
    cost: microsToNumber(cost),
    previousCost: microsToNumber(before),
    change: microsToNumber(cost - before),
    changePercent: changePercent(cost, before),
    partial,
  };
}

/** The cells of the range, what they add up to, and the fields that every answer has. */
function open(facts: AnswerFacts): { converted: CostCell[]; total: Micros; head: CostAnswer } {
  const { question, ledger } = facts;
  const inRange = facts.cells.filter((cell) => cell.period === null || firstDayOf(cell, question) >= question.range.start);
  const converted = convertedOf(inRange);
  const total = roundAmount(costOf(converted));
  const rateless = amountsBy(inRange, (cell) => cell.unconverted);
  const head = {
    startDate: question.range.start,
    endDate: addDays(question.range.end, -1),
    currency: ledger.currency,
    costMetric: question.costMetric,
    totalCost: microsToNumber(total),
    completeThrough: completeThrough(facts.accounts, question.range),
    unconverted: [...rateless]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([currency, cost]) => ({ currency, cost: microsToNumber(roundAmount(cost)) })),
  };
  return { converted, total, head };
}

/** A monthly cell may be of a month that the range starts in the middle of; a trend's are whole months. */
function firstDayOf(cell: CostCell, question: CostQuestion): Day {
  const period = cell.period ?? question.range.start;
  return question.view === 'trend' ? period : (clipped(period, question.range) ?? period);
}

/** A connected account counts always, even when its bills end before the range: then that is what is missing. A
 *  disconnected one counts where its history is asked. */
function completeThrough(accounts: readonly CostAccount[], range: DayRange): Day | null {
  const days = accounts
    .filter((account) => account.isConnected || overlaps(account, range))
    .flatMap((account) => account.completeThrough ?? []);
  return days.sort()[0] ?? null;
}

function overlaps({ dataFrom, dataTo }: CostAccount, range: DayRange): boolean {
  return dataFrom !== null && dataTo !== null && dataFrom < range.end && dataTo >= range.start;
}

interface Group {
  readonly key: string;
  readonly first: CostCell;
  readonly cells: readonly CostCell[];
  readonly amount: Amount;
  readonly cost: Micros;
}

function grouped<Row>(
  facts: AnswerFacts,
  keyOf: (cell: CostCell) => readonly (string | null)[],
  describe: (group: Group) => Row,
): GroupedCosts<Row & Share> {
  const { converted, total, head } = open(facts);
  const groups = groupCells(converted, keyOf, total);
  const shares = percentages(groups.map((group) => group.cost), total);
  return {
    ...head,
    groups: groups.map((group, index) => ({
      ...describe(group),
      cost: microsToNumber(group.cost),
      percentage: shares[index] ?? null,
    })),
  };
}

/** Groups with the largest cost first, rounded so that they add up to the whole. Equal costs go by their keys. */
function groupCells(
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
  const costs = roundParts(groups.map((group) => group.amount), whole);
  return groups.map((group, index) => ({ ...group, cost: costs[index] ?? 0n }));
}

function subAccounts(account: Group): SubAccountCost[] {
  const groups = groupCells(account.cells, (cell) => [cell.subAccountId, cell.subAccountName], account.cost);
  return groups.map(({ first, cost }) => ({
    subAccountId: first.subAccountId ?? '',
    subAccountName: first.subAccountName ?? '',
    cost: microsToNumber(cost),
  }));
}

function dayGroups(cells: readonly CostCell[], whole: Micros, names: ReadonlyMap<string, string>): DayGroup[] {
  const groups = groupCells(cells, (cell) => [cell.service, cell.accountId, cell.region, cell.provider], whole);
  return groups.map(({ first, cost }) => ({
    service: first.service,
    accountId: first.accountId,
    accountName: first.accountId === null ? null : (names.get(first.accountId) ?? ''),
    region: first.region,
    provider: first.provider,
    cost: microsToNumber(cost),
  }));
}

function largestCategory(cells: readonly CostCell[]): string {
  const amounts = [...amountsBy(cells, (cell) => cell.serviceCategory)];
  const size = (amount: Amount) => (amount < 0n ? -amount : amount);
  amounts.sort(([a, costA], [b, costB]) => compare(size(costB), size(costA)) || compare(a, b));
  return amounts[0]?.[0] ?? '';
}

function accountNames(ledger: Ledger): ReadonlyMap<string, string> {
  return new Map(ledger.accounts.map((account) => [account.id, account.name]));
}

function convertedOf(cells: readonly CostCell[]): CostCell[] {
  return cells.filter((cell) => cell.unconverted === null);
}

function costOf(cells: readonly CostCell[]): Amount {
  return sumAmounts(cells.map((cell) => cell.cost));
}

function amountsBy<Key>(cells: readonly CostCell[], keyOf: (cell: CostCell) => Key | null): Map<Key, Amount> {
  const amounts = new Map<Key, Amount>();
  for (const cell of cells) {
    const key = keyOf(cell);
    if (key !== null) amounts.set(key, (amounts.get(key) ?? 0n) + cell.cost);
  }
  return amounts;
}

/** The months that a range touches, clipped to it. */
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

function compare<Value extends bigint | string>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
