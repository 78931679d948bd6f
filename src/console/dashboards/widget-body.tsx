import { Stack, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useMemo } from 'react';
import { useAnswer } from '../api/use-api.ts';
import { Legend } from '../charts/legend.tsx';
import { StackChart } from '../charts/stack-chart.tsx';
import { dimensionLabel } from '../costs/dimensions.ts';
import { placed, useNotes } from '../costs/notes/queries.ts';
import { Costs, seriesVariables, tableVariables, totalsVariables, type CostsAnswer } from '../costs/queries.ts';
import type { Question } from '../costs/question.ts';
import { notIncluded, unknownChange } from '../costs/unknown-change.ts';
import { changeOf, fromMicros, groupRows, micros, sorted, type Row } from '../costs/table/rows.ts';
import { DataTable, type Column } from '../parts/list/table.tsx';
import { fixedState, type ViewQuery } from '../parts/views/address.ts';
import { faultOfRefusal } from '../costs/refused.ts';
import { Change } from '../parts/page/card.tsx';
import { Empty, Shown } from '../parts/page/page.tsx';
import { days, money, percent, sentence, wholeMoney } from '../words/format.ts';
import classes from './dashboards.module.css';
import type { WidgetChart } from './queries.ts';
import { gap, rowHeight } from './use-grid-drag.ts';
import { seriesChart, barRows } from '../costs/stacks.ts';

interface Props {
  readonly title: string;
  /** Stored query of the question. */
  readonly query: ViewQuery;
  readonly question: Question;
  readonly chart: WidgetChart;
  /** Height of the widget in rows. */
  readonly rows: number;
}

/** Height of the head with the padding, and the gap above the legend, in px. */
const headHeight = 84;
const legendGap = 8;
const leastHeight = 90;

/** Costs of a widget. One query each, so that a full dashboard stays within the rate limit. */
export function WidgetBody(props: Props) {
  const { query, question, chart } = props;
  const isByDay = question.groups[0] === 'day';
  const variables = useMemo(() => {
    if (chart === 'NUMBER') return numberVariables(question);
    return chart === 'TABLE' && !isByDay ? tableVariables(question) : seriesVariables(question);
  }, [question, chart, isByDay]);
  const answer = useAnswer(Costs, variables);
  const fault = answer.refusal && faultOfRefusal(answer.refusal, fixedState(query), question);
  if (fault) return <Faulty texts={[fault.text]} />;
  return (
    <Shown of={answer} height={leastHeight}>
      {({ costs }) =>
        costs && (
          <>
            <Content {...props} costs={costs} />
            <Notes costs={costs} chart={isByDay && chart === 'TABLE' ? null : chart} />
          </>
        )
      }
    </Shown>
  );
}

/** Says what is wrong with the query of a widget. */
export function Faulty({ texts }: { readonly texts: readonly string[] }) {
  return <Empty title="This view is not valid" text={`${texts.join(' ')} Open it in Costs to correct it.`} />;
}

function numberVariables(question: Question) {
  const compare = tableVariables(question).compare;
  return { ...totalsVariables(question, question.range), granularity: 'NONE' as const, compare };
}

/** Names the costs that the figures do not include, and says why the changes of a table have no percentage. */
function Notes({ costs, chart }: Pick<ContentProps, 'costs'> & { readonly chart: Props['chart'] | null }) {
  const excluded = notIncluded(costs);
  const unknown = chart === 'TABLE' || chart === 'NUMBER' ? unknownChange(costs) : null;
  const texts = [
    ...(excluded === null || excluded === unknown ? [] : [excluded]),
    // The number states it in place of the change.
    ...(chart === 'TABLE' && unknown !== null ? [`No percentage: ${unknown}`] : []),
  ];
  return texts.map((text) => (
    <Text key={text} size="xs" c="dimmed" px="sm" py={4}>
      {sentence(text)}
    </Text>
  ));
}

interface ContentProps extends Props {
  readonly costs: CostsAnswer;
}

function Content(props: ContentProps) {
  const { chart, costs, question } = props;
  if (chart === 'NUMBER') return <Total {...props} />;
  if (costs.rows.length === 0 && costs.totalCost === 0)
    return <Empty title="No data" text={`No matching costs for ${days(question.range.from, question.range.to)}.`} />;
  return chart === 'TABLE' ? <Groups {...props} /> : <Chart {...props} chart={chart} />;
}

/** The total with its change. */
function Total({ costs, question: { range } }: ContentProps) {
  const { totalCost, currency, previous } = costs;
  const unknown = unknownChange(costs);
  return (
    <Stack gap={2}>
      <Text component="span" className={classes.number}>
        {wholeMoney(totalCost, currency)}
      </Text>
      <Text size="sm" c="dimmed" component="div">
        {unknown !== null ? (
          `No comparison: ${unknown}`
        ) : previous ? (
          <>
            <Change
              percent={changeOf(totalCost, previous.totalCost)}
              amount={{
                value: fromMicros(micros(totalCost) - micros(previous.totalCost)),
                before: previous.totalCost,
                currency,
              }}
              against={days(previous.startDate, previous.endDate)}
            />{' '}
            vs. {wholeMoney(previous.totalCost, currency)} in {days(previous.startDate, previous.endDate)}
          </>
        ) : (
          days(range.from, range.to)
        )}
      </Text>
    </Stack>
  );
}

function Groups({ title, costs, question }: ContentProps) {
  const rows = rowsOf(costs, question);
  return <DataTable label={title} rows={rows} columns={columnsOf(question, costs.currency)} keyOf={(row) => row.key} />;
}

function rowsOf(costs: CostsAnswer, question: Question): readonly Row[] {
  if (question.groups[0] === 'day')
    return sorted(barRows(seriesChart(question, costs), costs.totalCost, null), question.sort);
  const dimensions = question.groups.filter((one) => one !== undefined && one !== 'day');
  const rows = groupRows(costs, dimensions, new Map());
  return rows.slice(0, mostTableRows);
}

/** Rows of a table; the explorer shows all. */
const mostTableRows = 50;

function columnsOf({ groups, granularity, compare }: Question, currency: string): Column<Row>[] {
  const [first, then] = groups;
  return [
    { title: dimensionLabel(first, granularity), grow: true, cell: ({ name }) => name },
    ...(then ? [{ title: dimensionLabel(then), cell: ({ keys }: Row) => keys[1]?.label ?? '' }] : []),
    { title: 'Cost', align: 'right', cell: ({ cost }) => money(cost, currency) },
    { title: 'Share', align: 'right', hideOn: 'half', cell: ({ share }) => (share === null ? '–' : percent(share)) },
    ...(compare === 'none' || first === 'day' ? [] : [changeColumn]),
  ];
}

const changeColumn: Column<Row> = {
  title: 'Change',
  align: 'right',
  cell: ({ changePercent }) => <Change percent={changePercent} />,
};

const shapes = { BAR: 'bar', LINE: 'line', AREA: 'area', CUMULATIVE: 'cumulative' } as const;

/** Costs over time. */
function Chart({ title, costs, question, chart, rows }: ContentProps & { readonly chart: keyof typeof shapes }) {
  const built = useMemo(() => seriesChart(question, costs), [question, costs]);
  const hasLegend = built.series.length > 1;
  const legend = useElementSize();
  const outside = headHeight + (hasLegend ? legend.height + legendGap : 0);
  const height = Math.max(leastHeight, rows * rowHeight + (rows - 1) * gap - outside);
  const { from, to } = question.range;
  const label = `${title}, ${days(from, to)}: ${money(costs.totalCost, costs.currency)} in total`;
  const shared = { label, currency: costs.currency, height };
  const notes = useNotes(question);
  const placedNotes = useMemo(() => placed(notes, built.stacks), [notes, built.stacks]);
  return (
    <Stack gap={legendGap}>
      <StackChart {...shared} shape={shapes[chart]} stacks={built.stacks} series={built.series} notes={placedNotes} />
      {hasLegend && (
        <div ref={legend.ref}>
          <Legend items={built.series} />
        </div>
      )}
    </Stack>
  );
}
