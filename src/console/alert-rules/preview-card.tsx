import { Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { Muted } from '../parts/form/menu.tsx';
import type { ResultOf } from '../api/graphql.ts';
import { useAnswer } from '../api/use-api.ts';
import { changeOf } from '../costs/table/rows.ts';
import { DailyCosts } from '../costs/totals.ts';
import { scopeValues, scopeArguments } from '../parts/choices/scope.tsx';
import { LineChart } from '../charts/line-chart.tsx';
import { Card } from '../parts/page/card.tsx';
import { Caveats } from '../parts/page/caveats.tsx';
import { Empty, Shown } from '../parts/page/page.tsx';
import { addDays, monthStart, today } from '../words/days.ts';
import { counted, day, money, percent, shortDay, signedPercent } from '../words/format.ts';
import { type AlertRule, type Condition, isPercent, isUnitCost, metrics } from './rule.ts';

/** Days of history that the preview tests. */
const tried = 30;

/** Shows on which recent days the rule would have triggered, to help choose a threshold. */
export function PreviewCard({ condition }: { readonly condition: Condition }) {
  const answer = useAnswer(DailyCosts, {
    // Bills are complete only after a few days.
    startDate: addDays(today(), -(tried + lead + 7)),
    endDate: today(),
    ...scopeArguments(scopeValues(condition)),
  });
  return (
    <Card title="The last 30 complete days" note={metrics[condition.metric].label}>
      <Shown of={answer} height={240}>
        {({ costsDaily }) => costsDaily && <Preview condition={condition} costs={costsDaily} />}
      </Shown>
    </Card>
  );
}

interface PreviewProps {
  readonly condition: Condition;
  readonly costs: NonNullable<ResultOf<typeof DailyCosts>['costsDaily']>;
}

function Preview({ condition, costs }: PreviewProps) {
  const { currency, days, lastCompleteDay } = costs;
  const { metric } = condition;
  const known = useMemo(
    () => days.filter(({ date }) => lastCompleteDay !== null && date <= lastCompleteDay),
    [days, lastCompleteDay],
  );
  const from = addDays(lastCompleteDay ?? today(), 1 - tried);
  const excluded = excludedIn(known, isShown(metric) ? firstDayOf(metric, from) : from);
  return (
    <Stack gap="sm">
      <Caveats of={{ ...costs, unconverted: excluded }} />
      {!isShown(metric) ? (
        <Muted>
          {isUnitCost(metric)
            ? 'See Unit costs for the values of past days.'
            : 'Forecast rules cannot be previewed on past days.'}
        </Muted>
      ) : known.some(({ cost, unconverted }) => cost !== 0 || unconverted.length > 0) ? (
        <Tried condition={condition} metric={metric} days={known} from={from} currency={currency} />
      ) : (
        <Empty title="No cost" text="No complete day of this scope has costs." />
      )}
    </Stack>
  );
}

interface TriedProps {
  readonly condition: Condition;
  readonly metric: DayMetric;
  readonly days: readonly Day[];
  /** First day to test. */
  readonly from: string;
  readonly currency: string;
}

function Tried({ condition, metric, days, from, currency }: TriedProps) {
  const { operator } = condition;
  const figures = useMemo(() => figuresOf({ metric, operator }, days, from), [metric, operator, days, from]);
  return (
    <Stack gap="sm">
      {figures.some(({ value }) => value !== null) && (
        <Drawn condition={condition} figures={figures} currency={currency} />
      )}
      <Verdict condition={condition} figures={figures} currency={currency} />
    </Stack>
  );
}

interface FiguresProps {
  readonly condition: Condition;
  readonly figures: readonly Figure[];
  readonly currency: string;
}

function Drawn({ condition: { metric, threshold }, figures, currency }: FiguresProps) {
  const places = useMemo(() => figures.map(({ date }) => ({ label: shortDay(date), title: day(date) })), [figures]);
  const lines = useMemo(
    () => [
      {
        key: 'figure',
        label: metrics[metric].label,
        colour: 'var(--chart-1)',
        values: figures.map(({ value }) => value),
      },
    ],
    [figures, metric],
  );
  const levels = useMemo(
    () => (threshold === null ? [] : [{ label: 'Threshold', value: threshold, colour: 'var(--bad)' }]),
    [threshold],
  );
  return (
    <LineChart
      label={`${metrics[metric].label} over ${counted(figures.length, 'day')}.`}
      places={places}
      lines={lines}
      levels={levels}
      currency={currency}
      {...(isPercent(metric) && { figure: signedPercent, axis: wholePercent })}
      height={180}
    />
  );
}

function wholePercent(value: number): string {
  return percent(value, 0);
}

function Verdict({ condition: { metric, operator, threshold }, figures, currency }: FiguresProps) {
  const format = (value: number) => (isPercent(metric) ? signedPercent(value) : money(value, currency));
  const known = figures.flatMap(({ date, value }) => (value === null ? [] : [{ date, value }]));
  const last = known.at(-1);
  const unknown = figures.filter(({ isUnknown }) => isUnknown).length;
  const held = threshold === null ? [] : known.filter(({ value }) => holds[operator](value, threshold));
  return (
    <Stack gap={4} role="status">
      {last && (
        <Text size="sm">
          {shortDay(last.date)}: {format(last.value)}
        </Text>
      )}
      <Muted>
        {threshold === null
          ? 'Enter a threshold to see on which of these days the rule would have triggered.'
          : firingsText(held.map(({ date }) => shortDay(date)))}
      </Muted>
      {unknown > 0 && <Muted>Not evaluated on {counted(unknown, 'day')}: costs have no exchange rate.</Muted>}
    </Stack>
  );
}

function firingsText(days: readonly string[]): string {
  if (days.length === 0) return 'Would not have triggered in this period.';
  const shown = days.slice(-5).join(', ');
  const named = days.length > 5 ? `most recently ${shown}` : shown;
  return `Would have triggered on ${counted(days.length, 'day')}: ${named}.`;
}

/** Cost of one day. */
type Day = PreviewProps['costs']['days'][number];

/** Value of a metric on one day. */
interface Figure {
  readonly date: string;
  /** Null if there is nothing to compare with, or it is unknown. */
  readonly value: number | null;
  /** Whether the excluded costs keep the rule from being evaluated. */
  readonly isUnknown: boolean;
}

/** Metrics that can be computed from daily costs. */
type DayMetric = Exclude<AlertRule['metric'], UnseenMetric>;

/** Metrics that the preview does not show. */
type UnseenMetric = 'FORECASTED_MONTH_COST' | 'UNIT_COST' | 'UNIT_COST_CHANGE_PERCENT';

function isShown(metric: AlertRule['metric']): metric is DayMetric {
  return metric !== 'FORECASTED_MONTH_COST' && !isUnitCost(metric);
}

/** Days of history that a metric needs before the first shown day: two weeks, or the month to date. */
const lead = 31;

/** Computes a metric for each day from `from` on. `days` is sorted and starts `lead` days earlier. */
function figuresOf(
  { metric, operator }: { readonly metric: DayMetric; readonly operator: AlertRule['operator'] },
  days: readonly Day[],
  from: string,
): Figure[] {
  const costs = new Map(days.map(({ date, cost }) => [date, cost]));
  const sum = (start: string, end: string) => {
    let total = 0;
    for (let at = start; at <= end; at = addDays(at, 1)) total += costs.get(at) ?? 0;
    return total;
  };
  const isAbove = !isPercent(metric) && (operator === 'GT' || operator === 'GTE');
  return days
    .filter(({ date }) => date >= from)
    .map(({ date, cost }) => {
      const before = days.filter((one) => one.date <= date);
      const excluded = excludedIn(before, firstDayOf(metric, date));
      // Costs that can only add to an amount do not keep it from exceeding a threshold.
      const isUnknown = excluded.length > 0 && !(isAbove && excluded.every((one) => one.cost > 0));
      return { date, value: isUnknown ? null : valueOf(metric, { date, cost }, sum), isUnknown };
    });
}

/** Sums the costs without an exchange rate of the days from `from` on, by currency. */
function excludedIn(days: readonly Day[], from: string) {
  const costs = days.filter(({ date }) => date >= from).flatMap(({ unconverted }) => unconverted);
  const byCurrency = Map.groupBy(
    costs.filter(({ cost }) => cost !== 0),
    ({ currency }) => currency,
  );
  return [...byCurrency].map(([currency, own]) => ({
    currency,
    cost: own.reduce((total, { cost }) => total + cost, 0),
  }));
}

/** First of the days on whose costs the metric of a day depends. */
function firstDayOf(metric: DayMetric, date: string): string {
  switch (metric) {
    case 'DAILY_COST':
      return date;
    case 'MONTH_TO_DATE_COST':
      return monthStart(date);
    case 'DAY_OVER_DAY_PERCENT':
      return addDays(date, -1);
    case 'WEEK_OVER_WEEK_PERCENT':
      return addDays(date, -13);
    default:
      return metric satisfies never;
  }
}

function valueOf(
  metric: DayMetric,
  { date, cost }: Pick<Day, 'date' | 'cost'>,
  sum: (start: string, end: string) => number,
): number | null {
  switch (metric) {
    case 'DAILY_COST':
      return cost;
    case 'MONTH_TO_DATE_COST':
      return sum(monthStart(date), date);
    case 'DAY_OVER_DAY_PERCENT':
      return changeOf(cost, sum(addDays(date, -1), addDays(date, -1)));
    case 'WEEK_OVER_WEEK_PERCENT':
      return changeOf(sum(addDays(date, -6), date), sum(addDays(date, -13), addDays(date, -7)));
    default:
      return metric satisfies never;
  }
}

/** Whether `value operator threshold` is true. */
const holds: Readonly<Record<AlertRule['operator'], (value: number, threshold: number) => boolean>> = {
  GT: (value, threshold) => value > threshold,
  GTE: (value, threshold) => value >= threshold,
  LT: (value, threshold) => value < threshold,
  LTE: (value, threshold) => value <= threshold,
};
