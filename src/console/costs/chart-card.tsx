import { Group, Text } from '@mantine/core';
import { lazy, Suspense, useMemo, useRef } from 'react';
import { Legend } from '../charts/legend.tsx';
import { StackChart } from '../charts/stack-chart.tsx';
import { chosenDays } from '../parts/list/day-range.tsx';
import type { UrlState } from '../parts/list/url-state.ts';
import { Card, Change } from '../parts/page/card.tsx';
import { TextLink } from '../parts/page/page.tsx';
import { beginsBefore } from '../../kit/time/compared-days.ts';
import { countDays, isDay } from '../words/days.ts';
import { counted, day, days, money, month, wholeMoney } from '../words/format.ts';
import { charts } from './address.ts';
import { useAnomalyFlags, type FlaggedAnomaly } from './anomaly-flags.ts';
import { ChartActions } from './chart-actions.tsx';
import { ChartTable } from './chart-table.tsx';
import figure from '../parts/page/card.module.css';
import classes from './costs.module.css';
import { dimensionName } from './dimensions.ts';
import { ChartNotes } from './notes/list.tsx';
import { placed, useNotes } from './notes/queries.ts';
import type { Question } from './question.ts';
import type { Bar, Chart } from './stacks.ts';
import { changeOf, fromMicros, micros } from './table/rows.ts';
import type { CostsView } from './use-costs.ts';

const DayDialog = lazy(async () => ({ default: (await import('./day-dialog.tsx')).DayDialog }));

interface Props {
  readonly state: UrlState;
  readonly view: CostsView;
}

/** Total cost with its chart. */
export function ChartCard({ state, view }: Props) {
  const { question, chart, currency, before } = view;
  const { range, granularity } = question;
  const frame = useRef<HTMLDivElement>(null);
  const shape = charts.find((one) => one === state.one('chart')) ?? 'bar';
  const hidden = useMemo(() => new Set(state.all('hidden')), [state]);
  const visible = useMemo(() => without(chart, hidden), [chart, hidden]);
  const flags = useAnomalyFlags(question, chart.stacks);
  const notes = useNotes(question);
  const placedNotes = useMemo(() => placed(notes, chart.stacks), [notes, chart.stacks]);
  const against = useMemo(
    // The comparison is a total, which would be misleading beside a part of the series.
    () => (before && hidden.size === 0 ? before.bars : null),
    [before, hidden],
  );
  const pick = (bar: Bar | undefined) => {
    if (!bar) return;
    state.set(granularity === 'daily' ? { day: bar.key } : { ...chosenDays(bar.days), granularity: null });
  };
  const toggle = (key: string) =>
    state.set({ hidden: hidden.has(key) ? [...hidden].filter((one) => one !== key) : [...hidden, key] });
  const picked = state.one('day');
  const figures = { label: labelOf(view), ...visible, currency };
  return (
    <Card
      title="Costs over time"
      note={days(range.from, range.to)}
      actions={<ChartActions {...{ state, view, shape, frame, visible, against }} />}
    >
      <Sum view={view} />
      <div ref={frame}>
        {shape === 'table' ? (
          <ChartTable {...figures} granularity={granularity} />
        ) : (
          <StackChart
            {...figures}
            shape={shape}
            height={280}
            against={against}
            flags={flags}
            notes={placedNotes}
            onPick={({ key }) => pick(chart.stacks.find((one) => one.key === key))}
          />
        )}
      </div>
      <Group mt={10} justify="space-between" gap="xs">
        {chart.series.length > 1 && <Legend items={chart.series} hidden={hidden} onToggle={toggle} />}
        {against && before && shape !== 'table' && <Before range={before.range} />}
      </Group>
      <Anomalies flags={flags} />
      <ChartNotes notes={notes} state={state} />
      {picked !== null && isDay(picked) && range.from <= picked && picked <= range.to && (
        <Suspense>
          <DayDialog state={state} question={question} notes={notes} of={picked} />
        </Suspense>
      )}
    </Card>
  );
}

/** Legend of the comparison line. */
function Before({ range: { from, to } }: { readonly range: Question['range'] }) {
  return (
    <span className={classes.quiet}>
      <span className={classes.mark} />
      {days(from, to)}
    </span>
  );
}

/** Links to the largest anomalies that start in the period. */
function Anomalies({ flags }: { readonly flags: readonly FlaggedAnomaly[] }) {
  if (flags.length === 0) return null;
  const shown = flags.slice(0, mostAnomalies);
  return (
    <Text size="sm" c="dimmed" mt={8}>
      {counted(flags.length, 'anomaly', 'anomalies')} in this period:{' '}
      {shown.map(({ id, service, days: when, value }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <TextLink href={`/anomalies/${id}`} inherit underline="always">
            {`${when} ${service}`}
          </TextLink>{' '}
          ({value})
        </span>
      ))}
      {flags.length > shown.length && ' …'}
    </Text>
  );
}

const mostAnomalies = 5;

/** The chart without some of its series. */
function without({ stacks, series }: Chart, hidden: ReadonlySet<string>): Chart {
  const kept = series.map(({ key }) => !hidden.has(key));
  if (!kept.includes(false) || !kept.includes(true)) return { stacks, series };
  const keep = <Of,>(list: readonly Of[]) => list.filter((_, index) => kept[index]);
  return { series: keep(series), stacks: stacks.map((stack) => ({ ...stack, parts: keep(stack.parts) })) };
}

function Sum({ view }: { readonly view: CostsView }) {
  const { total, currency, before, unknownChange } = view;
  return (
    <Group gap="4px 24px" align="baseline" mb={12}>
      <Text component="span" className={figure.value}>
        {wholeMoney(total, currency)}
      </Text>
      {before && (
        <span className={classes.quiet}>
          {unknownChange === null && (
            <Change
              percent={changeOf(total, before.total)}
              amount={{ value: fromMicros(micros(total) - micros(before.total)), before: before.total, currency }}
              against={days(before.range.from, before.range.to)}
            />
          )}{' '}
          vs. {wholeMoney(before.total, currency)} in {days(before.range.from, before.range.to)}
        </span>
      )}
      {unknownChange !== null && <span className={classes.quiet}>No percentage: {unknownChange}</span>}
      <Average view={view} />
    </Group>
  );
}

/** Average cost per day, from the first day with costs on. */
function Average({ view: { total, currency, dataFrom, question } }: { readonly view: CostsView }) {
  const { from, to } = question.range;
  const isInPart = beginsBefore(from, dataFrom);
  const length = countDays(isInPart ? dataFrom : from, to);
  if (length < 2) return null;
  const since = isInPart ? ` since ${day(dataFrom)}` : '';
  return <span className={classes.quiet}>{`${money(total / length, currency)} per day on average${since}`}</span>;
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
