import { Group, SimpleGrid, Stack } from '@mantine/core';
import { Link, useParams } from 'wouter';
import { useAnswer } from '../api/use-answer.ts';
import { Empty } from '../parts/empty.tsx';
import { FigureCard } from '../parts/figure-card.tsx';
import { Page } from '../parts/page.tsx';
import { useAccountNames } from '../parts/scope.tsx';
import { Shown } from '../parts/shown.tsx';
import { StatusOf } from '../parts/status.tsx';
import { countDays } from '../words/days.ts';
import { ago, counted, days, moment, money, percent, signedMoney } from '../words/format.ts';
import { providerName, words } from '../words/names.ts';
import { DriversCard } from './drivers-card.tsx';
import { ExplanationCard } from './explanation-card.tsx';
import { AnomalyQuery, type AnomalyDetails } from './queries.ts';
import { SeriesCard } from './series-card.tsx';
import { StandingButtons, StandingNote } from './standing.tsx';

/** One anomaly: how the cost went, why, and what is done about it. */
export function AnomalyPage() {
  const { id = '' } = useParams<{ id: string }>();
  const answer = useAnswer(AnomalyQuery, { id });
  const anomaly = answer.data?.anomaly ?? null;
  return (
    <Page
      title={anomaly ? `${anomaly.service}: ${words(anomaly.kind).toLowerCase()}` : 'Anomaly'}
      crumbs={[['Anomalies', '/anomalies']]}
      lead={anomaly && <Lead anomaly={anomaly} />}
      actions={anomaly && <StandingButtons anomaly={anomaly} />}
    >
      <Shown of={answer} height={600}>
        {(data) => (data.anomaly ? <Content anomaly={data.anomaly} /> : <Empty title="There is no such anomaly" />)}
      </Shown>
    </Page>
  );
}

interface Props {
  readonly anomaly: AnomalyDetails;
}

function Lead({ anomaly }: Props) {
  const accountName = useAccountNames();
  const { accountId, provider, region, status, severity } = anomaly;
  return (
    <Stack gap={4} mt={4}>
      <Group gap={8}>
        <StatusOf value={status} />
        <StatusOf value={severity} />
        <span>
          <Link href={`/accounts/${accountId}`} style={{ textDecoration: 'underline' }}>
            {accountName(accountId)}
          </Link>{' '}
          · {[providerName(provider), region ?? 'several regions'].join(' · ')}
        </span>
      </Group>
      <StandingNote anomaly={anomaly} />
    </Stack>
  );
}

function Content({ anomaly }: Props) {
  return (
    <div style={{ display: 'grid', gap: 'var(--mantine-spacing-md)' }}>
      <Figures anomaly={anomaly} />
      <SeriesCard anomaly={anomaly} />
      <ExplanationCard anomaly={anomaly} />
      <DriversCard anomaly={anomaly} />
    </div>
  );
}

function Figures({ anomaly }: Props) {
  const { startDate, endDate, impact, impactPercent, actualCost, expectedCost, currency, detectedAt } = anomaly;
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
      <FigureCard
        label="Impact"
        value={signedMoney(impact, currency)}
        below={impactPercent === null ? 'nothing was expected' : `${percent(impactPercent, 0)} more than expected`}
      />
      <FigureCard
        label="Cost"
        value={money(actualCost, currency)}
        below={`in ${counted(countDays(startDate, endDate), 'day')}`}
      />
      <FigureCard label="Expected" value={money(expectedCost, currency)} below="by the days before" />
      <FigureCard
        label="Days"
        value={days(startDate, endDate)}
        below={<span title={moment(detectedAt)}>found {ago(detectedAt)}</span>}
      />
    </SimpleGrid>
  );
}
