import type { Deps } from '../../kit/deps.ts';
import type { Amount } from '../../kit/money.ts';
import {
  addDays,
  addMonths,
  daysBetween,
  daysIn,
  firstDay,
  monthOf,
  type Day,
  type DayRange,
  type Month,
} from '../../kit/period.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { completeThrough } from './compose.ts';
import { exactQuery, type ExactDeps, type ExactRequest } from './exact.ts';
import { comparedDays, linksOf, type AccountDays, type Link } from './history-links.ts';
import { amountsBy, convertedOf, type CostCell } from './cells.ts';
import { prepare } from './cache.ts';
import type { CostQuery } from './query.ts';
import { readCells } from './reading/read.ts';
import { listMissingDays, listRatedMonths, readLedger, type CostAccount, type Ledger } from './store.ts';

/** What is looked back on, up to the last day whose bills are complete. */
export interface HistoryRequest extends Omit<ExactRequest, 'range'> {
  /** How many days, at most. */
  readonly days: number;
  /** Bills of later days are told too, as far as they have come, up to this day. */
  readonly through?: Day;
}

/** A history that can be read, and the versions of everything that it is made of. */
export interface PreparedHistory {
  readonly ledger: Ledger;
  /** The accounts in scope and question. */
  readonly asked: readonly CostAccount[];
  /** Those whose costs it is made of. */
  readonly used: readonly CostAccount[];
  /** Its days, half-open; null where no day is known. */
  readonly range: DayRange | null;
  /** The last day up to which the bills of all of them are complete, and of connected ones that are not used. */
  readonly completeThrough: Day | null;
  readonly query: CostQuery;
  /** Equal keys are equal histories. */
  readonly key: string;
}

/** Cost by day, exact. */
export interface CostHistory {
  /** First day. */
  readonly start: Day;
  /** Of each day from then on; null where it is not known, which is not the same as nothing spent. */
  readonly costs: readonly (Amount | null)[];
  /** What bills say of every day asked for, of days whose bills are not complete too. A day without charges is absent. */
  readonly billed: ReadonlyMap<Day, Amount>;
  /** Where bills of more accounts begin. Costs before are as they were: see `linkedFactor`. */
  readonly links: readonly Link[];
  /** The accounts whose bills begin inside it, each with its first days. */
  readonly late: readonly AccountDays[];
  /** What of it has no exchange rate, by currency: in no other figure. */
  readonly unconverted: ReadonlyMap<string, Amount>;
}

/** An account whose bills ended so long before those of the others costs nothing that could be forecast: with it, the others'
 *  last month would be left out. */
const mostLag = 30;

/** The organization and the accounts of a scope. */
export type CostLedger = Ledger;

/** The organization and the accounts of a scope, for several histories.
 *  @throws {AppError} NOT_FOUND when the organization is gone */
export function openLedger(deps: Pick<Deps, 'pool'>, scope: OrgScope): Promise<Ledger> {
  return readLedger(deps.pool, scope);
}

/** Decides what a history is made of: connected accounts that have bills; others only where nothing else was asked for. */
export function prepareHistory(scopeLedger: Ledger, request: HistoryRequest): PreparedHistory {
  const ledger = { ...scopeLedger, currency: request.currency };
  const { accounts: asked } = prepare(ledger, { query: queryOf(request, null) });
  const used = usedOf(asked);
  const last = used.map((account) => account.completeThrough ?? '').sort()[0];
  const range = last ? rangeOf(used, last as Day, request.days) : null;
  const { question, key } = prepare(ledger, { query: queryOf(request, range) });
  const { query } = question;
  // Of the others, one that ended long ago shows here. One that was disconnected is not expected to go on.
  const counted = asked.filter((account) => account.isConnected || used.includes(account));
  return {
    ledger,
    asked,
    used,
    range,
    completeThrough: completeThrough(counted, range ?? query.range),
    query,
    key,
  };
}

function usedOf(asked: readonly CostAccount[]): CostAccount[] {
  const known = asked.filter(({ dataFrom, completeThrough: last }) => dataFrom && last && dataFrom <= last);
  const connected = known.filter(({ isConnected }) => isConnected);
  const live = connected.length > 0 ? connected : known;
  const newest = live
    .map((account) => account.completeThrough ?? '')
    .sort()
    .at(-1) as Day;
  return live.filter((account) => daysBetween(account.completeThrough ?? newest, newest) <= mostLag);
}

function rangeOf(used: readonly CostAccount[], last: Day, days: number): DayRange | null {
  const first = used.map(({ dataFrom }) => dataFrom ?? '').sort()[0] as Day;
  const end = addDays(last, 1);
  const start = later(first, addDays(end, -days));
  return start < end ? { start, end } : null;
}

function queryOf(request: HistoryRequest, range: DayRange | null): CostQuery {
  const { through } = request;
  const asked = range ?? { start: '2000-01-01', end: '2000-01-01' };
  const end = through === undefined || range === null ? asked.end : later(asked.end, addDays(through, 1));
  return exactQuery({ ...request, range: { start: asked.start, end } }, 'day');
}

/** Reads a history. Days are unknown for whose month the bill of an account is not loaded, or whose costs have no exchange rate
 *  though those of other months have; all days, where none has one. Null where no day is known. */
export async function readHistory(deps: ExactDeps, prepared: PreparedHistory): Promise<CostHistory | null> {
  const { query, range, used } = prepared;
  if (range === null) return null;
  const late = used.filter(({ dataFrom }) => dataFrom !== null && dataFrom > range.start && dataFrom < range.end);
  const [cells, lateDays] = await Promise.all([
    readCellsOf(deps, prepared, used, query),
    late.length === 0 ? [] : readAccountDays(deps, prepared, late, range),
  ]);
  const unknown = await unknownDays(deps, prepared, cells, range);
  const costs = amountsBy(convertedOf(cells), ({ period }) => period);
  const { start, links } = linksOf(range, costs, lateDays);
  return {
    start,
    costs: daysIn({ start, end: range.end }).map((day) => (unknown.has(day) ? null : (costs.get(day) ?? 0n))),
    billed: costs,
    links,
    late: lateDays,
    unconverted: amountsBy(
      cells.filter(({ period }) => (period ?? start) >= start),
      ({ unconverted }) => unconverted,
    ),
  };
}

function readCellsOf(
  deps: ExactDeps,
  { ledger }: PreparedHistory,
  accounts: readonly CostAccount[],
  query: CostQuery,
): Promise<CostCell[]> {
  return readCells(deps, { ...ledger, accountIds: accounts.map(({ id }) => id) }, query);
}

/** The first days of accounts, as many as links are made of and to the end of the month. One query for each day on which any begins: that of all accounts
 *  and days would have a hundred times as many rows. */
async function readAccountDays(
  deps: ExactDeps,
  prepared: PreparedHistory,
  late: readonly CostAccount[],
  { end }: DayRange,
): Promise<AccountDays[]> {
  const days: AccountDays[] = [];
  for (const [dataFrom, accounts] of Map.groupBy(late, (account) => account.dataFrom ?? end)) {
    const monthEnd = firstDay(addMonths(monthOf(dataFrom), 1));
    const range = { start: dataFrom, end: earlier(end, later(monthEnd, addDays(dataFrom, comparedDays))) };
    const query: CostQuery = { ...prepared.query, range, dimensions: ['account'] };
    const cells = convertedOf(await readCellsOf(deps, prepared, accounts, query));
    for (const { id } of accounts) {
      const own = cells.filter(({ keys }) => keys[0] === id);
      days.push({ dataFrom, costs: amountsBy(own, ({ period }) => period) });
    }
  }
  return days;
}

async function unknownDays(
  { pool }: Pick<Deps, 'pool'>,
  { ledger, used }: PreparedHistory,
  cells: readonly CostCell[],
  range: DayRange,
): Promise<ReadonlySet<Day>> {
  const rateless = cells.filter(({ unconverted }) => unconverted !== null);
  // Where nothing has a rate, nothing is known: a forecast of nothing would be sure of it.
  if (rateless.length > 0 && rateless.length === cells.length) return new Set(daysIn(range));
  const currencies = [...new Set(rateless.map(({ unconverted }) => unconverted ?? ''))];
  const ids = used.map(({ id }) => id);
  const [missing, rated] = await Promise.all([
    listMissingDays(pool, ledger, ids, range),
    currencies.length > 0 ? listRatedMonths(pool, ledger, currencies) : new Map<string, Set<Month>>(),
  ]);
  const lacking = new Set(
    rateless.flatMap(({ period, unconverted }) => (period && rated.has(unconverted ?? '') ? monthOf(period) : [])),
  );
  const unrated = daysIn(range).filter((day) => lacking.has(monthOf(day)));
  return new Set([...unrated, ...missing]);
}

function later(a: Day, b: Day): Day {
  return a > b ? a : b;
}

function earlier(a: Day, b: Day): Day {
  return a < b ? a : b;
}
