import { Text } from '@mantine/core';
import { IconCalendarRepeat } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useMay, useMe } from '../../api/me.tsx';
import { viewKey } from '../../costs/from-view/prefill.ts';
import { OnSwitch } from '../../parts/form/dialog.tsx';
import { onOrOff, useList } from '../../parts/list/definition.tsx';
import { ListPage, NewButton } from '../../parts/list/list.tsx';
import { TwoLines, type Column } from '../../parts/list/table.tsx';
import { Empty, usePolling } from '../../parts/page/page.tsx';
import { StatusOf } from '../../parts/page/card.tsx';
import { ago, moment } from '../../words/format.ts';
import { useFilterWords } from '../filters/filters.ts';
import { formats, reportFilters, ReportTabs, types } from '../kinds.tsx';
import { pollMs, SchedulesQuery, UpdateSchedule, type Schedule } from '../queries.ts';
import { ScheduleActs, useNewSchedule } from './dialog.tsx';
import { inZone, ownZone, recipientsText, whenOf } from './form.ts';

const list = {
  csv: ['/reports/schedules', 'report-schedules'],
  filters: { enabled: onOrOff('enabled', 'Schedules shown'), ...reportFilters },
} as const;

/** Schedule list. */
export function SchedulesPage() {
  const filterWords = useFilterWords();
  const mayChange = useMayChange();
  const mayCreate = useMay('reports.write');
  const creation = useNewSchedule();
  const newButton = mayCreate && <NewButton onClick={creation.open}>New schedule</NewButton>;
  const schedules = useList(list, SchedulesQuery);
  usePolling(schedules.answer, () => schedules.rows.some(({ lastStatus }) => lastStatus === 'PENDING'), pollMs);
  return (
    <>
      <ListPage
        views="REPORT_SCHEDULES"
        title="Report schedules"
        reads={[viewKey]}
        lead="Recurring reports, delivered by email and to channels."
        actions={newButton}
        tabs={<ReportTabs />}
        list={schedules}
        label="Schedules"
        columns={scheduleColumns(filterWords, mayChange)}
        noun={['schedule']}
        empty={
          <Empty
            icon={IconCalendarRepeat}
            title="No schedules yet"
            text="A schedule creates and sends a report each day, week or month."
            action={newButton}
          />
        }
      />
      {mayCreate && creation.dialog}
    </>
  );
}

/** Returns a function that checks whether the caller can change a schedule: Members can change only their own. */
function useMayChange(): (schedule: Schedule) => boolean {
  const mayWrite = useMay('reports.write');
  const { role, user } = useMe();
  return useMemo(
    () => (schedule) => mayWrite && (role !== 'MEMBER' || schedule.createdById === user.id),
    [mayWrite, role, user.id],
  );
}

function scheduleColumns(
  filterWords: ReturnType<typeof useFilterWords>,
  mayChange: (schedule: Schedule) => boolean,
): Column<Schedule>[] {
  return [
    {
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
    { title: 'Runs', hideOn: 'tablet', cell: (row) => <TwoLines top={whenOf(row)} below={row.timeZone} /> },
    { title: 'Next run', sortBy: 'next_run_at', hideOn: 'phone', cell: (row) => <NextRun schedule={row} /> },
    { title: 'Last run', sortBy: 'last_run_at', hideOn: 'phone', cell: (row) => <LastRun schedule={row} /> },
    { title: 'Recipients', hideOn: 'tablet', cell: (row) => <Recipients schedule={row} /> },
    { title: 'Enabled', cell: (row) => <OnSwitch row={row} mutation={UpdateSchedule} mayWrite={mayChange(row)} /> },
    { title: 'Actions', align: 'right', cell: (row) => mayChange(row) && <ScheduleActs schedule={row} /> },
  ];
}

function LastRun({ schedule: { lastRunAt, lastStatus } }: { readonly schedule: Schedule }) {
  if (lastRunAt === null) return <>Never</>;
  return <TwoLines top={ago(lastRunAt)} below={lastStatus && <StatusOf value={lastStatus} />} />;
}

/** Truncates long addresses and shows them in full on hover. */
function Recipients({ schedule }: { readonly schedule: Schedule }) {
  const text = recipientsText(schedule);
  return (
    <Text span inherit truncate="end" title={text} display="block" maw={110}>
      {text}
    </Text>
  );
}

/** Next run in the user's time zone, and also in the schedule's, named by its city, if it differs. */
function NextRun({ schedule: { nextRunAt, timeZone } }: { readonly schedule: Schedule }) {
  if (nextRunAt === null) return <>–</>;
  const there = timeZone === ownZone() ? null : inZone(nextRunAt, timeZone);
  const city = timeZone.split('/').at(-1)?.replaceAll('_', ' ');
  return <TwoLines top={moment(nextRunAt)} below={there ? `${there} in ${city}` : timeZone} />;
}
