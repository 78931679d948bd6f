import { Group, Loader, Text, Stack } from '@mantine/core';
import { IconDownload, IconFileText } from '@tabler/icons-react';
import { useState } from 'react';
import { useParams } from 'wouter';
import { useMay } from '../api/me.tsx';
import { useAnswer } from '../api/use-api.ts';
import { usePeople, byPerson } from '../parts/choices/choices.tsx';
import { Act } from '../parts/form/menu.tsx';
import { download, useDownload } from '../parts/list/csv.tsx';
import { anyOf, useList } from '../parts/list/definition.tsx';
import { ListPage, NewButton } from '../parts/list/list.tsx';
import { type Column, PhoneNote, TwoLines } from '../parts/list/table.tsx';
import { StatusOf, Card, Facts } from '../parts/page/card.tsx';
import { Empty, usePolling, RecordPage } from '../parts/page/page.tsx';
import { ago, bytes, day, days, moment } from '../words/format.ts';
import { CreateReportDialog } from './create-dialog.tsx';
import { useFilterWords } from './filters/filters.ts';
import { formats, isOfTheMoment, reportFilters, ReportTabs, types } from './kinds.tsx';
import { pollMs, type Report, ReportsQuery, ReportQuery } from './queries.ts';

const list = {
  csv: ['/reports', 'reports'],
  filters: { ...reportFilters, status: anyOf('status', 'Status', ['READY', 'PENDING', 'FAILED']) },
} as const;

/** List of reports that have not expired. */
export function ReportsPage() {
  const filterWords = useFilterWords();
  const personOf = usePeople();
  const [isCreating, setCreating] = useState(false);
  const reports = useList(list, ReportsQuery);
  usePolling(reports.answer, () => reports.rows.some(({ status }) => status === 'PENDING'), pollMs);
  const newButton = useMay('reports.write') && <NewButton onClick={() => setCreating(true)}>New report</NewButton>;
  return (
    <>
      <ListPage
        views="REPORTS"
        title="Reports"
        lead="Reports are kept for 30 days."
        actions={newButton}
        tabs={<ReportTabs />}
        list={reports}
        columns={columnsOf(filterWords, personOf)}
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

function columnsOf(
  filterWords: ReturnType<typeof useFilterWords>,
  personOf: (id: string) => string | null,
): Column<Report>[] {
  return [
    { title: 'Report', grow: true, cell: (row) => <About report={row} filters={filterWords(row.filters)} /> },
    {
      title: 'Days',
      sortBy: 'start_date',
      hideOn: 'phone',
      cell: daysOf,
    },
    { title: 'Format', hideOn: 'phone', cell: ({ format }) => formats[format].label },
    { title: 'Status', cell: (row) => <State report={row} /> },
    {
      title: 'Size',
      sortBy: 'size_bytes',
      align: 'right',
      hideOn: 'tablet',
      cell: ({ sizeBytes }) => (sizeBytes === null ? '–' : bytes(sizeBytes)),
    },
    {
      title: 'Created',
      sortBy: 'created_at',
      hideOn: 'phone',
      cell: ({ createdAt, createdById }) => <TwoLines top={ago(createdAt)} below={personOf(createdById)} />,
    },
    { title: 'Expires', sortBy: 'expires_at', hideOn: 'tablet', cell: ({ expiresAt }) => ago(expiresAt) },
    { title: 'File', cell: (row) => (row.status === 'READY' ? <DownloadButton report={row} /> : '–') },
  ];
}

function About({ report, filters }: { report: Report; filters: string | null }) {
  const { type, format, status, failureReason } = report;
  return (
    <>
      <TwoLines top={types[type].label} below={filters ?? 'No filters'} />
      <PhoneNote>
        {daysOf(report)} · {formats[format].label}
      </PhoneNote>
      {status === 'FAILED' && (
        <Text size="xs" c="var(--bad)">
          {failureReason ?? 'Failed for an unknown reason.'}
        </Text>
      )}
    </>
  );
}

/** Status of a report. */
export function State({ report: { status } }: { readonly report: Report }) {
  if (status !== 'PENDING') return <StatusOf value={status} />;
  return (
    <Group gap={6} wrap="nowrap">
      <Loader size={12} aria-hidden />
      <StatusOf value={status} />
    </Group>
  );
}

/** Downloads a report's file. */
export function DownloadButton({ report }: { readonly report: Report }) {
  const { start, isBusy } = useDownload('The report was not downloaded');
  const { type, format, startDate, endDate, downloadUrl } = report;
  return (
    <Act
      label="Download"
      Icon={IconDownload}
      size="compact-sm"
      loading={isBusy}
      onClick={() => start(() => download(pathOf(downloadUrl), fileName(report)))}
      aria-label={`Download ${types[type].label}, ${days(startDate, endDate)}, ${format}`}
    />
  );
}

/** Converts a download URL from the API to a path relative to `/api/v1`. */
function pathOf(downloadUrl: string): string {
  const { pathname } = new URL(downloadUrl, location.origin);
  return pathname.slice(pathname.indexOf('/api/v1') + '/api/v1'.length);
}

function fileName({ type, format, startDate, endDate }: Report): string {
  return `${type.toLowerCase().replaceAll('_', '-')}-${startDate}-${endDate}.${format.toLowerCase()}`;
}

/** Report page, the target of links in report emails. */
export function ReportPage() {
  const { id = '' } = useParams<{ id: string }>();
  const answer = useAnswer(ReportQuery, { id });
  usePolling(answer, (data) => data.report?.status === 'PENDING', pollMs);
  return (
    <RecordPage
      of={answer}
      record={(data) => data.report}
      noun="report"
      crumbs={[['Reports', '/reports']]}
      titleOf={({ type }) => types[type].label}
      leadOf={daysOf}
      actionsOf={(report) => report.status === 'READY' && <DownloadButton report={report} />}
      height={240}
    >
      {(report) => <AboutCard report={report} />}
    </RecordPage>
  );
}

function AboutCard({ report }: { readonly report: Report }) {
  const filterWords = useFilterWords();
  const personOf = usePeople();
  const { format, status, failureReason, filters, sizeBytes, createdById, createdAt, expiresAt } = report;
  const creator = personOf(createdById);
  return (
    <Card title="About">
      <Stack gap="sm">
        {status === 'FAILED' && (
          <Text size="sm" c="var(--bad)">
            {failureReason ?? 'The report failed for an unknown reason.'}
          </Text>
        )}
        <Facts
          facts={[
            ['Status', <State key="status" report={report} />],
            ['Format', formats[format].label],
            ['Size', sizeBytes === null ? null : bytes(sizeBytes)],
            ['Filters', filterWords(filters)],
            ['Created', creator === null ? moment(createdAt) : `${moment(createdAt)} ${byPerson(creator)}`],
            ['Expires', ago(expiresAt)],
          ]}
        />
      </Stack>
    </Card>
  );
}

function daysOf({ type, startDate, endDate, createdAt }: Report): string {
  return isOfTheMoment(type) ? `As of ${day(createdAt.slice(0, 10))}` : days(startDate, endDate);
}
