import { Divider, Select, SimpleGrid, Switch, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Refusal } from '../../api/refusal.ts';
import { FormDialog } from '../../parts/form/dialog.tsx';
import { RecipientFields } from '../../parts/form/recipients.tsx';
import { FilterFields } from '../filters/fields.tsx';
import { keptFor } from '../filters/filters.ts';
import { AboutFields } from '../kinds.tsx';
import {
  allFrequencies,
  type Faults,
  faultsOf,
  frequencies,
  hourText,
  mostRecipients,
  type ScheduleForm,
  timeZones,
  weekdays,
} from './form.ts';

interface Props {
  readonly title: string;
  readonly verb: string;
  readonly initial: ScheduleForm;
  readonly isMine: boolean;
  readonly isBusy: boolean;
  readonly refusal: Refusal | null;
  onSave(form: ScheduleForm): void;
  onClose(): void;
}

/** Everything that a schedule is made of. It is open as long as it is there. */
export function ScheduleDialog({ title, verb, initial, isMine, isBusy, refusal, onSave, onClose }: Props) {
  const [form, setForm] = useState(initial);
  const [faults, setFaults] = useState<Faults>({});
  const set = (changes: Partial<ScheduleForm>) => setForm((before) => ({ ...before, ...changes }));
  const submit = () => {
    const found = faultsOf(form);
    setFaults(found);
    if (Object.keys(found).length === 0) onSave(form);
  };
  return (
    <FormDialog
      title={title}
      verb={verb}
      size="lg"
      isOpen
      isBusy={isBusy}
      refusal={refusal}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        withAsterisk
        maxLength={100}
        data-autofocus
        value={form.name}
        error={faults.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <AboutFields
        type={form.type}
        format={form.format}
        onType={(type) => set({ type, filters: keptFor(type, form.type, form.filters) })}
        onFormat={(format) => set({ format })}
      />
      <Divider label="When" labelPosition="left" />
      <TimingFields form={form} set={set} />
      <Divider label="Filters" labelPosition="left" />
      <FilterFields type={form.type} value={form.filters} faults={faults} onChange={(filters) => set({ filters })} />
      <Divider label="Who is told" labelPosition="left" />
      <RecipientFields
        label="Recipients"
        description="Without any, its owner. Press Enter after each."
        most={mostRecipients}
        isMine={isMine}
        value={{ emails: form.recipients, slack: form.slack }}
        error={faults.recipients ?? null}
        onChange={({ emails, slack }) => set({ recipients: emails, slack })}
      />
      <Switch
        label="The schedule is on"
        checked={form.enabled}
        onChange={(event) => set({ enabled: event.currentTarget.checked })}
      />
    </FormDialog>
  );
}

interface TimingFieldsProps {
  readonly form: ScheduleForm;
  set(changes: Partial<ScheduleForm>): void;
}

/** When a schedule runs. */
function TimingFields({ form, set }: TimingFieldsProps) {
  const zones = useMemo(() => [...new Set([...timeZones(), form.timeZone])], [form.timeZone]);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <Select
        label="Frequency"
        data={allFrequencies.map((value) => ({ value, label: frequencies[value].label }))}
        value={form.frequency}
        allowDeselect={false}
        description={frequencies[form.frequency].description}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        onChange={(value) => set({ frequency: allFrequencies.find((one) => one === value) ?? form.frequency, day: 1 })}
      />
      <DayField form={form} set={set} />
      <Select
        label="Hour"
        data={Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: hourText(hour) }))}
        value={String(form.hour)}
        allowDeselect={false}
        searchable
        onChange={(value) => set({ hour: Number(value ?? form.hour) })}
      />
      <Select
        label="Time zone"
        data={zones}
        value={form.timeZone}
        allowDeselect={false}
        searchable
        limit={100}
        nothingFoundMessage="No such time zone"
        onChange={(value) => set({ timeZone: value ?? form.timeZone })}
      />
    </SimpleGrid>
  );
}

function DayField({ form, set }: TimingFieldsProps) {
  if (form.frequency === 'DAILY') return <div />;
  const isWeekly = form.frequency === 'WEEKLY';
  const choices = isWeekly
    ? weekdays.map((label, index) => ({ value: String(index + 1), label }))
    : Array.from({ length: 31 }, (_, index) => ({ value: String(index + 1), label: String(index + 1) }));
  return (
    <Select
      label={isWeekly ? 'Weekday' : 'Day of the month'}
      data={choices}
      value={String(form.day)}
      allowDeselect={false}
      searchable
      {...(!isWeekly &&
        form.day > 28 && {
          description: 'In shorter months, their last day',
          inputWrapperOrder: ['label', 'input', 'description', 'error'],
        })}
      onChange={(value) => set({ day: Number(value ?? form.day) })}
    />
  );
}
