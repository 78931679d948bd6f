import { Stack, Text } from '@mantine/core';
import { useParams } from 'wouter';
import { useAnswer } from '../api/use-api.ts';
import { Card, Facts } from '../parts/page/card.tsx';
import { Empty, Shown, usePolling } from '../parts/page/shown.tsx';
import { Page } from '../parts/page/page.tsx';
import { byPerson, usePeople } from '../parts/choices/choices.ts';
import { ago, bytes, day, days, moment } from '../words/format.ts';
import { DownloadButton, State } from './columns.tsx';
import { useFilterWords } from './filters/filters.ts';
import { formats, isOfTheMoment, types } from './kinds.tsx';
import { pollMs, ReportQuery, type Report } from './queries.ts';
import classes from './reports.module.css';

/** One report: where the links of report emails lead. */
export function ReportPage() {
  const { id = '' } = useParams<{ id: string }>();
  const answer = useAnswer(ReportQuery, { id });
  const report = answer.data?.report ?? null;
  usePolling(answer, (data) => data.report?.status === 'PENDING', pollMs);
  return (
    <Page
      title={report ? types[report.type].label : 'Report'}
      crumbs={[['Reports', '/reports']]}
      lead={report && daysOf(report)}
      actions={report?.status === 'READY' && <DownloadButton report={report} />}
    >
      <Shown of={answer} height={240}>
        {(data) => (data.report ? <About report={data.report} /> : <Empty title="There is no such report" />)}
      </Shown>
    </Page>
  );
}

function About({ report }: { readonly report: Report }) {
  const filterWords = useFilterWords();
  const personOf = usePeople();
  const { format, status, failureReason, filters, sizeBytes, createdById, createdAt, expiresAt } = report;
  const creator = personOf(createdById);
  return (
    <Card title="About">
      <Stack gap="sm">
        {status === 'FAILED' && (
          <Text size="sm" className={classes.failure}>
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
