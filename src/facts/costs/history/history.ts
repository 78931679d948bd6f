import type { Deps } from '../../../kit/deps.ts';
import type { Amount } from '../../../kit/money.ts';
import { addDays, daysBetween, daysIn, laterDay, monthOf, type Day, type DayRange } from '../../../kit/time/period.ts';
import { completeThrough } from '../compose.ts';
import { exactQuery, type ExactDeps, type ExactRequest } from './exact.ts';
import { linksOf, type AccountDays, type Link } from './history-links.ts';
import { largestServices, partsOf, readLateCosts, readServices, type Costs } from './history-parts.ts';
import { amountsBy, convertedOf, type CostCell } from '../cells.ts';
import { valuesOf, type CostQuery } from '../query.ts';
import { readCells } from '../reading/read.ts';
import {
  listMissingDays,
  listProvisionalRates,
  listRatedCurrencies,
  prepare,
  type CostAccount,
  type Ledger,
  type ProvisionalRate,
} from '../ledger.ts';

/** Request for a cost history up to the last complete day. */
export interface HistoryRequest extends Omit<ExactRequest, 'range'> {
  /** Maximum number of days. */
  readonly days: number;
  /** If set, `billed` also covers later, incomplete days up to this one. */
  readonly through?: Day;
}

/** A resolved history request with the versions of everything it depends on. */
export interface PreparedHistory {
  readonly ledger: Ledger;
  /** The accounts in both the scope and the request. */
  readonly asked: readonly CostAccount[];
  /** The accounts whose costs are included. */
  readonly used: readonly CostAccount[];
  /** Days covered, half-open; null if no day is known. */
  readonly range: DayRange | null;
  /** Last day for which the bills of all included accounts, and of connected accounts that are not included, are complete. */
  readonly completeThrough: Day | null;
  readonly query: CostQuery;
  /** Equal keys have equal histories. */
  readonly key: string;
}

/** Exact cost by day. */
export interface DailyHistory {
  /** First day. */
  readonly start: Day;
  /** Cost of each day from `start` on; null if unknown, which is not the same as zero. */
  readonly costs: readonly (Amount | null)[];
  /** Days on which bills of more accounts begin. Earlier costs are not adjusted: see `linkedFactor`. */
  readonly links: readonly Link[];
}

/** The part of a history that one service has, or all others together. */
export interface HistoryPart extends DailyHistory {
  /** Null for all other services together. */
  readonly service: string | null;
}

/** Exact cost by day, and how it divides by service. */
export interface CostHistory extends DailyHistory {
  /** At least one, highest cost of the last quarter first; all others together come last. On each day they sum to the cost. */
  readonly parts: readonly HistoryPart[];
  /** Billed cost of every requested day, including incomplete days. Days without charges are absent. */
  readonly billed: ReadonlyMap<Day, Amount>;
  /** Accounts whose bills begin inside the history, with their first days. */
  readonly late: readonly AccountDays[];
  /** Costs without an exchange rate, by currency; not included in any other figure. */
  readonly unconverted: ReadonlyMap<string, Amount>;
  readonly provisionalRates: readonly ProvisionalRate[];
}

/** Maximum lag of an account's bills behind the newest ones, in days. Accounts with a greater lag are left out: they have no
 *  cost to forecast, and including them would cut off the others' last month. */
const mostLag = 30;

/** Selects the accounts of a history: connected accounts with bills; disconnected ones only if no others were requested. */
export function prepareHistory(scopeLedger: Ledger, request: HistoryRequest): PreparedHistory {
  const ledger = { ...scopeLedger, currency: request.currency };
  const { accounts: asked } = prepare(ledger, { query: queryOf(request, null) });
  const used = usedOf(asked);
  const last = used.map((account) => account.completeThrough ?? '').sort()[0];
  const range = last ? rangeOf(used, last as Day, request.days) : null;
  const { question, key } = prepare(ledger, { query: queryOf(request, range) });
  const { query } = question;
  // Includes connected accounts whose bills ended long ago. A disconnected account is not expected to continue.
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
  const start = laterDay(first, addDays(end, -days));
  return start < end ? { start, end } : null;
}

function queryOf(request: HistoryRequest, range: DayRange | null): CostQuery {
  const { through } = request;
  const asked = range ?? { start: '2000-01-01', end: '2000-01-01' };
  const end = through === undefined || range === null ? asked.end : laterDay(asked.end, addDays(through, 1));
  return exactQuery({ ...request, range: { start: asked.start, end } }, 'day');
}

/** Reads a history. Days are unknown if an account's bill for their month is not loaded, or if their costs have no exchange
 *  rate while those of other months do; all days are unknown if no month has a rate. Null if no day is known. */
export async function readHistory(deps: ExactDeps, prepared: PreparedHistory): Promise<CostHistory | null> {
  const { ledger, query, range, used } = prepared;
  if (range === null) return null;
  const slice = { ...ledger, accountIds: used.map(({ id }) => id) };
  const [only, ...others] = valuesOf(query, 'service') ?? [];
  const isDivided = only === undefined || others.length > 0;
  const [cells, late, names] = await Promise.all([
    readCells(deps, slice, query),
    readLateCosts(deps, prepared, range),
    isDivided ? largestServices(deps, slice, { query, range }) : [],
  ]);
  const services = names.length > 0 ? await readServices(deps, slice, query, names) : null;
  const unknown = await unknownDays(deps, prepared, cells, range);
  const linked = ({ costs, late: own }: Costs): DailyHistory => {
    const { start, links } = linksOf(range, costs, own);
    const days = daysIn({ start, end: range.end });
    return { start, links, costs: days.map((day) => (unknown.has(day) ? null : (costs.get(day) ?? 0n))) };
  };
  const whole = { costs: amountsBy(convertedOf(cells), ({ period }) => period), late: late.all };
  const history = linked(whole);
  const parts = services
    ? partsOf(whole, names, { services, late: late.ofServices }).map((part) => ({
        ...linked(part),
        service: part.service,
      }))
    : [{ ...history, service: isDivided ? null : only }];
  return {
    ...history,
    parts,
    billed: whole.costs,
    late: whole.late,
    unconverted: amountsBy(
      cells.filter(({ period }) => (period ?? history.start) >= history.start),
      ({ unconverted }) => unconverted,
    ),
    provisionalRates: await listProvisionalRates(deps.pool, slice, { start: history.start, end: query.range.end }),
  };
}

async function unknownDays(
  { pool }: Pick<Deps, 'pool'>,
  { ledger, used }: PreparedHistory,
  cells: readonly CostCell[],
  range: DayRange,
): Promise<ReadonlySet<Day>> {
  const rateless = cells.filter(({ unconverted }) => unconverted !== null);
  // If no cost has a rate, nothing is known: a forecast of zero would look certain.
  if (rateless.length > 0 && rateless.length === cells.length) return new Set(daysIn(range));
  const currencies = [...new Set(rateless.map(({ unconverted }) => unconverted ?? ''))];
  const ids = used.map(({ id }) => id);
  const [missing, rated] = await Promise.all([
    listMissingDays(pool, ledger, ids, range),
    currencies.length > 0 ? listRatedCurrencies(pool, ledger, currencies) : new Set<string>(),
  ]);
  const lacking = new Set(
    rateless.flatMap(({ period, unconverted }) => (period && rated.has(unconverted ?? '') ? monthOf(period) : [])),
  );
  const unrated = daysIn(range).filter((day) => lacking.has(monthOf(day)));
  return new Set([...unrated, ...missing]);
}
