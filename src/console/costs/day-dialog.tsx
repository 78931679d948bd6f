import { Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useAnswer } from '../api/use-api.ts';
import { Act, Muted } from '../parts/form/menu.tsx';
import { Dialog } from '../parts/form/dialog.tsx';
import { DataTable, type Column } from '../parts/list/table.tsx';
import { chosenDays } from '../parts/list/day-range.tsx';
import type { UrlState } from '../parts/list/url-state.ts';
import { Change } from '../parts/page/card.tsx';
import { Shown } from '../parts/page/page.tsx';
import { count, day, days, money, percent } from '../words/format.ts';
import {
  dimensionLabel,
  dimensionName,
  dimensionPlural,
  type Dimension,
  noValue,
  escaped,
  isPrefix,
} from './dimensions.ts';
import { drilled } from './drill.ts';
import { NoteDialog } from './notes/dialog.tsx';
import { DayNotes } from './notes/list.tsx';
import { notesIn, type Note } from './notes/queries.ts';
import { Costs, tableVariables, type CostsAnswer } from './queries.ts';
import type { Question } from './question.ts';
import { groupRows, type Row } from './table/rows.ts';
import { unknownChange } from './unknown-change.ts';

/** Rows of the breakdown. */
const most = 12;

interface Props {
  readonly state: UrlState;
  readonly question: Question;
  /** Notes of the chart's days. */
  readonly notes: readonly Note[];
  /** UTC day. */
  readonly of: string;
}

/** Notes and breakdown of one day by the chart's dimension, compared with the day before. It is open while `day` is in the address. */
export function DayDialog({ state, question, notes, of }: Props) {
  const [first] = question.groups;
  const dimension: Dimension = first === 'day' ? 'service' : first;
  const range = { from: of, to: of };
  const asked: Question = { ...question, range, groups: [dimension], compare: 'previous_period', sort: '-cost' };
  const answer = useAnswer(Costs, { ...tableVariables(asked), limit: most });
  const close = () => state.set({ day: null });
  const only = (row: Row | null) => {
    const value = row?.keys[0]?.value ?? null;
    const values = row ? [{ dimension, value: value === null ? noValue : escaped(value) }] : [];
    return `/costs${state.with({ ...(row ? drilled(state, values) : {}), ...chosenDays(range), day: null, granularity: null })}`;
  };
  const [edited, edit] = useState<Note | 'new' | null>(null);
  if (edited !== null)
    return (
      <NoteDialog
        {...(edited !== 'new' && { note: edited })}
        day={of}
        accountId={onlyAccount(question)}
        onClose={() => edit(null)}
      />
    );
  return (
    <Dialog opened onClose={close} title={`${day(of)} by ${dimensionName(dimension)}`} size="lg">
      <DayNotes notes={notesIn(notes, range)} onAdd={() => edit('new')} onEdit={edit} />
      <Shown of={answer} height={360}>
        {({ costs }) => costs && <Breakdown costs={costs} dimension={dimension} hrefOf={only} />}
      </Shown>
      <Group justify="flex-end" mt="md">
        <Act label="Show only this day" href={only(null)} />
      </Group>
    </Dialog>
  );
}

/** The account that the chart is limited to, if it is one. */
function onlyAccount({ filters }: Question): string | null {
  const filter = filters.find(({ dimension, isExcluded }) => dimension === 'account' && !isExcluded);
  const [value, ...others] = filter?.values ?? [];
  return value === undefined || others.length > 0 || isPrefix(value) || value === noValue ? null : value;
}

interface BreakdownProps {
  readonly costs: CostsAnswer;
  readonly dimension: Dimension;
  readonly hrefOf: (row: Row) => string;
}

function Breakdown({ costs, dimension, hrefOf }: BreakdownProps) {
  const { totalCost: total, currency, previous, other } = costs;
  const rows = groupRows(costs, [dimension], new Map());
  if (rows.length === 0) return <Muted>No costs on this day.</Muted>;
  const unknown = unknownChange(costs);
  return (
    <Stack gap="sm">
      <Text size="sm">
        <b className="figures">{money(total, currency)}</b>{' '}
        {previous && `vs. ${money(previous.totalCost, currency)} on ${days(previous.startDate, previous.endDate)}`}
        {unknown !== null && ` · No percentage: ${unknown}`}
      </Text>
      <DataTable
        label={`Costs by ${dimensionName(dimension)}`}
        rows={rows}
        columns={columnsOf(dimension, currency)}
        keyOf={({ key }) => key}
        hrefOf={hrefOf}
      />
      {other.count > 0 && (
        <Muted size="xs">
          Other {dimensionPlural(dimension)} ({count(other.count)}): {money(other.cost, currency)}.
        </Muted>
      )}
    </Stack>
  );
}

function columnsOf(dimension: Dimension, currency: string): Column<Row>[] {
  return [
    { title: dimensionLabel(dimension), grow: true, cell: ({ name }) => name },
    { title: 'Cost', align: 'right', cell: ({ cost }) => money(cost, currency) },
    { title: 'Share', align: 'right', hideOn: 'half', cell: ({ share }) => (share === null ? '–' : percent(share)) },
    {
      title: 'Change',
      align: 'right',
      cell: ({ before, change, changePercent }) => (
        <Change percent={changePercent} {...(change !== null && { amount: { value: change, before, currency } })} />
      ),
    },
  ];
}
