import { Stack, Text } from '@mantine/core';
import { useParams } from 'wouter';
import { useAnswer } from '../api/use-api.ts';
import { byPerson, usePeople } from '../parts/choices/choices.tsx';
import { Card, Facts } from '../parts/page/card.tsx';
import { RecordPage, usePolling } from '../parts/page/page.tsx';
import { ago, bytes, day, days, moment } from '../words/format.ts';
import { useFilterWords } from './filters/filters.ts';
import { formats, isOfTheMoment, types } from './kinds.tsx';
import { DownloadButton, State } from './page.tsx';
import { pollMs, ReportQuery, type Report } from './queries.ts';
import classes from './reports.module.css';

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
      {(report) => <About report={report} />}
    </RecordPage>
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
