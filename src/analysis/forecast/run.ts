import type * as work from './work.ts';
import { AnswerCache } from '../../facts/costs/cache.ts';
import { exactSpendOf, type ExactRequest } from '../../facts/costs/exact.ts';
import {
  openLedger,
  prepareHistory,
  readHistory,
  type CostLedger,
  type PreparedHistory,
  type CostHistory,
} from '../../facts/costs/history.ts';
import type { Deps } from '../../kit/deps.ts';
import { microsToNumber, roundAmount, type Amount } from '../../kit/money.ts';
import { addDays, addMonths, daysBetween, daysIn, firstDay, monthOf, type Day, type Month } from '../../kit/period.ts';
import { inThread, type Lane } from '../../kit/threads.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { horizonDays, trainingDays } from './model.ts';
import { linkedFactor } from '../../facts/costs/history-links.ts';
import type { DailySeries } from '../series/calendar.ts';
import { backtestWeeks } from './calibration.ts';

/** Whose month is forecast. Null lists do not filter. */
export interface MonthRequest extends Omit<ExactRequest, 'range'> {
  /** The UTC day it is: its month is forecast. */
  readonly today: Day;
  /** Who waits for it. */
  readonly lane: Lane;
}

/** What a UTC month will cost when it is over. */
export interface MonthForecast {
  readonly month: Month;
  /** What bills tell of it so far, exactly. */
  readonly spendToDate: Amount;
  /** What it will have cost, in the currency asked for, rounded to 6 decimals; never less than what was spent. Null where there
   *  is no history, or one that ended months ago. */
  readonly forecast: number | null;
  /** The last day of bills that are complete, after which costs are forecast; null where none is. */
  readonly historyTo: Day | null;
  /** True where it is made from fewer than 28 days. */
  readonly lowHistory: boolean;
}

type MonthDeps = Pick<Deps, 'pool' | 'engine'>;

/** What is left of a month to be spent, beyond what bills tell of its days already. */
interface Remaining {
  readonly cost: number | null;
  readonly lowHistory: boolean;
}

const inForecastThread = inThread<typeof work>(new URL('./work.ts', import.meta.url));
const cache = new AnswerCache<Remaining>();

/** What the running month will cost: what it has cost, and by the seasonal model what its other days will. Of a day whose bill
 *  is not complete, whichever is more. Cached until costs change; else some 20 ms, of which the event loop sees none.
 *  @throws {AppError} NOT_FOUND when the organization is gone */
export async function forecastMonth(deps: MonthDeps, scope: OrgScope, request: MonthRequest): Promise<MonthForecast> {
  return forecastMonthOf(deps, await openLedger(deps, scope), request);
}

/** As `forecastMonth`, for many at once: the ledger is read once, see `openLedger`. */
export async function forecastMonthOf(
  deps: MonthDeps,
  ledger: CostLedger,
  request: MonthRequest,
): Promise<MonthForecast> {
  const month = monthOf(request.today);
  const range = { start: firstDay(month), end: firstDay(addMonths(month, 1)) };
  const prepared = prepareHistory(ledger, { ...request, days: trainingDays, through: addDays(range.end, -1) });
  const key = `${prepared.key}-${month}`;
  const [spend, remaining] = await Promise.all([
    exactSpendOf(deps, ledger, { ...request, range }),
    cache.get(deps.pool, key, () => remainingOf(deps, prepared, range.end, request.lane)),
  ]);
  const spent = microsToNumber(roundAmount(spend.amount));
  return {
    month,
    spendToDate: spend.amount,
    forecast: remaining.cost === null ? null : rounded(spent + remaining.cost),
    historyTo: prepared.range === null ? null : addDays(prepared.range.end, -1),
    lowHistory: remaining.lowHistory,
  };
}

async function remainingOf(deps: MonthDeps, prepared: PreparedHistory, end: Day, lane: Lane): Promise<Remaining> {
  const history = await readHistory(deps, prepared);
  if (history === null || !prepared.range) return { cost: null, lowHistory: true };
  const next = prepared.range.end;
  const series = seriesOf(history);
  if (daysBetween(next, end) > horizonDays || series.values.every(Number.isNaN))
    return { cost: null, lowHistory: true };
  const [ahead] = await inForecastThread('forecastManySeries', [{ series, model: 'seasonal' }], lane);
  const start = firstDay(monthOf(addDays(end, -1)));
  const days = daysIn({ start: next > start ? next : start, end });
  const missing = days.map((day) => {
    const billed = microsToNumber(roundAmount(history.billed.get(day) ?? 0n));
    return Math.max(0, (ahead?.costs[daysBetween(next, day)] ?? 0) - billed);
  });
  return { cost: missing.reduce((sum, cost) => sum + cost, 0), lowHistory: ahead?.lowHistory ?? true };
}

function rounded(amount: number): number {
  return Math.round(amount * 1e6) / 1e6;
}

/** What the accuracy of half a year is worked out from: backtests of half a year, each with the intervals that backtests of the
 *  half year before it gave, each of those made from a year. */
export const historyDays = trainingDays + 2 * 7 * backtestWeeks + 1;

/** The costs of a history as models see them: comparable with those of the last day, though more accounts came. */
export function seriesOf({ start, costs, links }: CostHistory): DailySeries {
  const values = costs.map((cost, at) =>
    cost === null ? NaN : microsToNumber(roundAmount(cost)) * linkedFactor(links, addDays(start, at)),
  );
  return { start, values };
}
