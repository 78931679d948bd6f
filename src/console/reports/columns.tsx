import { Loader, Text } from '@mantine/core';
import { StatusOf } from '../parts/status.tsx';
import { TwoLines, type Column } from '../parts/table.tsx';
import { ago, bytes, day, days } from '../words/format.ts';
import { DownloadButton } from './download-button.tsx';
import type { useFilterWords } from './filter-words.ts';
import { formats, isOfTheMoment, types } from './kinds.ts';
import type { Report } from './queries.ts';
import classes from './reports.module.css';

/** The columns of the list. */
export function columnsOf(
  filterWords: ReturnType<typeof useFilterWords>,
  personOf: (id: string) => string | null,
): Column<Report>[] {
  return [
    {
      key: 'report',
      title: 'Report',
      grow: true,
      cell: (row) => <About report={row} filters={filterWords(row.filters)} />,
    },
    {
      key: 'days',
      title: 'Days',
      sortBy: 'start_date',
      hideOn: 'phone',
      cell: ({ type, startDate, endDate, createdAt }) =>
        isOfTheMoment(type) ? `As of ${day(createdAt.slice(0, 10))}` : days(startDate, endDate),
    },
    { key: 'format', title: 'Format', hideOn: 'phone', cell: ({ format }) => formats[format].label },
    { key: 'status', title: 'Status', cell: (row) => <State report={row} /> },
    {
      key: 'size',
      title: 'Size',
      sortBy: 'size_bytes',
      align: 'right',
      hideOn: 'tablet',
      cell: ({ sizeBytes }) => (sizeBytes === null ? '–' : bytes(sizeBytes)),
    },
    {
      key: 'created',
      title: 'Made',
      sortBy: 'created_at',
      hideOn: 'phone',
      cell: ({ createdAt, createdById }) => <TwoLines top={ago(createdAt)} below={personOf(createdById)} />,
    },
    {
      key: 'expires',
      title: 'Expires',
      sortBy: 'expires_at',
      hideOn: 'tablet',
      cell: ({ expiresAt }) => ago(expiresAt),
    },
    {
      key: 'download',
      title: 'File',
      cell: (row) => (row.status === 'READY' ? <DownloadButton report={row} /> : '–'),
    },
  ];
}

function About({ report: { type, status, failureReason }, filters }: { report: Report; filters: string | null }) {
  return (
    <>
      <TwoLines top={types[type].label} below={filters ?? 'No filters'} />
      {status === 'FAILED' && (
        <Text size="xs" className={classes.failure}>
          {failureReason ?? 'It failed, and there is no reason known.'}
        </Text>
      )}
    </>
  );
}

/** Where a report stands. */
export function State({ report: { status } }: { readonly report: Report }) {
  if (status !== 'PENDING') return <StatusOf value={status} />;
  return (
    <span className={classes.pending}>
      <Loader size={12} aria-hidden />
      <StatusOf value={status} />
    </span>
  );
}
