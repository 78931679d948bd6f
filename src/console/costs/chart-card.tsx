import { Group } from '@mantine/core';
import { useMemo } from 'react';
import { Legend } from '../charts/legend.tsx';
import { StackedBars, type Stack } from '../charts/stacked-bars.tsx';
import { Card } from '../parts/card.tsx';
import { CsvButton } from '../parts/csv-button.tsx';
import { Change } from '../parts/figures.tsx';
import type { UrlState } from '../parts/url-state.ts';
import { countDays, monthEnd } from '../words/days.ts';
import { day, days, money, month } from '../words/format.ts';
import classes from './costs.module.css';
import { daysCsv } from './csv.ts';
import { changeOf, fromMicros, micros } from './exact.ts';
import { narrowingTo } from './groups.ts';
import { binsOf } from './period.ts';
import type { Row } from './rows.ts';
import { others } from './stacks.ts';
import type { CostsView } from './use-costs.ts';
import { tagParts } from './use-split.ts';

interface Props {
  readonly state: UrlState;
  readonly view: CostsView;
}

/** The total, and how it came about over time. */
export function ChartCard({ state, view }: Props) {
  const { question, chart, currency, before } = view;
  const { range, granularity, group } = question;
  const against = useMemo(
    () => before && { values: before.bars, labels: labelsOf(before.range, granularity) },
    [before, granularity],
  );
  const pick = ({ key }: Stack) => state.set(pickedBar(key, view));
  const rows = useMemo(() => new Map(view.rows.slice(0, 20).map((row) => [row.key, row])), [view.rows]);
  const show = (key: string) => {
    const row = rows.get(key);
    if (row) state.set(narrowingTo(row, group, row.isShared));
  };
  return (
    <Card
      title="Costs over time"
      note={days(range.from, range.to)}
      actions={<CsvButton path={daysCsv(question)} name={`costs-per-day-${range.from}-${range.to}`} isWhole />}
    >
      <Sum view={view} />
      <StackedBars
        label={labelOf(view)}
        stacks={chart.stacks}
        series={chart.series}
        currency={currency}
        height={280}
        against={against}
        onPick={pick}
      />
      <Group className={classes.legend} justify="space-between" gap="xs">
        <Legend
          items={chart.series.map((one) => ({ ...one, isPlain: one.key === others }))}
          {...(rows.size > 1 && { verb: 'Show only', onPick: show })}
        />
      </Group>
      <Notes view={view} />
    </Card>
  );
}

function Notes({ view: { question, before, rows } }: { readonly view: CostsView }) {
  const { group, granularity } = question;
  const isCut = group === 'tag' && rows.length > tagParts;
  return (
    <Group gap="md" mt={6} className={classes.quiet}>
      {before && (
        <span>
          <span className={classes.mark} />
          {days(before.range.from, before.range.to)}, {granularity === 'daily' ? 'day by day' : 'month by month'}
        </span>
      )}
      {isCut && <span>The {tagParts} largest values are told apart; all others are together.</span>}
    </Group>
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
          against {money(before.total, currency)} in {days(before.range.from, before.range.to)}
        </span>
      )}
      {length > 1 && <span className={classes.quiet}>{money(total / length, currency)} a day on average</span>}
    </div>
  );
}

function labelsOf(range: Parameters<typeof binsOf>[0], granularity: Parameters<typeof binsOf>[1]): string[] {
  return binsOf(range, granularity).map(({ from, to }) => (from === to ? day(from) : days(from, to)));
}

/** A bar leads to its day; that of a month, to the days of the month. */
function pickedBar(key: string, { question }: CostsView) {
  const isMonth = key.length === 7;
  const first = isMonth ? `${key}-01` : key;
  const { from, to } = question.range;
  const last = isMonth ? monthEnd(first) : key;
  return { from: first < from ? from : first, to: last > to ? to : last, granularity: null };
}

/** What those who do not see the chart are told of it. */
function labelOf({ question, rows, total, currency }: CostsView): string {
  const { granularity, range, group } = question;
  const [first] = rows;
  const most = first ? `, the most with ${nameOf(first)}: ${money(first.cost, currency)}` : '';
  const length = granularity === 'daily' ? 'day' : 'month';
  const when = range.from.slice(0, 7) === range.to.slice(0, 7) ? month(range.from) : days(range.from, range.to);
  return `Costs per ${length} by ${group}, ${when}: ${money(total, currency)} in total${most}`;
}

function nameOf({ name }: Row): string {
  return name;
}
