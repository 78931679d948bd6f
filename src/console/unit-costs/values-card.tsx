import { Group } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useMay } from '../api/me.tsx';
import { useAgainWhen, useAnswer } from '../api/use-api.ts';
import { ActDialog } from '../parts/form/dialog.tsx';
import { TextField } from '../parts/form/fields.tsx';
import { useFields } from '../parts/form/form.tsx';
import { Act } from '../parts/form/menu.tsx';
import { CsvButton } from '../parts/list/csv.tsx';
import { dayFieldFaults } from '../parts/list/day-range.tsx';
import type { Found } from '../parts/list/definition.tsx';
import { Pager, PastTheEnd } from '../parts/list/list.tsx';
import { DataTable, type Column } from '../parts/list/table.tsx';
import { pageOf, useUrlState, type UrlState } from '../parts/list/url-state.ts';
import { Card } from '../parts/page/card.tsx';
import { Shown } from '../parts/page/page.tsx';
import { today } from '../words/days.ts';
import { count, day, days } from '../words/format.ts';
import { DeleteUnitMetricValues, UnitMetricValuesQuery, type UnitMetric, type UnitMetricValue } from './queries.ts';

interface Props {
  readonly metric: UnitMetric;
  /** Number of changes since the page was opened, each of which refetches the values. */
  readonly changes: number;
  /** Called after values have been deleted. */
  onChange(): void;
}

const columns: readonly Column<UnitMetricValue>[] = [
  { title: 'Day', cell: ({ date }) => (date > today() ? `${day(date)} (future)` : day(date)) },
  { title: 'Labels', grow: true, cell: ({ labels }) => labelsOf(labels) },
  { title: 'Quantity', align: 'right', cell: ({ value }) => count(value, 6) },
];

/** Values of a unit metric as they were uploaded, newest day first, and a button to delete those of a range of days. */
export function ValuesCard({ metric, changes, onChange }: Props) {
  const state = useUrlState();
  const answer = useAnswer(UnitMetricValuesQuery, { id: metric.id, page: pageOf(state), perPage: 25 });
  useAgainWhen(String(changes), answer);
  const [isDeleting, setDeleting] = useState(false);
  const mayWrite = useMay('metrics.write');
  return (
    <Card
      title="Values"
      flush
      actions={
        <Group gap="xs">
          <CsvButton path={`/metrics/${metric.id}/values`} name={`values-${metric.key}`} />
          {mayWrite && <Act label="Delete values" Icon={IconTrash} size="xs" onClick={() => setDeleting(true)} />}
        </Group>
      }
    >
      <Shown of={answer} height={360}>
        {({ unitMetricValues: found }) => found && <Values found={found} state={state} />}
      </Shown>
      {isDeleting && <DeleteDialog metric={metric} onDone={onChange} onClose={() => setDeleting(false)} />}
    </Card>
  );
}

function Values({ found, state }: { readonly found: Found<UnitMetricValue>; readonly state: UrlState }) {
  if (found.data.length === 0) return <PastTheEnd of={found.pagination} state={state} />;
  return (
    <>
      <DataTable
        label="Values"
        rows={found.data}
        columns={columns}
        keyOf={({ date, labels }) => `${date} ${labelsOf(labels)}`}
      />
      <Pager of={found.pagination} state={state} noun={['value']} />
    </>
  );
}

function labelsOf(labels: UnitMetricValue['labels']): string {
  const entries = Object.entries(labels as Readonly<Record<string, string>>);
  return entries.map(([name, value]) => `${name}: ${value}`).join(', ') || 'None';
}

interface DeleteProps extends Pick<Props, 'metric'> {
  onDone(): void;
  onClose(): void;
}

function DeleteDialog({ metric, onDone, onClose }: DeleteProps) {
  const last = metric.lastDate ?? today();
  const { form, field, check } = useFields({ startDate: last, endDate: last }, dayFieldFaults);
  const isGood = Object.values(dayFieldFaults(form)).every((fault) => !fault);
  const shown = isGood ? days(form.startDate, form.endDate) : 'these days';
  return (
    <ActDialog
      danger
      title={`Delete values of ${metric.name}`}
      verb="Delete values"
      text={`All values for ${shown} are deleted for everyone, whatever their labels. This cannot be undone.`}
      mutation={DeleteUnitMetricValues}
      variables={() => (check() ? { id: metric.id, ...form } : null)}
      confirmation={`Values for ${shown} deleted`}
      onDone={onDone}
      onClose={onClose}
    >
      <Group grow align="flex-start">
        <TextField type="date" label="First day" data-autofocus {...field('startDate')} />
        <TextField type="date" label="Last day" {...field('endDate')} />
      </Group>
    </ActDialog>
  );
}
