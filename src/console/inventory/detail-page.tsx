import { Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { Link, useParams } from 'wouter';
import { Muted } from '../parts/form/menu.tsx';
import { anomalyColumnsOfResource } from '../anomalies/page.tsx';
import { AnomaliesQuery } from '../anomalies/queries.ts';
import { isRecord } from '../api/refusal.ts';
import { useAnswer, type Answer } from '../api/use-api.ts';
import { useAccountNames } from '../parts/choices/choices.tsx';
import { foundIn, type Found } from '../parts/list/definition.tsx';
import { DataTable, type Column } from '../parts/list/table.tsx';
import { OwnMoney } from '../parts/list/own-money.tsx';
import { Card, Facts, FigureCard, Status } from '../parts/page/card.tsx';
import { Copy } from '../parts/page/copy.tsx';
import { RecordPage, Shown } from '../parts/page/page.tsx';
import { Provider } from '../parts/page/provider.tsx';
import { recommendationColumnsOfResource } from '../recommendations/page.tsx';
import { RecommendationsQuery } from '../recommendations/queries.ts';
import { tagKeyHref } from '../tags/tabs.tsx';
import { ago, day, moment, regionName, wholeMoney } from '../words/format.ts';
import { resourceTypeName } from '../words/resource-types.ts';
import { ResourceCosts } from './costs-cards.tsx';
import { inventoryHref, ResourceQuery, type ResourceDetails } from './queries.ts';
import { detailName, detailText } from '../words/details.ts';

/** Resource page: costs, tags, details and findings. */
export function ResourcePage() {
  const { id = '' } = useParams<{ id: string }>();
  return (
    <RecordPage
      of={useAnswer(ResourceQuery, { id })}
      record={(data) => data.inventoryResource}
      noun="resource"
      crumbs={[['Inventory', '/inventory']]}
      reads={['range']}
      titleOf={({ name }) => name}
      leadOf={(resource) => <Lead resource={resource} />}
      height={600}
    >
      {(resource) => <Content resource={resource} />}
    </RecordPage>
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
        <span>{resourceTypeName(resourceType)}</span>
      </Group>
      <Group gap={4} wrap="nowrap">
        <Text component="span" size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {nativeId}
        </Text>
        <Copy value={nativeId} label="Copy the ID" />
      </Group>
    </Stack>
  );
}

function Content({ resource }: Props) {
  const { service, region, firstSeenAt, lastSeenAt } = resource;
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
        <FigureCard
          label="Last 30 days"
          value={<OwnMoney row={resource} name="costLast30Days" format={wholeMoney} />}
          below="at effective cost"
        />
        <FigureCard label="Service" value={service || 'None'} below={regionName(region)} />
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
          ['Provider', <Provider key="provider" slug={provider} />],
          ['Region', regionName(region)],
          ['Type', resourceTypeName(resourceType)],
          ['Gone since', goneAt && moment(goneAt)],
          ...readMetadata(metadata),
        ]}
      />
    </Card>
  );
}

/** Tags of a resource; the key links to its costs, the value to other resources with the same tag. */
function TagsCard({ tags }: { readonly tags: Readonly<Record<string, unknown>> }) {
  const entries = Object.entries(tags).map(([key, value]) => [key, String(value ?? '')] as const);
  return (
    <Card title="Tags">
      {entries.length === 0 ? (
        <Muted>No tags.</Muted>
      ) : (
        <Facts facts={entries.map(([key, value]) => [key, <TagValue key={key} tagKey={key} value={value} />])} />
      )}
    </Card>
  );
}

function TagValue({ tagKey, value }: { readonly tagKey: string; readonly value: string }) {
  return (
    <Group justify="space-between" gap="xs" wrap="nowrap">
      {value === '' ? (
        <Muted>Empty</Muted>
      ) : (
        <Link href={inventoryHref({ tagKey, tagValue: value })} aria-label={`Resources with ${tagKey} ${value}`}>
          {value}
        </Link>
      )}
      <Link href={tagKeyHref(tagKey)} aria-label={`Costs by ${tagKey}`}>
        Costs
      </Link>
    </Group>
  );
}

/** Formats the provider's metadata as facts; joins nested names. */
function readMetadata(metadata: Readonly<Record<string, unknown>>, above = ''): [name: string, value: string][] {
  return Object.entries(metadata).flatMap(([key, value]) => {
    const name = above ? `${above}: ${detailName(key).toLowerCase()}` : detailName(key);
    const none = key === 'retentionDays' ? 'Indefinitely' : 'None';
    return isRecord(value) ? readMetadata(value, name) : [[name, detailText(key, value) ?? none]];
  });
}

/** Recommendations for a resource, in any status. */
function ResourceRecommendations({ resourceId }: { readonly resourceId: string }) {
  const answer = useAnswer(RecommendationsQuery, {
    resourceId,
    includeSnoozed: true,
    sortBy: 'ESTIMATED_MONTHLY_SAVINGS_DESC',
    perPage: 100,
  });
  return (
    <Related
      title="Recommendations"
      label="Recommendations about this resource"
      path="/recommendations"
      of={answer}
      columns={recommendationColumnsOfResource}
      none="No recommendations for this resource."
    />
  );
}

/** Anomalies with the resource among their drivers. */
function ResourceAnomalies({ resourceId }: { readonly resourceId: string }) {
  return (
    <Related
      title="Anomalies"
      label="Anomalies related to this resource"
      path="/anomalies"
      of={useAnswer(AnomaliesQuery, { resourceId, perPage: 100 })}
      columns={anomalyColumnsOfResource}
      none="No anomalies are related to this resource."
    />
  );
}

interface RelatedProps<Row> {
  readonly title: string;
  /** Accessible name of the table. */
  readonly label: string;
  readonly path: string;
  readonly of: Answer<Readonly<Record<string, Found<Row> | null>>>;
  readonly columns: readonly Column<Row>[];
  /** Text if there are none. */
  readonly none: string;
}

function Related<Row extends { readonly id: string }>({ title, label, path, of, columns, none }: RelatedProps<Row>) {
  const rows = foundIn(of.data)?.data ?? [];
  return (
    <Shown of={of} height={120}>
      {() => (
        <Card title={title} flush={rows.length > 0}>
          {rows.length === 0 ? (
            <Muted>{none}</Muted>
          ) : (
            <DataTable label={label} rows={rows} columns={columns} hrefOf={({ id }) => `${path}/${id}`} />
          )}
        </Card>
      )}
    </Shown>
  );
}
