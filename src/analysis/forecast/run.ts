import type * as work from './work.ts';
import { AnswerCache } from '../../kit/answer-cache.ts';
import { exactSpendOf, type ExactRequest } from '../../facts/costs/history/exact.ts';
import {
  prepareHistory,
  readHistory,
  type PreparedHistory,
  type CostHistory,
} from '../../facts/costs/history/history.ts';
import type { Ledger } from '../../facts/costs/ledger.ts';
import type { Deps } from '../../kit/deps.ts';
import { type Amount, amountToNumber, round6 } from '../../kit/money.ts';
import {
  addDays,
  addMonths,
  daysBetween,
  daysIn,
  firstDay,
  monthOf,
  type Day,
  type Month,
} from '../../kit/time/period.ts';
import { inThread, type Lane } from '../../kit/process/threads.ts';
import { horizonDays, trainingDays } from './model.ts';
import { linkedFactor } from '../../facts/costs/history/history-links.ts';
import type { DailySeries } from '../series/calendar.ts';
import { backtestWeeks } from './calibration.ts';

/** Request for a month's forecast. Null lists do not filter. */
export interface MonthRequest extends Omit<ExactRequest, 'range'> {
  /** The current UTC day: its month is forecast. */
  readonly today: Day;
  /** Priority of the computation. */
  readonly lane: Lane;
}

/** Forecast cost of a whole UTC month. */
export interface MonthForecast {
  readonly month: Month;
  /** Billed cost so far, exact. */
  readonly spendToDate: Amount;
  /** Expected cost, in the requested currency, rounded to 6 decimals; never less than the cost so far. Null without a
   *  history, or with one that ended months ago. */
  readonly forecast: number | null;
  /** Last complete day of bills, after which costs are forecast; null without one. */
  readonly historyTo: Day | null;
  /** Whether it is based on fewer than 28 days. */
  readonly lowHistory: boolean;
}

type MonthDeps = Pick<Deps, 'pool' | 'engine'>;

/** The rest of a month, beyond what is already billed of its days. */
interface Remaining {
  readonly cost: number | null;
  readonly lowHistory: boolean;
}

const inForecastThread = inThread<typeof work>(new URL('./work.ts', import.meta.url));
const cache = new AnswerCache<Remaining>();

/** Forecasts the current month: its cost so far, plus the seasonal model's forecast for the other days. For a day with an
 *  incomplete bill, the larger of the two counts. Cached until costs change; otherwise about 20 ms, off the event loop.
 *  @param ledger shared by several forecasts, see `readLedger` */
export async function forecastMonthOf(deps: MonthDeps, ledger: Ledger, request: MonthRequest): Promise<MonthForecast> {
  const month = monthOf(request.today);
  const range = { start: firstDay(month), end: firstDay(addMonths(month, 1)) };
  const prepared = prepareHistory(ledger, { ...request, days: trainingDays, through: addDays(range.end, -1) });
  const key = `${prepared.key}-${month}`;
  const [spend, remaining] = await Promise.all([
    exactSpendOf(deps, ledger, { ...request, range }),
    cache.get(deps.pool, key, () => remainingOf(deps, prepared, range.end, request.lane)),
  ]);
  const spent = amountToNumber(spend.amount);
  return {
    month,
    spendToDate: spend.amount,
    forecast: remaining.cost === null ? null : round6(spent + remaining.cost),
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
    const billed = amountToNumber(history.billed.get(day) ?? 0n);
    return Math.max(0, (ahead?.costs[daysBetween(next, day)] ?? 0) - billed);
  });
  return { cost: missing.reduce((sum, cost) => sum + cost, 0), lowHistory: ahead?.lowHistory ?? true };
}

/** Days needed for the accuracy of half a year: half a year of backtests, each with intervals from the half year of
 *  backtests before it, each of those trained on a year. */
export const historyDays = trainingDays + 2 * 7 * backtestWeeks + 1;

/** Returns a history's costs as models use them: comparable with the last day, even if accounts were added. */
export function seriesOf({ start, costs, links }: CostHistory): DailySeries {
  const values = costs.map((cost, at) =>
    cost === null ? NaN : amountToNumber(cost) * linkedFactor(links, addDays(start, at)),
  );
  return { start, values };
}
