import { IconCalendarRepeat } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useMay, useMe } from '../api/me.tsx';
import { sortValue } from '../api/sort.ts';
import { useAnswer } from '../api/use-answer.ts';
import { CsvButton } from '../parts/csv-button.tsx';
import { Empty } from '../parts/empty.tsx';
import { FilterBar } from '../parts/filters.tsx';
import { ListCard } from '../parts/list.tsx';
import { OneOf } from '../parts/one-of.tsx';
import { Page } from '../parts/page.tsx';
import { knownOf, pageOf, useUrlState } from '../parts/url-state.ts';
import { useFilterWords } from './filter-words.ts';
import { allFormats, allTypes } from './kinds.ts';
import { csvQuery, ReportFilters } from './list-filters.tsx';
import { SchedulesQuery, type Schedule } from './queries.ts';
import { NewScheduleButton } from './schedule-acts.tsx';
import { scheduleColumns } from './schedule-columns.tsx';
import { ReportTabs } from './tabs.tsx';

const filters = ['type', 'format', 'enabled'];
const states = [
  { value: 'all', label: 'All' },
  { value: 'true', label: 'On' },
  { value: 'false', label: 'Off' },
];

/** Reports that are made again and again. */
export function SchedulesPage() {
  const state = useUrlState();
  const filterWords = useFilterWords();
  const mayChange = useMayChange();
  const mayWrite = useMay('reports.write');
  const type = knownOf(state, 'type', allTypes);
  const format = knownOf(state, 'format', allFormats);
  const enabled = state.one('enabled') === 'true' ? true : state.one('enabled') === 'false' ? false : undefined;
  const sort = state.one('sort');
  const answer = useAnswer(SchedulesQuery, {
    type: type.length > 0 ? type : undefined,
    format: format.length > 0 ? format : undefined,
    enabled,
    sortBy: sortValue(sort),
    page: pageOf(state),
  });
  const columns = useMemo(() => scheduleColumns(filterWords, mayChange), [filterWords, mayChange]);
  const query = csvQuery({ type, format, enabled: enabled === undefined ? [] : [String(enabled)] }, sort);
  return (
    <Page
      title="Report schedules"
      lead="Reports that are made again and again, and told to people by mail."
      actions={
        <>
          <CsvButton path={`/reports/schedules${query}`} name="report-schedules" />
          {mayWrite && <NewScheduleButton />}
        </>
      }
    >
      <ReportTabs />
      <FilterBar state={state} keys={filters}>
        <OneOf state={state} name="enabled" label="On or off" choices={states} />
        <ReportFilters state={state} />
      </FilterBar>
      <ListCard
        label="Schedules"
        of={answer}
        page={({ reportSchedules }) => reportSchedules}
        columns={columns}
        keyOf={({ id }) => id}
        state={state}
        sort={sort}
        noun={['schedule']}
        filters={filters}
        empty={
          <Empty
            icon={IconCalendarRepeat}
            title="No schedules yet"
            text="A schedule makes a report each day, week or month and mails people when it is there."
          />
        }
      />
    </Page>
  );
}

/** Whether the caller is offered to change a schedule: Members only their own. */
function useMayChange(): (schedule: Schedule) => boolean {
  const mayWrite = useMay('reports.write');
  const { role, user } = useMe();
  return useMemo(
    () => (schedule) => mayWrite && (role !== 'MEMBER' || schedule.createdById === user.id),
    [mayWrite, role, user.id],
  );
}
