import { Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { Muted } from '../parts/form/menu.tsx';
import { useAnswer } from '../api/use-api.ts';
import { changeOf } from '../costs/table/rows.ts';
import { DailyCosts } from '../costs/totals.ts';
import { scopeValues, scopeArguments } from '../parts/choices/scope.tsx';
import { LineChart } from '../charts/line-chart.tsx';
import { Card } from '../parts/page/card.tsx';
import { Empty, Shown } from '../parts/page/page.tsx';
import { addDays, monthStart, today } from '../words/days.ts';
import { counted, day, money, percent, shortDay, signedPercent } from '../words/format.ts';
import { type AlertRule, type Condition, isPercent, isUnitCost, metrics } from './rule.ts';

/** Days of history that the preview tests. */
const tried = 30;

/** Shows on which recent days the rule would have triggered, to help choose a threshold. */
export function PreviewCard({ condition }: { readonly condition: Condition }) {
  const { metric } = condition;
  const answer = useAnswer(DailyCosts, {
    // Bills are complete only after a few days.
    startDate: addDays(today(), -(tried + lead + 7)),
    endDate: today(),
    ...scopeArguments(scopeValues(condition)),
  });
  return (
    <Card title="The last 30 complete days" note={metrics[metric].label}>
      {!isShown(metric) ? (
        <Muted>
          {isUnitCost(metric)
            ? 'See Unit costs for the values of past days.'
            : 'Forecast rules cannot be previewed on past days.'}
        </Muted>
      ) : (
        <Shown of={answer} height={240}>
          {({ costsDaily }) => {
            const through = costsDaily?.lastCompleteDay ?? null;
            const known = (costsDaily?.days ?? []).filter(({ date }) => through !== null && date <= through);
            return costsDaily && through !== null && known.some(({ cost }) => cost !== 0) ? (
              <Tried condition={condition} metric={metric} days={known} currency={costsDaily.currency} />
            ) : (
              <Empty title="No cost" text="No complete day of this scope has costs." />
            );
          }}
        </Shown>
      )}
    </Card>
  );
}

interface TriedProps {
  readonly condition: Condition;
  readonly metric: DayMetric;
  readonly days: readonly { readonly date: string; readonly cost: number }[];
  readonly currency: string;
}

function Tried({ condition, metric, days, currency }: TriedProps) {
  const figures = useMemo(() => {
    const last = days.at(-1)?.date ?? today();
    return figuresOf(metric, days, addDays(last, 1 - tried));
  }, [metric, days]);
  return (
    <Stack gap="sm">
      <Drawn condition={condition} figures={figures} currency={currency} />
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
      label={`${metrics[metric].label} of ${counted(figures.length, 'day')}.`}
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
interface Day {
  readonly date: string;
  readonly cost: number;
}

/** Value of a metric on one day. */
interface Figure {
  readonly date: string;
  /** Null if there is nothing to compare with. */
  readonly value: number | null;
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
function figuresOf(metric: DayMetric, days: readonly Day[], from: string): Figure[] {
  const costs = new Map(days.map(({ date, cost }) => [date, cost]));
  const sum = (start: string, end: string) => {
    let total = 0;
    for (let at = start; at <= end; at = addDays(at, 1)) total += costs.get(at) ?? 0;
    return total;
  };
  return days
    .filter(({ date }) => date >= from)
    .map(({ date, cost }) => ({ date, value: valueOf(metric, { date, cost }, sum) }));
}

function valueOf(metric: DayMetric, { date, cost }: Day, sum: (start: string, end: string) => number): number | null {
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
