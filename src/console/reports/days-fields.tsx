import { Select, SimpleGrid, TextInput } from '@mantine/core';
import { faultOf, presets, type DayRange } from '../parts/day-range.tsx';

interface Props {
  readonly value: DayRange;
  onChange(range: DayRange): void;
}

/** The days of a report: a usual range, or two days. Plain fields, so that it stands well in a dialog. */
export function DaysFields({ value, onChange }: Props) {
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
