import { Select, SimpleGrid } from '@mantine/core';
import { useMemo } from 'react';
import type { ScheduleForm } from './schedule-form.ts';
import { allFrequencies, frequencies, hourText, timeZones, weekdays } from './timing.ts';

interface Props {
  readonly form: ScheduleForm;
  set(changes: Partial<ScheduleForm>): void;
}

/** When a schedule runs. */
export function TimingFields({ form, set }: Props) {
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

function DayField({ form, set }: Props) {
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
