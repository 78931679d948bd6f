import { ActionIcon, Group, Select, Switch, Tooltip } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { DayRangePicker, type DayRange } from '../parts/day-range.tsx';
import { OneOf } from '../parts/one-of.tsx';
import type { UrlState } from '../parts/url-state.ts';
import { countDays } from '../words/days.ts';
import { days } from '../words/format.ts';
import type { Grouping } from './address.ts';
import { FilterButton } from './filter-panel.tsx';
import { moved } from './period.ts';
import type { Question } from './question.ts';
import { TagKeySelect } from './tag-key.tsx';

const byChoices = [
  { value: 'service', label: 'By service' },
  { value: 'account', label: 'By account' },
  { value: 'region', label: 'By region' },
  { value: 'provider', label: 'By provider' },
  { value: 'tag', label: 'By tag' },
];

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

interface Props {
  readonly state: UrlState;
  readonly question: Question;
}

/** Which days, in which bars, split by what, at which cost. */
export function Toolbar({ state, question }: Props) {
  const { group, metric, range, compare } = question;
  return (
    <Group gap="xs" role="group" aria-label="What is shown">
      <Days state={state} range={range} />
      <OneOf state={state} name="granularity" label="Length of a bar" choices={granularityChoices} />
      <Select
        aria-label="Split by"
        data={byChoices}
        value={group}
        onChange={(next) => next && state.set(groupedBy(state, next))}
        allowDeselect={false}
        w={136}
      />
      {group === 'tag' && <TagKeySelect state={state} />}
      <Select
        aria-label="Cost basis"
        data={metricChoices}
        value={metric}
        onChange={(next) => state.set({ metric: next === 'effective' ? null : next })}
        allowDeselect={false}
        w={160}
      />
      <Switch
        label="Compare"
        checked={compare}
        onChange={(event) => state.set({ compare: event.currentTarget.checked ? null : 'none' })}
      />
      <FilterButton state={state} />
    </Group>
  );
}

/** Changes that split by something else. A tag key that only divided the charges goes: elsewhere it would leave some out. */
export function groupedBy(state: UrlState, group: Grouping | string) {
  const filtersByTag = state.has('tagValue') || state.one('untagged') === 'true';
  const next = { group: group === 'service' ? null : group, sort: null, find: null };
  return group === 'tag' || filtersByTag ? next : { ...next, tagKey: null };
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
