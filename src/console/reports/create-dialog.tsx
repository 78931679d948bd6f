import { Checkbox, Divider, Text } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../api/use-act.ts';
import { faultOf, type DayRange } from '../parts/day-range.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { done } from '../parts/done.ts';
import { addMonths, monthEnd, monthStart, today } from '../words/days.ts';
import { AboutFields } from './about-fields.tsx';
import { DaysFields } from './days-fields.tsx';
import { FilterFields } from './filter-fields.tsx';
import { filterFaults, keptFor, type Filters } from './filters.ts';
import { isOfTheMoment, types } from './kinds.ts';
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
