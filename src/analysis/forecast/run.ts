import type * as work from './work.ts';
import { AnswerCache } from '../../kit/answer-cache.ts';
import { exactSpendOf, type ExactRequest } from '../../facts/costs/history/exact.ts';
import { prepareHistory, readHistory, type PreparedHistory } from '../../facts/costs/history/history.ts';
import type { Ledger } from '../../facts/costs/ledger.ts';
import type { EndingCommitment } from '../../facts/coverage/ending.ts';
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
  type DayRange,
  type Month,
} from '../../kit/time/period.ts';
import { inThread, type Lane } from '../../kit/process/threads.ts';
import { horizonDays, modelDays, trainingDays } from './model.ts';
import { backtestWeeks } from './calibration.ts';
import { dividedSeriesOf } from './divided-series.ts';
import { changesKey, changesOf, listChanges, readChanges } from './known-changes.ts';

/** Request for the forecast of a period. Null lists do not filter. */
export interface PeriodRequest extends ExactRequest {
  /** The days of the period, which are whole months. */
  readonly range: DayRange;
  /** The current UTC day, in the period. */
  readonly today: Day;
  /** Priority of the computation. */
  readonly lane: Lane;
}

/** Request for the forecast of the current month. */
export type MonthRequest = Omit<PeriodRequest, 'range'>;

/** Forecast cost of a whole period. */
export interface PeriodForecast {
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

type PeriodDeps = Pick<Deps, 'pool' | 'engine'>;

/** Forecast cost of a whole UTC month. */
export interface MonthForecast extends PeriodForecast {
  readonly month: Month;
}

/** Expected cost of the rest of a period, in addition to the cost already billed for its days. */
interface Remaining {
  readonly cost: number | null;
  readonly lowHistory: boolean;
}

const inForecastThread = inThread<typeof work>(new URL('./work.ts', import.meta.url));
const cache = new AnswerCache<Remaining>();

/** Forecasts the current month. */
export async function forecastMonthOf(deps: PeriodDeps, ledger: Ledger, request: MonthRequest): Promise<MonthForecast> {
  const month = monthOf(request.today);
  const range = { start: firstDay(month), end: endOf(month) };
  return { month, ...(await forecastPeriodOf(deps, ledger, { ...request, range })) };
}

/** Forecasts a period: its cost so far, plus the seasonal model's forecast for the other days. For a day with an incomplete
 *  bill, the larger of the two counts. Cached until costs change; otherwise up to 40 ms, off the event loop.
 *  @param ledger shared by several forecasts, see `readLedger` */
export async function forecastPeriodOf(
  deps: PeriodDeps,
  ledger: Ledger,
  request: PeriodRequest,
): Promise<PeriodForecast> {
  const { range, today, lane } = request;
  const prepared = prepareHistory(ledger, { ...request, days: modelDays, through: addDays(range.end, -1) });
  const ahead = prepared.range && daysBetween(prepared.range.end, range.end);
  const ending = await listChanges(deps, ledger, prepared, Math.max(0, ahead ?? 0));
  const key = `${prepared.key}-${range.start}-${range.end}-${monthOf(today)}-${changesKey(ending)}`;
  const [spend, remaining] = await Promise.all([
    exactSpendOf(deps, ledger, request),
    cache.get(deps.pool, key, () => remainingOf(deps, prepared, { range, today, lane, ending })),
  ]);
  const spent = amountToNumber(spend.amount);
  return {
    spendToDate: spend.amount,
    forecast: remaining.cost === null ? null : round6(spent + remaining.cost),
    historyTo: prepared.range === null ? null : addDays(prepared.range.end, -1),
    lowHistory: remaining.lowHistory,
  };
}

interface Period extends Pick<PeriodRequest, 'range' | 'today' | 'lane'> {
  readonly ending: readonly EndingCommitment[];
}

async function remainingOf(
  deps: PeriodDeps,
  prepared: PreparedHistory,
  { range: { start, end }, today, lane, ending }: Period,
): Promise<Remaining> {
  const history = await readHistory(deps, prepared);
  if (history === null || !prepared.range) return { cost: null, lowHistory: true };
  const next = prepared.range.end;
  const costs = dividedSeriesOf(history);
  const isOld = daysBetween(next, endOf(monthOf(today))) > horizonDays;
  if (isOld || costs.whole.values.every(Number.isNaN)) return { cost: null, lowHistory: true };
  const horizon = Math.max(horizonDays, daysBetween(next, end));
  const changes = changesOf(history, next, await readChanges(deps, prepared, ending));
  const ahead = await inForecastThread(
    'forecastAhead',
    { costs, model: 'seasonal', changes, days: horizon },
    lane,
    prepared.ledger.scope,
  );
  const days = daysIn({ start: next > start ? next : start, end });
  const missing = days.map((day) => {
    const billed = amountToNumber(history.billed.get(day) ?? 0n);
    return Math.max(0, (ahead.costs[daysBetween(next, day)] ?? 0) - billed);
  });
  return { cost: missing.reduce((sum, cost) => sum + cost, 0), lowHistory: ahead.lowHistory };
}

/** Returns the first day after a month. */
function endOf(month: Month): Day {
  return firstDay(addMonths(month, 1));
}

/** Days needed for the accuracy of half a year: half a year of backtests, each with intervals from the half year of
 *  backtests before it, each of those trained on a year. */
export const historyDays = trainingDays + 2 * 7 * backtestWeeks + 1;
