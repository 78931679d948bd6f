import { Checkbox, Divider, Select, SimpleGrid } from '@mantine/core';
import { useMe } from '../api/me.tsx';
import { Muted } from '../parts/form/menu.tsx';
import { useAct } from '../api/use-api.ts';
import { done, FormDialog } from '../parts/form/dialog.tsx';
import { TextField } from '../parts/form/fields.tsx';
import { useFields } from '../parts/form/form.tsx';
import { useLastDay } from '../costs/last-day.ts';
import { faultOf, presets, type DayRange } from '../parts/list/day-range.tsx';
import { addMonths, monthEnd, monthStart, today } from '../words/days.ts';
import { FilterFields } from './filters/fields.tsx';
import { filterFaults, keptFor, type FilterName, type Filters } from './filters/filters.ts';
import { AboutFields, isOfTheMoment, types } from './kinds.tsx';
import { CreateReport, type ReportFormat, type ReportType } from './queries.ts';

interface Form {
  readonly type: ReportType;
  readonly format: ReportFormat;
  readonly days: DayRange;
  readonly filters: Filters;
  readonly email: boolean;
}

/** Previous month, the most common range for reports. */
function lastMonth(): DayRange {
  const from = addMonths(monthStart(today()), -1);
  return { from, to: monthEnd(from) };
}

/** Dialog to create a report. */
export function CreateReportDialog({ onClose }: { onClose(): void }) {
  const create = useAct(CreateReport);
  const { form, set, faults, check } = useFields<Form, FilterName>(
    () => ({ type: 'COST_SUMMARY', format: 'PDF', days: lastMonth(), filters: {}, email: true }),
    ({ type, filters }) => filterFaults(type, filters),
  );
  const submit = async () => {
    const { type, format, days, filters, email } = form;
    const hasDays = !isOfTheMoment(type);
    if (!check() || (hasDays && faultOf(days))) return;
    const range = hasDays ? { startDate: days.from, endDate: days.to } : {};
    if (!(await create.act({ input: { type, format, filters, email, ...range } }))) return;
    done(`${types[type].label} is being created`);
    onClose();
  };
  return (
    <FormDialog
      title="New report"
      verb="Create report"
      size="lg"
      of={create}
      fields={{ form, set }}
      onSubmit={submit}
      onClose={onClose}
    >
      <AboutFields
        type={form.type}
        format={form.format}
        onType={(type) => set({ type, filters: keptFor(type, form.type, form.filters) })}
        onFormat={(format) => set({ format })}
      />
      {isOfTheMoment(form.type) ? (
        <Muted>Shows the state at the time of creation.</Muted>
      ) : (
        <DaysFields value={form.days} onChange={(days) => set({ days })} />
      )}
      <Divider label="Filters" labelPosition="left" />
      <FilterFields type={form.type} value={form.filters} faults={faults} onChange={(filters) => set({ filters })} />
      <Checkbox
        label="Email me the file"
        description="Attached up to 10 MB, otherwise as a link that works for 7 days."
        checked={form.email}
        onChange={({ currentTarget }) => set({ email: currentTarget.checked })}
      />
    </FormDialog>
  );
}

interface DaysFieldsProps {
  readonly value: DayRange;
  onChange(range: DayRange): void;
}

/** Date range of a report: a preset, or two days. Uses plain inputs, which fit into a dialog. */
function DaysFields({ value, onChange }: DaysFieldsProps) {
  const { organization } = useMe();
  const lastDay = useLastDay();
  const known = presets({ fiscalStart: organization.fiscalYearStartMonth, lastDay });
  const preset = known.find(([, { from, to }]) => from === value.from && to === value.to)?.[0] ?? null;
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
      <Select
        label="Days"
        placeholder="Custom"
        data={known.map(([name]) => name)}
        value={preset}
        allowDeselect={false}
        onChange={(name) => {
          const range = known.find(([one]) => one === name)?.[1];
          if (range) onChange(range);
        }}
      />
      <TextField type="date" label="First day" value={value.from} onChange={(from) => onChange({ ...value, from })} />
      <TextField
        type="date"
        label="Last day"
        value={value.to}
        error={faultOf(value)}
        onChange={(to) => onChange({ ...value, to })}
      />
    </SimpleGrid>
  );
}
