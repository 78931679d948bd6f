import { Checkbox, Divider, Select, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../api/use-api.ts';
import { FormDialog } from '../parts/form/dialog.tsx';
import { done } from '../parts/form/done.ts';
import { type DayRange, faultOf, presets } from '../parts/list/day-range.tsx';
import { addMonths, monthEnd, monthStart, today } from '../words/days.ts';
import { FilterFields } from './filters/fields.tsx';
import { filterFaults, type Filters, keptFor } from './filters/filters.ts';
import { AboutFields, isOfTheMoment, types } from './kinds.tsx';
import { CreateReport, type ReportFormat, type ReportType } from './queries.ts';

interface Form {
  readonly type: ReportType;
  readonly format: ReportFormat;
  readonly days: DayRange;
  readonly filters: Filters;
  readonly email: boolean;
}

/** The month before: what most reports are about. */
function lastMonth(): DayRange {
  const from = addMonths(monthStart(today()), -1);
  return { from, to: monthEnd(from) };
}

interface Props {
  readonly isOpen: boolean;
  onClose(): void;
}

/** Asks for a report. */
export function CreateReportDialog({ isOpen, onClose }: Props) {
  const [form, setForm] = useState<Form>(() => ({
    type: 'COST_SUMMARY',
    format: 'PDF',
    days: lastMonth(),
    filters: {},
    email: true,
  }));
  const [faults, setFaults] = useState<ReturnType<typeof filterFaults>>({});
  const { act, isBusy, refusal, clear } = useAct(CreateReport);
  const set = (changes: Partial<Form>) => setForm((before) => ({ ...before, ...changes }));
  const close = () => {
    clear();
    setFaults({});
    onClose();
  };
  const submit = async () => {
    const { type, format, days, filters, email } = form;
    const found = filterFaults(type, filters);
    setFaults(found);
    const hasDays = !isOfTheMoment(type);
    if (Object.keys(found).length > 0 || (hasDays && faultOf(days))) return;
    const range = hasDays ? { startDate: days.from, endDate: days.to } : {};
    if (!(await act({ input: { type, format, filters, email, ...range } }))) return;
    done(`${types[type].label} is being made`);
    close();
  };
  return (
    <FormDialog
      title="New report"
      verb="Create report"
      size="lg"
      isOpen={isOpen}
      isBusy={isBusy}
      refusal={refusal}
      onSubmit={() => void submit()}
      onClose={close}
    >
      <AboutFields
        type={form.type}
        format={form.format}
        onType={(type) => set({ type, filters: keptFor(type, form.type, form.filters) })}
        onFormat={(format) => set({ format })}
      />
      {isOfTheMoment(form.type) ? (
        <Text size="sm" c="dimmed">
          It shows how things stand when it is made, whatever the days.
        </Text>
      ) : (
        <DaysFields value={form.days} onChange={(days) => set({ days })} />
      )}
      <Divider label="Filters" labelPosition="left" />
      <FilterFields type={form.type} value={form.filters} faults={faults} onChange={(filters) => set({ filters })} />
      <EmailChoice isChosen={form.email} onChange={(email) => set({ email })} />
    </FormDialog>
  );
}

function EmailChoice({ isChosen, onChange }: { readonly isChosen: boolean; onChange(email: boolean): void }) {
  return (
    <Checkbox
      label="Email me the file"
      description="Attached up to 10 MB, otherwise as a link that works for 7 days."
      checked={isChosen}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  );
}

interface DaysFieldsProps {
  readonly value: DayRange;
  onChange(range: DayRange): void;
}

/** The days of a report: a usual range, or two days. Plain fields, so that it stands well in a dialog. */
function DaysFields({ value, onChange }: DaysFieldsProps) {
  const known = presets();
  const preset = known.find(([, { from, to }]) => from === value.from && to === value.to)?.[0] ?? null;
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
      <Select
        label="Days"
        placeholder="Your own"
        data={known.map(([name]) => name)}
        value={preset}
        allowDeselect={false}
        onChange={(name) => {
          const range = known.find(([one]) => one === name)?.[1];
          if (range) onChange(range);
        }}
      />
      <TextInput
        type="date"
        label="First day"
        value={value.from}
        onChange={(event) => onChange({ ...value, from: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label="Last day"
        value={value.to}
        error={faultOf(value)}
        onChange={(event) => onChange({ ...value, to: event.currentTarget.value })}
      />
    </SimpleGrid>
  );
}
