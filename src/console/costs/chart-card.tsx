import { Group, Text } from '@mantine/core';
import { useMemo } from 'react';
import { Legend } from '../charts/legend.tsx';
import { StackedBars } from '../charts/stacked-bars.tsx';
import { CsvButton } from '../parts/list/csv.tsx';
import type { UrlState } from '../parts/list/url-state.ts';
import { Card, Change } from '../parts/page/card.tsx';
import { countDays } from '../words/days.ts';
import { day, days, money, month } from '../words/format.ts';
import { escaped, noValue } from './address.ts';
import figure from '../parts/page/card.module.css';
import classes from './costs.module.css';
import { dimensionName, valueLabel } from './dimensions.ts';
import { seriesCsv } from './filters/toolbar.tsx';
import { binsOf } from './period.ts';
import type { CostsAnswer } from './queries.ts';
import type { Question } from './question.ts';
import { type Chart, chartOf, type DayCost, others } from './stacks.ts';
import { changeOf, fromMicros, micros, seriesKey } from './table/rows.ts';
import type { CostsView } from './use-costs.ts';

interface Props {
  readonly state: UrlState;
  readonly view: CostsView;
}

/** Total cost with its chart. */
export function ChartCard({ state, view }: Props) {
  const { question, chart, currency, before } = view;
  const { range, groups, granularity } = question;
  const [first] = groups;
  const against = useMemo(
    () => before && { values: before.bars, labels: labelsOf(before.range, granularity) },
    [before, granularity],
  );
  const { values } = chart;
  const show = (key: string) => {
    const value = values.get(key);
    if (first !== 'day' && value !== undefined)
      state.set({ [first]: value === null ? noValue : escaped(value), find: null });
  };
  const canShow = values.size > 1;
  return (
    <Card
      title="Costs over time"
      note={days(range.from, range.to)}
      actions={<CsvButton path={seriesCsv(question)} name={`costs-over-time-${range.from}-${range.to}`} isWhole />}
    >
      <Sum view={view} />
      <StackedBars
        label={labelOf(view)}
        stacks={chart.stacks}
        series={chart.series}
        currency={currency}
        height={280}
        against={against}
        onPick={({ key }) => {
          const bar = chart.stacks.find((one) => one.key === key);
          if (bar) state.set({ ...bar.days, granularity: null });
        }}
      />
      <Group mt={10} justify="space-between" gap="xs">
        {chart.series.length > 1 && (
          <Legend
            items={chart.series.map((one) => ({ ...one, isPlain: one.key === others }))}
            {...(canShow && { verb: 'Show only', onPick: show })}
          />
        )}
        {before && (
          <span className={classes.quiet}>
            <span className={classes.mark} />
            {days(before.range.from, before.range.to)}
          </span>
        )}
      </Group>
    </Card>
  );
}

function Sum({ view }: { readonly view: CostsView }) {
  const { total, currency, before, question } = view;
  const { from, to } = question.range;
  const length = countDays(from, to);
  return (
    <Group gap="4px 24px" align="baseline" mb={12}>
      <Text component="span" className={figure.value}>
        {money(total, currency)}
      </Text>
      {before && (
        <span className={classes.quiet}>
          <Change
            percent={changeOf(total, before.total)}
            amount={{ value: fromMicros(micros(total) - micros(before.total)), currency }}
            against={days(before.range.from, before.range.to)}
          />{' '}
          vs. {money(before.total, currency)} in {days(before.range.from, before.range.to)}
        </span>
      )}
      {length > 1 && <span className={classes.quiet}>{money(total / length, currency)} per day on average</span>}
    </Group>
  );
}

function labelsOf(range: Parameters<typeof binsOf>[0], granularity: Parameters<typeof binsOf>[1]): string[] {
  return binsOf(range, granularity).map(({ from, to }) => (from === to ? day(from) : days(from, to)));
}

/** Accessible summary of the chart. */
function labelOf({ question, rows, total, currency }: CostsView): string {
  const { granularity, range, groups } = question;
  const [first] = groups;
  const largest = rows.toSorted((one, other) => other.cost - one.cost)[0];
  const most =
    first !== 'day' && largest ? `; the largest is ${largest.name} with ${money(largest.cost, currency)}` : '';
  const length = granularity === 'daily' ? 'day' : 'month';
  const by = first === 'day' ? '' : ` by ${dimensionName(first)}`;
  const when = range.from.slice(0, 7) === range.to.slice(0, 7) ? month(range.from) : days(range.from, range.to);
  return `Costs per ${length}${by}, ${when}: ${money(total, currency)} in total${most}`;
}

/** Chart whose series are values of a dimension. */
export interface SeriesChart extends Chart {
  /** Dimension value of each series; null is the group without a value. */
  readonly values: ReadonlyMap<string, string | null>;
}

/** Builds a chart from an answer with points: its rows as series, the rest combined into one. */
export function seriesChart(
  { range, granularity, groups: [dimension] }: Pick<Question, 'range' | 'granularity' | 'groups'>,
  answer: CostsAnswer,
): SeriesChart {
  const { rows, other, completeThrough } = answer;
  const parts = rows
    .filter(({ cost, points }) => cost !== 0 || points?.some((point) => point.cost !== 0))
    .flatMap(({ keyList: [key], points }) =>
      key && dimension !== 'day'
        ? [{ key: seriesKey(key.value), name: valueLabel(dimension, key.value, key.label), days: points ?? [] }]
        : [],
    );
  const hasOthers = other.count > 0;
  const values = new Map(
    rows.flatMap(({ keyList: [key] }) => (key ? [[seriesKey(key.value), key.value] as const] : [])),
  );
  return { ...chartOf({ range, granularity, total: pointsOf(answer), parts, hasOthers, completeThrough }), values };
}

/** Points of the whole answer, summed over its groups. */
export function pointsOf({ rows, other }: CostsAnswer): DayCost[] {
  const sums = new Map<string, number>();
  for (const { points } of [...rows, other]) {
    for (const { date, cost } of points ?? []) sums.set(date, (sums.get(date) ?? 0) + micros(cost));
  }
  return [...sums].map(([date, sum]) => ({ date, cost: fromMicros(sum) }));
}
