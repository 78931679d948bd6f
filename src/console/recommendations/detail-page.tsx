import { Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { Link, useParams } from 'wouter';
import { useMay } from '../api/me.tsx';
import { useAnswer } from '../api/use-answer.ts';
import { Card } from '../parts/card.tsx';
import { Empty } from '../parts/empty.tsx';
import { Page } from '../parts/page.tsx';
import { useAccountNames } from '../parts/scope.tsx';
import { Shown } from '../parts/shown.tsx';
import { Status, StatusOf } from '../parts/status.tsx';
import { ago, day, moment } from '../words/format.ts';
import { providerName, words } from '../words/names.ts';
import { isSnoozed } from './columns.tsx';
import { ChargesCard, EvidenceCard } from './evidence-card.tsx';
import { Figures } from './figures.tsx';
import { RecommendationQuery, type RecommendationDetails } from './queries.ts';
import { ScriptsCard } from './scripts-card.tsx';
import { SnoozeMenu } from './snooze.tsx';
import { StatusMenu } from './standing.tsx';

/** One recommendation: what to do, why, how, and what came of it. */
export function RecommendationPage() {
  const { id = '' } = useParams<{ id: string }>();
  const answer = useAnswer(RecommendationQuery, { id });
  const mayChange = useMay('recommendations.write');
  const recommendation = answer.data?.recommendation ?? null;
  return (
    <Page
      title={recommendation?.title ?? 'Recommendation'}
      crumbs={[['Recommendations', '/recommendations']]}
      lead={recommendation && <Lead recommendation={recommendation} />}
      actions={
        recommendation &&
        mayChange && (
          <>
            <SnoozeMenu recommendation={recommendation} />
            <StatusMenu recommendation={recommendation} />
          </>
        )
      }
    >
      <Shown of={answer} height={600}>
        {(data) =>
          data.recommendation ? (
            <Content recommendation={data.recommendation} />
          ) : (
            <Empty title="There is no such recommendation" />
          )
        }
      </Shown>
    </Page>
  );
}

interface Props {
  readonly recommendation: RecommendationDetails;
}

function Lead({ recommendation }: Props) {
  const { status, snoozedUntil, accountId, provider } = recommendation;
  const accountName = useAccountNames();
  return (
    <Stack gap={4} mt={4}>
      <Group gap={8}>
        <StatusOf value={status} />
        {isSnoozed(recommendation) && (
          <Status value="SNOOZED" tone="quiet" label={`Snoozed until ${day(snoozedUntil ?? '')}`} />
        )}
        <span>
          <Link href={`/accounts/${accountId}`} style={{ textDecoration: 'underline' }}>
            {accountName(accountId)}
          </Link>{' '}
          · {providerName(provider)}
        </span>
      </Group>
      <StandingNote recommendation={recommendation} />
    </Stack>
  );
}

/** When its status changed, and why; nothing while it never has. */
function StandingNote({ recommendation: { status, statusChangedAt, statusReason } }: Props) {
  if (!statusChangedAt) return null;
  return (
    <span>
      {words(status)} since <time dateTime={statusChangedAt}>{moment(statusChangedAt)}</time>
      {statusReason ? `: ${statusReason}` : ''}
    </span>
  );
}

function Content({ recommendation }: Props) {
  return (
    <Stack gap="md">
      <Figures recommendation={recommendation} />
      <Card title="Why">
        <Text size="sm" maw={860}>
          {recommendation.description}
        </Text>
        <Text size="xs" c="dimmed" mt="xs">
          Found {ago(recommendation.createdAt)}, figures of {moment(recommendation.updatedAt)}
        </Text>
      </Card>
      <ScriptsCard scripts={recommendation.remediationScripts} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <EvidenceCard recommendation={recommendation} />
        <ChargesCard recommendation={recommendation} />
      </SimpleGrid>
    </Stack>
  );
}
