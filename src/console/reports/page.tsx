import { IconFileText } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useMay } from '../api/me.tsx';
import { usePeople } from '../parts/choices/choices.ts';
import { anyOf, useList } from '../parts/list/definition.tsx';
import { ListPage, NewButton } from '../parts/list/list.tsx';
import { Empty, usePolling } from '../parts/page/shown.tsx';
import { columnsOf } from './columns.tsx';
import { CreateReportDialog } from './create-dialog.tsx';
import { useFilterWords } from './filters/filters.ts';
import { reportFilters, ReportTabs } from './kinds.tsx';
import { pollMs, ReportsQuery } from './queries.ts';

const list = {
  csv: ['/reports', 'reports'],
  filters: { ...reportFilters, status: anyOf('status', 'Status', ['READY', 'PENDING', 'FAILED']) },
} as const;

/** Every report that has not expired. */
export function ReportsPage() {
  const filterWords = useFilterWords();
  const personOf = usePeople();
  const [isCreating, setCreating] = useState(false);
  const reports = useList(list, ReportsQuery);
  usePolling(reports.answer, () => reports.rows.some(({ status }) => status === 'PENDING'), pollMs);
  const columns = useMemo(() => columnsOf(filterWords, personOf), [filterWords, personOf]);
  const newButton = useMay('reports.write') && <NewButton onClick={() => setCreating(true)}>New report</NewButton>;
  return (
    <>
      <ListPage
        title="Reports"
        lead="Reports are kept for 30 days."
        actions={newButton}
        tabs={<ReportTabs />}
        list={reports}
        columns={columns}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/reports/${id}`}
        noun={['report']}
        empty={
          <Empty
            icon={IconFileText}
            title="No reports yet"
            text="A report is a PDF, a workbook, CSV or JSON of costs, inventory, savings and more."
            action={newButton}
          />
        }
      />
      {isCreating && <CreateReportDialog onClose={() => setCreating(false)} />}
    </>
  );
}
