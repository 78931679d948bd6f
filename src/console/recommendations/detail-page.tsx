import { Group, SimpleGrid, Stack, Tabs, Text } from '@mantine/core';
import { Link, useParams } from 'wouter';
import { Muted } from '../parts/form/menu.tsx';
import { TriageCard } from '../parts/form/triage.tsx';
import { useMay } from '../api/me.tsx';
import { useAnswer } from '../api/use-api.ts';
import { useAccountNames } from '../parts/choices/choices.tsx';
import { OwnMoney } from '../parts/list/own-money.tsx';
import { Card, FigureCard, Status, StatusOf } from '../parts/page/card.tsx';
import { CodeBlock } from '../parts/page/copy.tsx';
import { RecordPage } from '../parts/page/page.tsx';
import { providerName } from '../../kit/text/provider-name.ts';
import { ago, day, moment, words, wholeMoney } from '../words/format.ts';
import { SnoozeMenu, StatusMenu } from './actions.tsx';
import { isSnoozed } from './page.tsx';
import { ChargesCard, EvidenceCard } from './evidence.tsx';
import { RecommendationQuery, UpdateRecommendation, type RecommendationDetails } from './queries.ts';
import { typeName } from './types.ts';

/** Recommendation page: what to do, why, how, and the result. */
export function RecommendationPage() {
  const { id = '' } = useParams<{ id: string }>();
  const mayChange = useMay('recommendations.write');
  return (
    <RecordPage
      of={useAnswer(RecommendationQuery, { id })}
      record={(data) => data.recommendation}
      noun="recommendation"
      crumbs={[['Recommendations', '/recommendations']]}
      titleOf={({ title }) => title}
      leadOf={(recommendation) => <Lead recommendation={recommendation} />}
      actionsOf={(recommendation) =>
        mayChange && (
          <>
            <SnoozeMenu recommendation={recommendation} />
            <StatusMenu recommendation={recommendation} />
          </>
        )
      }
      height={600}
    >
      {(recommendation) => <Content recommendation={recommendation} />}
    </RecordPage>
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
          {providerName(provider) !== accountName(accountId) && `· ${providerName(provider)}`}
        </span>
      </Group>
      <StandingNote recommendation={recommendation} />
    </Stack>
  );
}

/** Time and reason of the last status change. Renders nothing before the first change. */
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
      <TriageCard record={recommendation} mutation={UpdateRecommendation} mayWrite={useMay('recommendations.write')} />
      <Card title="Why">
        <Text size="sm" maw={860}>
          {recommendation.description}
        </Text>
        <Muted size="xs" mt="xs">
          Found {ago(recommendation.createdAt)}, updated {ago(recommendation.updatedAt)}
        </Muted>
      </Card>
      <ScriptsCard scripts={recommendation.remediationScripts} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <EvidenceCard recommendation={recommendation} />
        <ChargesCard recommendation={recommendation} />
      </SimpleGrid>
    </Stack>
  );
}

const sureness: Readonly<Record<RecommendationDetails['confidence'], string>> = {
  HIGH: 'Based on the account’s bills',
  MEDIUM: 'Based on a documented share of its cost',
  LOW: 'Upper bound; verify first',
};

/** Saving, confidence, result and scope of a recommendation. */
function Figures({ recommendation }: { readonly recommendation: RecommendationDetails }) {
  const { confidence, resource, type } = recommendation;
  const { estimatedMonthlySavings, currency } = recommendation.converted ?? recommendation;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: recommendation.status === 'APPLIED' ? 4 : 3 }} spacing="sm">
      <FigureCard
        label="Monthly savings"
        value={<OwnMoney row={recommendation} name="estimatedMonthlySavings" format={wholeMoney} />}
        below={`${wholeMoney(estimatedMonthlySavings * 12, currency)} per year`}
      />
      {recommendation.status === 'APPLIED' && <Realized recommendation={recommendation} />}
      <FigureCard label="Confidence" value={words(confidence)} below={sureness[confidence]} />
      <FigureCard
        label={resource ? 'Resource' : 'Type'}
        value={resource ? <ResourceName resource={resource} /> : typeName(type)}
        below={resource ? typeName(type) : 'for charges without a resource'}
      />
    </SimpleGrid>
  );
}

function ResourceName({ resource }: { readonly resource: NonNullable<RecommendationDetails['resource']> }) {
  const { id, name } = resource;
  return id ? <Link href={`/inventory/${id}`}>{name}</Link> : name;
}

function Realized({ recommendation }: { readonly recommendation: RecommendationDetails }) {
  const { realizedMonthlySavings } = recommendation;
  return (
    <FigureCard
      label="Realized per month"
      value={<OwnMoney row={recommendation} name="realizedMonthlySavings" format={wholeMoney} />}
      below={
        realizedMonthlySavings === null
          ? 'available once later days are billed'
          : 'measured on the bills since it was applied'
      }
    />
  );
}

type Script = RecommendationDetails['remediationScripts'][number];

const kinds: Readonly<Record<Script['kind'], string>> = {
  AWS_CLI: 'AWS CLI',
  AZURE_CLI: 'Azure CLI',
  GCLOUD: 'gcloud CLI',
  TERRAFORM: 'Terraform',
  SHELL: 'Shell',
};

/** Scripts that apply the recommendation. Costkeep never runs them. */
function ScriptsCard({ scripts }: { readonly scripts: readonly Script[] }) {
  if (scripts.length === 0) {
    return (
      <Card title="Remediation">
        <Muted>No single command does this. Follow the description.</Muted>
      </Card>
    );
  }
  return (
    <Card title="Remediation" note="Costkeep never runs scripts. Read a script before you run it.">
      <Tabs defaultValue="0" keepMounted={false}>
        <Tabs.List aria-label="Scripts">
          {scripts.map((script, index) => (
            <Tabs.Tab key={tabName(scripts, script)} value={String(index)}>
              {tabName(scripts, script)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {scripts.map((script, index) => (
          <Tabs.Panel key={tabName(scripts, script)} value={String(index)} pt="sm">
            <Panel script={script} name={tabName(scripts, script)} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Card>
  );
}

/** Tool that runs the script, with its purpose if several scripts use the same tool. */
function tabName(scripts: readonly Script[], script: Script): string {
  const alike = scripts.filter(({ kind }) => kind === script.kind);
  return alike.length === 1 ? kinds[script.kind] : `${kinds[script.kind]}: ${script.title}`;
}

function Panel({ script, name }: { readonly script: Script; readonly name: string }) {
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Text size="sm" fw={550}>
          {script.title}
        </Text>
        {script.reversible ? (
          <Status value="REVERSIBLE" tone="good" label="Can be undone" />
        ) : (
          <Status value="IRREVERSIBLE" tone="bad" label="Cannot be undone" />
        )}
      </Group>
      <CodeBlock code={script.script} label={`script for ${name}`} />
    </Stack>
  );
}
