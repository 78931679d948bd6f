import { Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { Link, useParams } from 'wouter';
import { useAnswer } from '../api/use-answer.ts';
import { Card } from '../parts/card.tsx';
import { Copy } from '../parts/copy.tsx';
import { Empty } from '../parts/empty.tsx';
import { Facts } from '../parts/facts.tsx';
import { FigureCard } from '../parts/figure-card.tsx';
import { Page } from '../parts/page.tsx';
import { useAccountNames } from '../parts/scope.tsx';
import { Shown } from '../parts/shown.tsx';
import { Status } from '../parts/status.tsx';
import { ago, day, moment, money } from '../words/format.ts';
import { providerName, regionName } from '../words/names.ts';
import { typeLabel } from './choices.ts';
import { ResourceCosts } from './costs-cards.tsx';
import { ResourceAnomalies, ResourceRecommendations } from './findings.tsx';
import { readMetadata } from './metadata.ts';
import { ResourceQuery, type ResourceDetails } from './queries.ts';
import { TagsCard } from './tags-card.tsx';

/** One resource: its costs, tags, details and findings. */
export function ResourcePage() {
  const { id = '' } = useParams<{ id: string }>();
  const answer = useAnswer(ResourceQuery, { id });
  const resource = answer.data?.inventoryResource ?? null;
  return (
    <Page
      title={resource?.name ?? 'Resource'}
      crumbs={[['Inventory', '/inventory']]}
      lead={resource && <Lead resource={resource} />}
    >
      <Shown of={answer} height={600}>
        {({ inventoryResource }) =>
          inventoryResource ? <Content resource={inventoryResource} /> : <Empty title="Resource not found" />
        }
      </Shown>
    </Page>
  );
}

interface Props {
  readonly resource: ResourceDetails;
}

function Lead({ resource: { resourceType, nativeId, goneAt } }: Props) {
  return (
    <Stack gap={4} mt={2}>
      <Group gap={8}>
        {goneAt && <Status value="GONE" tone="warn" label={`Gone since ${day(goneAt)}`} />}
        <span>{typeLabel(resourceType)}</span>
      </Group>
      <Group gap={4} wrap="nowrap">
        <Text component="span" size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {nativeId}
        </Text>
        <Copy value={nativeId} label="Copy the id" />
      </Group>
    </Stack>
  );
}

function Content({ resource }: Props) {
  const { service, region, costLast30Days, currency, firstSeenAt, lastSeenAt } = resource;
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
        <FigureCard label="Last 30 days" value={money(costLast30Days, currency)} below="at effective cost" />
        <FigureCard label="Service" value={service || 'None'} below={`in ${regionName(region)}`} />
        <FigureCard label="First seen" value={day(firstSeenAt)} below={ago(firstSeenAt)} />
        <FigureCard label="Last seen" value={day(lastSeenAt)} below="on a bill or in the inventory" />
      </SimpleGrid>
      <ResourceCosts resource={resource} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <TagsCard tags={resource.tags} />
        <DetailsCard resource={resource} />
      </SimpleGrid>
      <ResourceRecommendations resourceId={resource.id} />
      <ResourceAnomalies resourceId={resource.id} />
    </Stack>
  );
}

function DetailsCard({ resource }: Props) {
  const { accountId, provider, region, resourceType, goneAt, metadata } = resource;
  const accountName = useAccountNames();
  return (
    <Card title="Details">
      <Facts
        facts={[
          [
            'Account',
            <Link key="account" href={`/accounts/${accountId}`}>
              {accountName(accountId)}
            </Link>,
          ],
          ['Provider', providerName(provider)],
          ['Region', regionName(region)],
          ['Type', typeLabel(resourceType)],
          ['Found gone', goneAt && moment(goneAt)],
          ...readMetadata(metadata),
        ]}
      />
    </Card>
  );
}
