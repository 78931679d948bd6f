import { Button, Group, Popover, Stack, Text, TextInput } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useState, type SubmitEvent } from 'react';
import { addDays, addMonths, countDays, isDay, monthEnd, monthStart, today } from '../words/days.ts';
import { days } from '../words/format.ts';

/** Days of the bills, both included. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

interface Props {
  readonly value: DayRange;
  onChange(range: DayRange): void;
}

/** The ranges that people ask for most. */
export function presets(now = today()): readonly (readonly [label: string, range: DayRange])[] {
  const month = monthStart(now);
  const last = addMonths(month, -1);
  return [
    ['Last 7 days', { from: addDays(now, -6), to: now }],
    ['Last 30 days', { from: addDays(now, -29), to: now }],
    ['Last 90 days', { from: addDays(now, -89), to: now }],
    ['This month', { from: month, to: now }],
    ['Last month', { from: last, to: monthEnd(last) }],
    ['Last 6 months', { from: addMonths(month, -5), to: now }],
    ['Last 12 months', { from: addMonths(month, -11), to: now }],
  ];
}

/** Most days that the API adds up at once. */
export const mostDays = 1100;

/** What keeps two days from being a range; null when nothing does. */
export function faultOf({ from, to }: DayRange, most = mostDays): string | null {
  if (!isDay(from) || !isDay(to)) return 'Write days as YYYY-MM-DD';
  if (to < from) return 'The last day is before the first';
  return countDays(from, to) > most ? `At most ${most.toLocaleString('en-US')} days can be asked for` : null;
}

/** Chooses days: a preset, or two typed ones. */
export function DayRangePicker({ value, onChange }: Props) {
  const [isOpen, setOpen] = useState(false);
  const choose = (range: DayRange) => {
    setOpen(false);
    onChange(range);
  };
  const preset = presets().find(([, range]) => range.from === value.from && range.to === value.to);
  const label = faultOf(value) ? 'Choose days' : days(value.from, value.to);
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconCalendar size={15} aria-hidden />}
          onClick={() => setOpen(!isOpen)}
          aria-label={`Days: ${preset ? `${preset[0]}, ` : ''}${label}`}
        >
          {preset ? `${preset[0]}` : label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Days">
        <Group align="flex-start" gap="md" wrap="wrap">
          <Stack gap={2}>
            {presets().map(([name, range]) => (
              <Button
                key={name}
                size="compact-sm"
                variant={preset?.[0] === name ? 'light' : 'subtle'}
                justify="flex-start"
                onClick={() => choose(range)}
              >
                {name}
              </Button>
            ))}
          </Stack>
          <OwnDays value={value} onChoose={choose} />
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
}

function OwnDays({ value, onChoose }: { readonly value: DayRange; readonly onChoose: (range: DayRange) => void }) {
  const [range, setRange] = useState(value);
  const fault = faultOf(range);
  // Nobody has written anything yet, so nothing is wrong yet.
  const isBlank = range.from === '' && range.to === '';
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!fault) onChoose(range);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="xs" w={170}>
        <TextInput
          type="date"
          label="First day"
          value={range.from}
          onChange={(event) => setRange({ ...range, from: event.currentTarget.value })}
        />
        <TextInput
          type="date"
          label="Last day"
          value={range.to}
          error={isBlank ? null : fault}
          onChange={(event) => setRange({ ...range, to: event.currentTarget.value })}
        />
        <Button type="submit" size="sm" disabled={fault !== null}>
          Show these days
        </Button>
        <Text size="xs" c="dimmed">
          Days are UTC, as bills count them.
        </Text>
      </Stack>
    </form>
  );
}
