import { ActionIcon, Group, Select, Tooltip } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { DayRangePicker, type DayRange } from '../parts/day-range.tsx';
import { OneOf } from '../parts/one-of.tsx';
import type { UrlState } from '../parts/url-state.ts';
import { countDays } from '../words/days.ts';
import { days } from '../words/format.ts';
import { GroupBy } from './group-by.tsx';
import { moved } from './period.ts';
import type { Question } from './question.ts';

const metricChoices = [
  { value: 'effective', label: 'Effective cost' },
  { value: 'billed', label: 'Billed cost' },
  { value: 'list', label: 'List cost' },
  { value: 'contracted', label: 'Contracted cost' },
];

const granularityChoices = [
  { value: 'daily', label: 'Daily' },
  { value: 'monthly', label: 'Monthly' },
];

const compareChoices = [
  { value: 'previous_period', label: 'Previous period' },
  { value: 'previous_month', label: 'Previous month' },
  { value: 'previous_year', label: 'Previous year' },
  { value: 'none', label: 'No comparison' },
];

interface Props {
  readonly state: UrlState;
  readonly question: Question;
}

/** The range, the length of a bar, the dimensions, the cost basis and the comparison. */
export function Toolbar({ state, question }: Props) {
  const { metric, range, compare } = question;
  return (
    <Group gap="xs" role="group" aria-label="Costs shown">
      <Days state={state} range={range} />
      <OneOf state={state} name="granularity" label="Granularity" choices={granularityChoices} />
      <GroupBy state={state} question={question} />
      <Select
        aria-label="Cost basis"
        data={metricChoices}
        value={metric}
        onChange={(next) => state.set({ metric: next === 'effective' ? null : next })}
        allowDeselect={false}
        w={142}
      />
      <Select
        aria-label="Compare with"
        data={compareChoices}
        value={compare}
        onChange={(next) => state.set({ compare: next === 'previous_period' ? null : next })}
        allowDeselect={false}
        w={156}
      />
    </Group>
  );
}

function Days({ state, range }: { readonly state: UrlState; readonly range: DayRange }) {
  const go = (to: DayRange) => state.set({ from: to.from, to: to.to });
  const [earlier, later] = [moved(range, -1), moved(range, 1)];
  const length = countDays(range.from, range.to) === 1 ? 'day' : 'period';
  return (
    <Group gap={4} wrap="nowrap">
      <Step label={`Earlier ${length}: ${days(earlier.from, earlier.to)}`} onClick={() => go(earlier)}>
        <IconChevronLeft size={16} aria-hidden />
      </Step>
      <DayRangePicker value={range} onChange={go} />
      <Step label={`Later ${length}: ${days(later.from, later.to)}`} onClick={() => go(later)}>
        <IconChevronRight size={16} aria-hidden />
      </Step>
    </Group>
  );
}

interface StepProps {
  readonly label: string;
  readonly children: ReactNode;
  onClick(): void;
}

function Step({ label, onClick, children }: StepProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" size={36} onClick={onClick} aria-label={label}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
