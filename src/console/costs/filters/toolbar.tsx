import { ActionIcon, Group, Select, Tooltip } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconChevronLeft, IconChevronRight, IconFileExport } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { Toggle } from '../../parts/form/fields.tsx';
import { ActMenu } from '../../parts/form/menu.tsx';
import { coloured } from '../../charts/colours.ts';
import { download, queryOf, useDownload } from '../../parts/list/csv.tsx';
import { chosenDays, type DayRange, DayRangePicker, presetIn } from '../../parts/list/day-range.tsx';
import { OneOf } from '../../parts/list/filters.tsx';
import type { UrlState } from '../../parts/list/url-state.ts';
import { countDays } from '../../words/days.ts';
import { days } from '../../words/format.ts';
import classes from '../costs.module.css';
import { tagKeyIn, virtualKeyIn } from '../dimensions.ts';
import { useLastDay } from '../last-day.ts';
import { moved } from '../period.ts';
import { mostRows, tableSort } from '../queries.ts';
import { filterKey, sharedBy, type Question } from '../question.ts';
import { FilterBar } from './filter-bar.tsx';
import { GroupBy } from './group-by.tsx';

/** Cost metrics with their names. */
export const metricChoices = [
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

/** Controls for range, granularity, dimensions, cost metric, comparison and filters. On phones, a button expands all but the
 *  range. */
export function Toolbar({ state, question }: Props) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const count = question.filters.reduce((sum, { values }) => sum + values.length, 0);
  return (
    <div className={classes.toolbar} role="group" aria-label="Costs shown">
      <Days state={state} range={question.asked} />
      <ActionIcon
        className={classes.unfold}
        variant="default"
        h={36}
        aria-label={count === 0 ? 'Options' : `Filters (${count})`}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Group gap={6}>
          <IconAdjustmentsHorizontal size={16} aria-hidden />
          {count > 0 && count}
        </Group>
      </ActionIcon>
      <div id={id} className={classes.more} data-open={isOpen || undefined}>
        <Options state={state} question={question} />
        <FilterBar state={state} question={question} />
      </div>
    </div>
  );
}

function Options({ state, question }: Props) {
  const { metric, compare, groups, includesShared } = question;
  return (
    <>
      <OneOf state={state} name="granularity" label="Granularity" choices={granularityChoices} />
      <GroupBy state={state} question={question} />
      <Select
        aria-label="Cost metric"
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
      {sharedBy(groups) !== null && (
        <Toggle
          label="Include shared costs"
          checked={includesShared}
          onChange={(isOn) => state.set({ shared: isOn ? 'true' : null })}
        />
      )}
    </>
  );
}

function Days({ state, range }: { readonly state: UrlState; readonly range: DayRange }) {
  const go = (to: DayRange, preset: string | null = null) => state.set(chosenDays(to, preset));
  const [earlier, later] = [moved(range, -1), moved(range, 1)];
  const lastDay = useLastDay();
  const length = countDays(range.from, range.to) === 1 ? 'day' : 'period';
  return (
    <Group gap={4} wrap="nowrap" miw={0}>
      <Step label={`Earlier ${length}: ${days(earlier.from, earlier.to)}`} onClick={() => go(earlier)}>
        <IconChevronLeft size={16} aria-hidden />
      </Step>
      <DayRangePicker value={range} preset={presetIn(state)} lastDay={lastDay} onChange={go} />
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

const formats = [
  { value: 'focus_csv', label: 'FOCUS as CSV', ending: 'csv' },
  { value: 'focus_parquet', label: 'FOCUS as Parquet', ending: 'parquet' },
] as const;

/** Exports the underlying charges, one row per charge and day, with FOCUS columns. */
export function ExportMenu({ question }: { readonly question: Question }) {
  const { start, isBusy } = useDownload('The export failed');
  const { from, to } = question.range;
  return (
    <ActMenu
      label="Export FOCUS"
      button={{ Icon: IconFileExport, loading: isBusy }}
      items={formats.map(({ value, label, ending }) => ({
        label,
        onClick: () => start(() => download(focusPath(question, value), `focus-${from}-${to}.${ending}`)),
      }))}
    />
  );
}

/** REST path of the table as CSV; for a table of days, of its bars. */
export function tableCsv(question: Question): string {
  const { groups, granularity, compare } = question;
  if (groups[0] === 'day') return pathOf(question, { granularity });
  const sort = tableSort(question);
  return pathOf(question, {
    group_by: groups.filter((one) => one !== undefined),
    compare,
    ...sharedOf(question, groups),
    limit: mostRows,
    sort_by: sort,
  });
}

/** REST path of the chart as CSV, one row per bar and group. */
export function seriesCsv(question: Question): string {
  const { groups, granularity } = question;
  const [first] = groups;
  return pathOf(question, {
    granularity,
    ...(first !== 'day' && { group_by: [first], limit: coloured }),
    ...sharedOf(question, [first]),
  });
}

function sharedOf({ includesShared }: Question, groups: Question['groups']) {
  return includesShared && sharedBy(groups) !== null ? { include_shared: true } : {};
}

/** REST path of the charges in FOCUS format. */
function focusPath(question: Question, format: 'focus_csv' | 'focus_parquet'): string {
  return `/costs/export${queryOf({ ...rangeOf(question), ...filtersOf(question), format })}`;
}

function pathOf(question: Question, more: Parameters<typeof queryOf>[0]): string {
  return `/costs${queryOf({ ...rangeOf(question), cost_metric: question.metric, ...filtersOf(question), ...more })}`;
}

function rangeOf({ range }: Question) {
  return { start_date: range.from, end_date: range.to };
}

/** Filters as REST query parameters; tag filters share `tag` and `exclude_tag`, those of virtual tags `virtual`. */
function filtersOf({ filters }: Question): Record<string, string[]> {
  const query: Record<string, string[]> = {};
  for (const filter of filters) {
    const { dimension, isExcluded } = filter;
    const keyed = tagKeyIn(dimension) ?? virtualKeyIn(dimension);
    const kind = tagKeyIn(dimension) === null ? 'virtual' : 'tag';
    const name = keyed === null ? filterKey(filter) : isExcluded ? `exclude_${kind}` : kind;
    const values = filter.values.map((value) => (keyed === null ? value : `${keyed.replaceAll(':', '\\:')}:${value}`));
    (query[name] ??= []).push(...values);
  }
  return query;
}
