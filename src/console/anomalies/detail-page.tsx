import { Group, List, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { Link, useParams } from 'wouter';
import { TriageCard } from '../parts/form/triage.tsx';
import { useMay } from '../api/me.tsx';
import { useAnswer } from '../api/use-api.ts';
import { byPerson, useAccountNames, usePeople } from '../parts/choices/choices.tsx';
import { OwnMoney } from '../parts/list/own-money.tsx';
import { Card, FigureCard, StatusOf } from '../parts/page/card.tsx';
import { RecordPage } from '../parts/page/page.tsx';
import { countDays } from '../words/days.ts';
import { anomalyTitle } from './title.ts';
import { providerName } from '../../kit/text/provider-name.ts';
import { ago, counted, days, moment, percent, words, wholeMoney, signedWholeMoney } from '../words/format.ts';
import { StandingButtons } from './actions.tsx';
import { DriversCard, SeriesCard } from './series-card.tsx';
import { AnomalyQuery, UpdateAnomaly, type AnomalyDetails } from './queries.ts';

/** Anomaly page: cost series, drivers, explanation and status. */
export function AnomalyPage() {
  const { id = '' } = useParams<{ id: string }>();
  return (
    <RecordPage
      of={useAnswer(AnomalyQuery, { id })}
      record={(data) => data.anomaly}
      noun="anomaly"
      crumbs={[['Anomalies', '/anomalies']]}
      titleOf={anomalyTitle}
      leadOf={(anomaly) => <Lead anomaly={anomaly} />}
      actionsOf={(anomaly) => <StandingButtons anomaly={anomaly} />}
      height={600}
    >
      {(anomaly) => <Content anomaly={anomaly} />}
    </RecordPage>
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
          · {providerName(provider) !== accountName(accountId) && `${providerName(provider)} · `}
          {region ?? 'several regions'}
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
      <TriageCard record={anomaly} mutation={UpdateAnomaly} mayWrite={useMay('anomalies.write')} />
      <SeriesCard anomaly={anomaly} />
      <ExplanationCard anomaly={anomaly} />
      <DriversCard anomaly={anomaly} />
    </div>
  );
}

function Figures({ anomaly }: Props) {
  const { startDate, endDate, impactPercent, detectedAt } = anomaly;
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
      <FigureCard
        label="Impact"
        value={<OwnMoney row={anomaly} name="impact" format={signedWholeMoney} />}
        below={impactPercent === null ? 'no cost expected' : `${percent(impactPercent, 0)} more than expected`}
      />
      <FigureCard
        label="Cost"
        value={<OwnMoney row={anomaly} name="actualCost" format={wholeMoney} />}
        below={`over ${counted(countDays(startDate, endDate), 'day')}`}
      />
      <FigureCard
        label="Expected"
        value={<OwnMoney row={anomaly} name="expectedCost" format={wholeMoney} />}
        below="based on earlier days"
      />
      <FigureCard
        label="Days"
        value={days(startDate, endDate)}
        below={<span title={moment(detectedAt)}>detected {ago(detectedAt)}</span>}
      />
    </SimpleGrid>
  );
}

/** Explanation in words, with suggested next steps. */
function ExplanationCard({ anomaly }: { readonly anomaly: AnomalyDetails }) {
  const { summary, likelyCauses, nextSteps, source } = anomaly.explanation;
  const by = source === 'MODEL' ? 'Summary by a language model' : 'Rule-based summary';
  return (
    <Card title="Explanation" note={by}>
      <Stack gap="md">
        <Text size="sm" maw={860}>
          {summary}
        </Text>
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
          <Points title="Likely causes" points={likelyCauses} />
          <Points title="Next steps" points={nextSteps} isOrdered />
        </SimpleGrid>
      </Stack>
    </Card>
  );
}

interface PointsProps {
  readonly title: string;
  readonly points: readonly string[];
  readonly isOrdered?: boolean;
}

function Points({ title, points, isOrdered = false }: PointsProps) {
  if (points.length === 0) return null;
  return (
    <div>
      <Title order={3} size="h6" mb={6}>
        {title}
      </Title>
      <List size="sm" spacing={6} type={isOrdered ? 'ordered' : 'unordered'} withPadding={false} pl="lg">
        {points.map((point) => (
          <List.Item key={point}>{point}</List.Item>
        ))}
      </List>
    </div>
  );
}

/** Last status change: author, time and reason. Renders nothing before the first change. */
function StandingNote({ anomaly }: { readonly anomaly: AnomalyDetails }) {
  const { status, statusChangedAt, statusChangedById, statusReason } = anomaly;
  const personName = usePeople();
  if (!statusChangedAt) return null;
  const who = statusChangedById === null ? 'automatically' : byPerson(personName(statusChangedById));
  return (
    <span>
      {status === 'OPEN' ? 'Reopened' : words(status)} {who}{' '}
      <time dateTime={statusChangedAt} title={moment(statusChangedAt)}>
        {ago(statusChangedAt)}
      </time>
      {statusReason ? `: ${statusReason}` : ''}
    </span>
  );
}
