import { Text } from '@mantine/core';
import { Status, StatusOf } from '../parts/status.tsx';
import { TwoLines, type Column } from '../parts/table.tsx';
import { ago, moment } from '../words/format.ts';
import type { useFilterWords } from './filter-words.ts';
import { formats, types } from './kinds.ts';
import type { Schedule } from './queries.ts';
import { ScheduleActs, ScheduleSwitch } from './schedule-acts.tsx';
import { inZone, ownZone, recipientsText, whenOf } from './timing.ts';

/** The columns of the list of schedules. */
export function scheduleColumns(
  filterWords: ReturnType<typeof useFilterWords>,
  mayChange: (schedule: Schedule) => boolean,
): Column<Schedule>[] {
  return [
    {
      key: 'name',
      title: 'Schedule',
      sortBy: 'name',
      grow: true,
      cell: ({ name, type, format, filters }) => (
        <TwoLines
          top={name}
          below={[`${types[type].label} as ${formats[format].label}`, filterWords(filters)].filter(Boolean).join(' · ')}
        />
      ),
    },
    {
      key: 'when',
      title: 'Runs',
      hideOn: 'tablet',
      cell: (row) => <TwoLines top={whenOf(row)} below={row.timeZone} />,
    },
    {
      key: 'next',
      title: 'Next run',
      sortBy: 'next_run_at',
      hideOn: 'phone',
      cell: (row) => <NextRun schedule={row} />,
    },
    {
      key: 'last',
      title: 'Last run',
      sortBy: 'last_run_at',
      hideOn: 'phone',
      cell: (row) => <LastRun schedule={row} />,
    },
    { key: 'tells', title: 'Tells', hideOn: 'tablet', cell: (row) => <Recipients schedule={row} /> },
    {
      key: 'on',
      title: 'On',
      cell: (row) =>
        mayChange(row) ? (
          <ScheduleSwitch schedule={row} />
        ) : (
          <Status value={row.enabled ? 'ON' : 'OFF'} tone={row.enabled ? 'good' : 'quiet'} />
        ),
    },
    {
      key: 'acts',
      title: 'Change',
      align: 'right',
      cell: (row) => mayChange(row) && <ScheduleActs schedule={row} />,
    },
  ];
}

function LastRun({ schedule: { lastRunAt, lastStatus } }: { readonly schedule: Schedule }) {
  if (lastRunAt === null) return <>Never</>;
  return <TwoLines top={ago(lastRunAt)} below={lastStatus && <StatusOf value={lastStatus} />} />;
}

/** A long address ends in dots; the whole is told on hover. */
function Recipients({ schedule }: { readonly schedule: Schedule }) {
  const text = recipientsText(schedule);
  return (
    <Text span inherit truncate="end" title={text} display="block" maw={110}>
      {text}
    </Text>
  );
}

/** In the reader's time zone, and in the schedule's where that is another. */
function NextRun({ schedule: { nextRunAt, timeZone } }: { readonly schedule: Schedule }) {
  if (nextRunAt === null) return <>–</>;
  const there = timeZone === ownZone() ? null : inZone(nextRunAt, timeZone);
  return <TwoLines top={moment(nextRunAt)} below={there ? `${there} there` : timeZone} />;
}
