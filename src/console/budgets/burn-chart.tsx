import { Alert, Group, Stack } from '@mantine/core';
import { useMemo } from 'react';
import { type Answer, useAnswer } from '../api/use-api.ts';
import { Legend, type LegendItem } from '../charts/legend.tsx';
import { LineChart, type Level, type Line } from '../charts/line-chart.tsx';
import { DailyCosts } from '../costs/totals.ts';
import { OneOf } from '../parts/list/filters.tsx';
import type { UrlState } from '../parts/list/url-state.ts';
import { countDays, today } from '../words/days.ts';
import { day, money, plainPercent, plainMoney, shortDay } from '../words/format.ts';
import { daysBetween, periods } from './period.ts';
import type { BudgetDetails } from './queries.ts';
import { ForecastQuery } from '../forecast/queries.ts';
import { scopeArguments } from '../parts/choices/scope.tsx';

interface Props {
  readonly budget: BudgetDetails;
  readonly progress: BudgetBurn;
  readonly state: UrlState;
}

const views = [
  { value: 'spent', label: 'Spent' },
  { value: 'remaining', label: 'Remaining' },
];

/** Burn chart of the budget period: spent or remaining amount, beside an even pace and the forecast. */
export function BurnChart({ budget, progress: { burn, currency }, state }: Props) {
  const isSameCurrency = currency === budget.currency;
  const isDown = isSameCurrency && state.one('view') === 'remaining';
  const lines = useMemo(
    () => linesOf(burn, budget, { isDown, isSameCurrency }),
    [burn, budget, isDown, isSameCurrency],
  );
  const levels = useMemo(() => (isSameCurrency ? levelsOf(budget, isDown) : []), [budget, isDown, isSameCurrency]);
  const places = useMemo(() => burn.days.map((date) => ({ label: shortDay(date), title: day(date) })), [burn]);
  return (
    <Stack gap="sm">
      {!isSameCurrency && (
        <Alert color="yellow">
          The currency of the budget is {budget.currency}; the days below are in {currency}. Its amount, pace and
          forecast cannot be shown in the chart.
        </Alert>
      )}
      <Group justify="space-between" gap="xs">
        <Legend items={legendOf(lines, levels)} />
        {isSameCurrency && <OneOf state={state} name="view" label="Amount shown" choices={views} />}
      </Group>
      <LineChart
        label={gistOf(budget, burn, currency)}
        places={places}
        lines={lines}
        levels={levels}
        currency={currency}
        height={300}
      />
    </Stack>
  );
}

function gistOf({ name, amount, forecastedSpend, ...budget }: BudgetDetails, burn: Burn, currency: string): string {
  const { noun } = periods[budget.period];
  const spent = `${name}: the complete days of the ${noun} add up to ${money(burn.complete, currency)}`;
  const until = budget.completeThrough ? `, through ${day(budget.completeThrough)}` : '';
  const end =
    forecastedSpend === null ? '' : `; ${money(forecastedSpend, budget.currency)} expected by the end of the ${noun}`;
  return `${spent}${until}, of a budget of ${plainMoney(amount, budget.currency)}${end}.`;
}

interface View {
  readonly isDown: boolean;
  readonly isSameCurrency: boolean;
}

function linesOf(burn: Burn, { amount }: BudgetDetails, { isDown, isSameCurrency }: View): Line[] {
  const turned = (values: readonly (number | null)[]) =>
    isDown ? values.map((value) => (value === null ? null : amount - value)) : values;
  const spent = { key: 'spent', label: isDown ? 'Remaining' : 'Spent', colour: 'var(--chart-1)' };
  const lines: Line[] = [{ ...spent, values: turned(burn.spent) }];
  const hasRunning = burn.running.filter((value) => value !== null).length > (burn.spent[0] === null ? 0 : 1);
  if (hasRunning)
    lines.push({
      ...spent,
      key: 'running',
      label: 'Not complete yet',
      isQuiet: true,
      isDashed: true,
      values: turned(burn.running),
    });
  if (!isSameCurrency) return lines;
  return [
    ...lines,
    { key: 'pace', label: 'Even pace', colour: 'var(--ink-soft)', isQuiet: true, values: turned(burn.pace) },
    {
      key: 'forecast',
      label: 'Forecast',
      colour: 'var(--chart-2)',
      isDashed: true,
      values: turned(burn.forecast),
    },
  ].filter(({ values }) => values.some((value) => value !== null));
}

function levelsOf({ amount, alertThresholds }: BudgetDetails, isDown: boolean): Level[] {
  const budget = { label: isDown ? 'Used up' : 'Budget', value: isDown ? 0 : amount, colour: 'var(--bad)' };
  const others = alertThresholds.filter((threshold) => threshold !== 100);
  return [
    budget,
    ...others.map((threshold) => {
      const spend = (amount * threshold) / 100;
      return {
        label: `${plainPercent(threshold)} used`,
        value: isDown ? amount - spend : spend,
        colour: 'var(--warn)',
      };
    }),
  ];
}

function legendOf(lines: readonly Line[], levels: readonly Level[]): LegendItem[] {
  const [budget, threshold] = levels;
  const ofLevels = [
    ...(budget ? [{ ...budget, key: 'budget' }] : []),
    ...(threshold ? [{ ...threshold, key: 'threshold', label: 'Alert thresholds' }] : []),
  ];
  return [
    ...lines.map(({ key, label, colour, isDashed }) => ({ key, label, colour, ...(isDashed && { isDashed }) })),
    ...ofLevels.map(({ key, label, colour }) => ({ key, label, colour, isDashed: true })),
  ];
}

/** Input of the burn chart. */
interface Known {
  /** First and last day of the period. */
  readonly start: string;
  readonly end: string;
  readonly amount: number;
  /** Daily costs of the period so far, sorted, in the budget's currency. */
  readonly days: readonly { readonly date: string; readonly cost: number }[];
  /** Last day with complete bills. */
  readonly completeThrough: string | null;
  /** Forecast spend at the end of the period. */
  readonly forecast: number | null;
  /** Expected cost of each remaining day; only the proportions matter. */
  readonly expected: ReadonlyMap<string, number>;
}

/** Period as daily cumulative values; every list has one entry per day, null if unknown. */
export interface Burn {
  readonly days: readonly string[];
  /** Through the last complete day. */
  readonly spent: readonly (number | null)[];
  /** From the last complete day to today; these values still grow. */
  readonly running: readonly (number | null)[];
  readonly pace: readonly number[];
  /** From the last complete day to the end of the period. */
  readonly forecast: readonly (number | null)[];
  /** Sum of the complete days. */
  readonly complete: number;
  /** Sum of all days. */
  readonly total: number;
}

/** Computes the cumulative series of a period. */
function burnOf({ start, end, amount, days, completeThrough, forecast, expected }: Known): Burn {
  const dates = daysBetween(start, end);
  const sums = cumulated(days.map(({ cost }) => cost));
  const known = completeThrough === null ? 0 : Math.min(days.length, Math.max(0, countDays(start, completeThrough)));
  const complete = sums[known - 1] ?? 0;
  return {
    days: dates,
    spent: dates.map((_, index) => (index < known ? (sums[index] ?? null) : null)),
    running: dates.map((_, index) => (index >= known - 1 ? (sums[index] ?? null) : null)),
    pace: dates.map((_, index) => (amount * (index + 1)) / dates.length),
    forecast: forecast === null ? dates.map(() => null) : forecastLine({ dates, known, complete, forecast, expected }),
    complete,
    total: sums.at(-1) ?? 0,
  };
}

interface Rest {
  readonly dates: readonly string[];
  readonly known: number;
  readonly complete: number;
  readonly forecast: number;
  readonly expected: Known['expected'];
}

/** Distributes the remaining forecast over the remaining days in proportion to their expected costs, or evenly if unknown, as
 *  beyond the days of the forecast page. */
function forecastLine({ dates, known, complete, forecast, expected }: Rest): (number | null)[] {
  const rest = dates.slice(known);
  const shape = rest.map((date) => expected.get(date) ?? 0);
  const weights = shape.every((weight) => weight > 0) ? shape : rest.map(() => 1);
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const sums = cumulated(weights.map((weight) => ((forecast - complete) * weight) / (whole || 1)));
  return dates.map((_, index) => {
    if (index < known - 1) return null;
    return index === known - 1 ? complete : complete + (sums[index - known] ?? 0);
  });
}

function cumulated(values: readonly number[]): number[] {
  let sum = 0;
  return values.map((value) => (sum += value));
}

/** First day on which the forecast reaches an amount; null if it never does. */
export function reachedOn({ days, forecast }: Burn, amount: number): string | null {
  const index = forecast.findIndex((value) => value !== null && value >= amount);
  return days[index] ?? null;
}

/** Progress of a budget's period with its currency. */
export interface BudgetBurn {
  readonly burn: Burn;
  /** Currency of the daily costs: the organization's. */
  readonly currency: string;
}

/** Fetches the daily costs of a budget's current period. */
export function useBurn(budget: BudgetDetails): {
  readonly of: Answer<unknown>;
  readonly progress: BudgetBurn | null;
} {
  const scope = scopeArguments(budget);
  const { costMetric, periodStart: start, periodEnd: end } = budget;
  const days = useAnswer(DailyCosts, { ...scope, startDate: start, endDate: today(), costMetric });
  // Forecasts cannot be filtered by tag or sub-account: the curve of such a budget has the shape of the forecast without them.
  const { accountId, provider, service } = scope;
  const forecast = useAnswer(ForecastQuery, { accountId, provider, service });
  const progress = useMemo(() => {
    const costs = days.data?.costsDaily;
    if (!costs) return null;
    const isSameCurrency = costs.currency === budget.currency;
    const points = forecast.data?.forecast?.points ?? [];
    const burn = burnOf({
      start,
      end,
      amount: budget.amount,
      days: costs.days,
      completeThrough: budget.completeThrough,
      forecast: isSameCurrency ? budget.forecastedSpend : null,
      expected: new Map(points.map(({ date, cost }) => [date, cost])),
    });
    return { burn, currency: costs.currency };
  }, [days.data, forecast.data, budget, start, end]);
  return { of: days, progress };
}
