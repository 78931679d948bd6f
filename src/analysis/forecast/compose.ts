import type { CostHistory, PreparedHistory } from '../../facts/costs/history/history.ts';
import type { CommitmentEnd } from '../../facts/coverage/ending.ts';
import { linkedFactor } from '../../facts/costs/history/history-links.ts';
import { amountToNumber, microsToNumber, sumAmounts } from '../../kit/money.ts';
import { compare } from '../../kit/sort.ts';
import { addMonths, daysBetween, daysIn, firstDay, monthOf, type Day, type Month } from '../../kit/time/period.ts';
import type { ForecastAccuracy as ReplayedAccuracy } from './accuracy.ts';
import type { CostForecast, Expectation } from './forecast.ts';
import type { Accuracy, AccuracyMonth, Forecast } from './graphql-types.ts';
import { horizonDays, type ForecastModel } from './model.ts';
import { unconvertedCosts } from '../../facts/costs/cells.ts';

const reportedMonths = 6;

type Prepared = Pick<PreparedHistory, 'ledger' | 'completeThrough'>;

/** Parts of a forecast; `computed` is absent if no cost is known. */
interface ForecastParts {
  readonly history: CostHistory | null;
  readonly computed?: CostForecast;
  readonly ends?: readonly CommitmentEnd[];
}

/** Composes `/forecast`. */
export function composeForecast(
  { ledger, completeThrough }: Prepared,
  model: ForecastModel,
  { history, computed, ends = [] }: ForecastParts,
): Forecast {
  // Rounded by part and day, so that parts sum to the total and to its days.
  const parts = (computed?.curves ?? []).map((curve) => curve.map(micros));
  const costs = (computed?.points ?? []).map((_, at) => sumAmounts(parts.map((part) => part[at] ?? 0n)));
  const points = (computed?.points ?? []).map((point, at) => ({
    date: point.date,
    ...rounded(point, costs[at] ?? 0n),
  }));
  const whole = computed?.totals.at(-1);
  return {
    model,
    currency: ledger.currency,
    horizonDays,
    historyFrom: computed?.historyFrom ?? null,
    historyTo: computed?.historyTo ?? null,
    completeThrough,
    lowHistory: computed?.lowHistory ?? true,
    total: whole
      ? rounded(whole, sumAmounts(costs))
      : { cost: null, lower80: null, upper80: null, lower95: null, upper95: null },
    points,
    services: parts
      .map((part, at) => ({ service: history?.parts[at]?.service ?? null, cost: sumAmounts(part) }))
      .sort((a, b) => compare(Number(a.service === null), Number(b.service === null)) || compare(b.cost, a.cost))
      .map(({ service, cost }) => ({ service, cost: microsToNumber(cost) })),
    commitmentEnds: ends.map(({ dailyChange, ...end }) => ({
      ...end,
      dailyChange: microsToNumber(micros(dailyChange)),
    })),
    unconverted: unconvertedCosts(history?.unconverted ?? []),
    provisionalRates: history?.provisionalRates ?? [],
  };
}

/** Composes `/forecast/accuracy`. Months before more accounts were added are shown as billed.
 *  @param before the day before which months are complete
 *  @param evaluated null if nothing is known */
export function composeAccuracy(
  { ledger, completeThrough }: Prepared,
  model: ForecastModel,
  { history, evaluated, before }: { history: CostHistory | null; evaluated: ReplayedAccuracy | null; before: Day },
): Accuracy {
  const names = Array.from({ length: reportedMonths }, (_, at) => addMonths(monthOf(before), at - reportedMonths));
  const months = names.map((month) => accuracyOf(month, history, evaluated));
  const errors = months.flatMap(({ errorPercent }) => (errorPercent === null ? [] : Math.abs(errorPercent)));
  return {
    model,
    currency: ledger.currency,
    completeThrough,
    months: months.map((month) => ({ ...month, errorPercent: percent(month.errorPercent) })),
    mape: percent(errors.length === 0 ? null : errors.reduce((sum, error) => sum + error, 0) / errors.length),
    coverage80: percent(evaluated?.coverage80),
    coverage95: percent(evaluated?.coverage95),
  };
}

function accuracyOf(month: Month, history: CostHistory | null, evaluated: ReplayedAccuracy | null): AccuracyMonth {
  const found = evaluated?.months.find((each) => each.month === month);
  const actual = actualOf(month, history);
  if (!found) return { month, forecast: null, actual, errorPercent: null };
  const forecast = found.forecast / linkedFactor(history?.links ?? [], firstDay(month));
  return {
    month,
    forecast: microsToNumber(micros(forecast)),
    actual,
    errorPercent: actual ? (100 * (forecast - actual)) / Math.abs(actual) : null,
  };
}

/** Returns the cost of a month's known days, of accounts that were known when it began. */
function actualOf(month: Month, history: CostHistory | null): number | null {
  if (history === null) return null;
  const { start, costs, billed } = history;
  const late = history.late.filter(({ dataFrom }) => dataFrom > firstDay(month) && monthOf(dataFrom) === month);
  // Days before a restarted history are included too: they are equally known.
  const isKnown = (day: Day) => (day < start ? billed.has(day) : (costs[daysBetween(start, day)] ?? null) !== null);
  const costOn = (day: Day) => (billed.get(day) ?? 0n) - sumAmounts(late.map((own) => own.costs.get(day) ?? 0n));
  const days = daysIn({ start: firstDay(month), end: firstDay(addMonths(month, 1)) });
  const known = days.filter(isKnown);
  return known.length === 0 ? null : amountToNumber(sumAmounts(known.map(costOn)));
}

function rounded(computed: Expectation, cost: bigint): Expectation {
  const below = (bound: number) => microsToNumber(least(micros(bound), cost));
  const above = (bound: number) => microsToNumber(-least(-micros(bound), -cost));
  return {
    cost: microsToNumber(cost),
    lower80: below(computed.lower80),
    upper80: above(computed.upper80),
    lower95: below(computed.lower95),
    upper95: above(computed.upper95),
  };
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function micros(amount: number): bigint {
  return BigInt(Math.round(amount * 1e6));
}

function percent(value: number | null | undefined): number | null {
  return value === null || value === undefined ? null : Math.round(value * 100) / 100;
}
