import { Group } from '@mantine/core';
import { useMemo } from 'react';
import { Legend } from '../charts/legend.tsx';
import { StackedBars } from '../charts/stacked-bars.tsx';
import { Card } from '../parts/card.tsx';
import { CsvButton } from '../parts/csv-button.tsx';
import { Change } from '../parts/figures.tsx';
import type { UrlState } from '../parts/url-state.ts';
import { countDays } from '../words/days.ts';
import { day, days, money, month } from '../words/format.ts';
import { escaped, noValue } from './address.ts';
import classes from './costs.module.css';
import { seriesCsv } from './csv.ts';
import { dimensionName } from './dimensions.ts';
import { changeOf, fromMicros, micros } from './exact.ts';
import { binsOf } from './period.ts';

import { others } from './stacks.ts';
import type { CostsView } from './use-costs.ts';

interface Props {
  readonly state: UrlState;
  readonly view: CostsView;
}

/** The total, and the bars that it is made of. */
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
      <Group className={classes.legend} justify="space-between" gap="xs">
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
    <div className={classes.sum}>
      <span className={`${classes.total} figures`}>{money(total, currency)}</span>
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
    </div>
  );
}

function labelsOf(range: Parameters<typeof binsOf>[0], granularity: Parameters<typeof binsOf>[1]): string[] {
  return binsOf(range, granularity).map(({ from, to }) => (from === to ? day(from) : days(from, to)));
}

/** The gist of the chart in a sentence. */
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
