import { Button } from '@mantine/core';
import { IconFileText, IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useMay } from '../api/me.tsx';
import { sortValue } from '../api/sort.ts';
import { useAnswer } from '../api/use-answer.ts';
import { CsvButton } from '../parts/csv-button.tsx';
import { Empty } from '../parts/empty.tsx';
import { ChoiceFilter, FilterBar } from '../parts/filters.tsx';
import { ListCard } from '../parts/list.tsx';
import { Page } from '../parts/page.tsx';
import { usePeople } from '../parts/people.ts';
import { usePolling } from '../parts/polling.ts';
import { knownOf, pageOf, useUrlState, type UrlState } from '../parts/url-state.ts';
import { words } from '../words/names.ts';
import { columnsOf } from './columns.tsx';
import { CreateReportDialog } from './create-dialog.tsx';
import { useFilterWords } from './filter-words.ts';
import { allFormats, allTypes } from './kinds.ts';
import { csvQuery, ReportFilters } from './list-filters.tsx';
import { pollMs, ReportsQuery } from './queries.ts';
import { ReportTabs } from './tabs.tsx';

const statuses = ['READY', 'PENDING', 'FAILED'] as const;
const filters = ['type', 'format', 'status'];

/** Every report that has not expired. */
export function ReportsPage() {
  const state = useUrlState();
  const filterWords = useFilterWords();
  const personOf = usePeople();
  const [isCreating, setCreating] = useState(false);
  const mayWrite = useMay('reports.write');
  const { answer, chosen, sort } = useReports(state);
  const columns = useMemo(() => columnsOf(filterWords, personOf), [filterWords, personOf]);
  const newButton = mayWrite && <NewButton onClick={() => setCreating(true)} />;
  return (
    <Page
      title="Reports"
      lead="Figures as files. Each is kept for 30 days."
      actions={
        <>
          <CsvButton path={`/reports${csvQuery(chosen, sort)}`} name="reports" />
          {newButton}
        </>
      }
    >
      <ReportTabs />
      <FilterBar state={state} keys={filters}>
        <ReportFilters state={state} />
        <ChoiceFilter
          state={state}
          name="status"
          label="Status"
          choices={statuses.map((value) => ({ value, label: words(value) }))}
          isClosed
        />
      </FilterBar>
      <ListCard
        label="Reports"
        of={answer}
        page={({ reports }) => reports}
        columns={columns}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/reports/${id}`}
        state={state}
        sort={sort}
        noun={['report']}
        filters={filters}
        empty={
          <Empty
            icon={IconFileText}
            title="No reports yet"
            text="A report is a PDF, a workbook, CSV or JSON of costs, inventory, savings and more."
            action={newButton}
          />
        }
      />
      {mayWrite && <CreateReportDialog isOpen={isCreating} onClose={() => setCreating(false)} />}
    </Page>
  );
}

function NewButton({ onClick }: { readonly onClick: () => void }) {
  return (
    <Button leftSection={<IconPlus size={15} aria-hidden />} onClick={onClick}>
      New report
    </Button>
  );
}

/** The list that the address asks for, asked again while a report of it is being made. */
function useReports(state: UrlState) {
  const chosen = {
    type: knownOf(state, 'type', allTypes),
    format: knownOf(state, 'format', allFormats),
    status: knownOf(state, 'status', statuses),
  };
  const sort = state.one('sort');
  const answer = useAnswer(ReportsQuery, {
    type: chosen.type.length > 0 ? chosen.type : undefined,
    format: chosen.format.length > 0 ? chosen.format : undefined,
    status: chosen.status.length > 0 ? chosen.status : undefined,
    sortBy: sortValue(sort),
    page: pageOf(state),
  });
  usePolling(answer, ({ reports }) => reports?.data.some(({ status }) => status === 'PENDING') ?? false, pollMs);
  return { answer, chosen, sort };
}
