import { Checkbox, Select, SimpleGrid, TagsInput, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useMay, useMe } from '../api/me.tsx';
import { useAnswer } from '../api/use-api.ts';
import { BarList, type Bar } from '../charts/bar-list.tsx';
import { useAccountNames, useTagKeyChoices } from '../parts/choices/choices.tsx';
import { useOnceFocused } from '../parts/choices/once-focused.ts';
import {
  anyText,
  byAccount,
  byProvider,
  byService,
  including,
  search,
  useList,
  type QuestionOf,
} from '../parts/list/definition.tsx';
import { withStrangers } from '../parts/list/filters.tsx';
import { ListPage } from '../parts/list/list.tsx';
import { TwoLines, type Column, moneyColumn } from '../parts/list/table.tsx';
import { someOf, type UrlState } from '../parts/list/url-state.ts';
import { Card, Status } from '../parts/page/card.tsx';
import { NoData } from '../parts/page/no-data.tsx';
import { Shown, TextLink } from '../parts/page/page.tsx';
import { Provider } from '../parts/page/provider.tsx';
import { count, counted, day, regionName } from '../words/format.ts';
import { resourceTypeName } from '../words/resource-types.ts';
import { InventoryQuery, InventorySummaryQuery, ownerOf, useInventoryChoices, type ResourceRow } from './queries.ts';
import { CostsByTag } from '../costs/totals.ts';

const list = {
  csv: ['/inventory', 'inventory'],
  sort: '-cost_last_30_days',
  filters: {
    search: search('Name or ID'),
    accountId: byAccount,
    provider: byProvider,
    region: anyText('region', 'Region', (options) => useInventoryChoices(options).regions),
    resourceType: anyText('type', 'Type', (options) => useInventoryChoices(options).types),
    service: byService,
    tagKey: {
      keys: ['tagKey', 'tagValue', 'untagged'],
      read: (state: UrlState) => state.one('tagKey') ?? undefined,
      Control: TagFilter,
    },
    tagValue: { keys: [], read: (state: UrlState) => (isUntagged(state) ? undefined : someOf(state, 'tagValue')) },
    untagged: { keys: [], read: (state: UrlState) => (isUntagged(state) ? true : undefined) },
    includeGone: including('gone', 'Include deleted'),
  },
} as const;

/** Inventory of all accounts, most expensive first. */
export function InventoryPage() {
  const resources = useList(list, InventoryQuery);
  const accountName = useAccountNames();
  return (
    <ListPage
      views="INVENTORY"
      title="Inventory"
      lead="All resources from billing data and cloud APIs."
      list={resources}
      label="Resources"
      columns={columnsOf(accountName, useMe().organization.ownerTagKey)}
      hrefOf={({ id }) => `/inventory/${id}`}
      noun={['resource']}
      empty={<NoData title="No resources yet" text="They appear after the first sync of an account." />}
    >
      <Summary question={resources.question} state={resources.state} />
      {isUntagged(resources.state) && <OwnerHint />}
    </ListPage>
  );
}

/** Points Admins to the owner tag, which adds the owners of resources without another tag. */
function OwnerHint() {
  const mayChange = useMay('organization.write');
  const { ownerTagKey } = useMe().organization;
  if (ownerTagKey !== null || !mayChange) return null;
  return (
    <Text size="sm" c="dimmed">
      To see the owner of each resource, choose an <TextLink href="/settings/organization">owner tag</TextLink> in the
      settings.
    </Text>
  );
}

function columnsOf(accountName: (id: string) => string, ownerKey: string | null): Column<ResourceRow>[] {
  const owner: Column<ResourceRow> = {
    title: 'Owner',
    hideOn: 'phone',
    cell: ({ tags }) => ownerOf(tags, ownerKey) ?? '–',
  };
  return [
    { title: 'Name', grow: true, sortBy: 'name', cell: ({ name }) => name },
    moneyColumn('Last 30 days', 'costLast30Days', { sortBy: 'cost_last_30_days' }),
    ...(ownerKey === null ? [] : [owner]),
    {
      title: 'Type',
      hideOn: 'phone',
      cell: ({ resourceType, service }) => <TwoLines top={resourceTypeName(resourceType)} below={service} />,
    },
    {
      title: 'Account',
      hideOn: 'tablet',
      cell: ({ accountId, provider, region }) => (
        <TwoLines
          top={accountName(accountId)}
          below={<Provider slug={provider} below={accountName(accountId)} more={regionName(region)} />}
        />
      ),
    },
    {
      title: 'Last seen',
      hideOn: 'tablet',
      sortBy: 'last_seen_at',
      cell: ({ lastSeenAt, goneAt }) =>
        goneAt ? <Status value="GONE" tone="quiet" label={`Gone since ${day(goneAt)}`} /> : day(lastSeenAt),
    },
  ];
}

/** Resource counts by type, region and account for the current filters; each links to the filtered list. */
function Summary({
  question,
  state,
}: {
  readonly question: QuestionOf<typeof list.filters>;
  readonly state: UrlState;
}) {
  const answer = useAnswer(InventorySummaryQuery, question);
  const href = (key: string, value: string) => (value === '' ? undefined : `/inventory${state.with({ [key]: value })}`);
  return (
    <Shown of={answer} height={250}>
      {({ inventorySummary }) => {
        if (!inventorySummary || inventorySummary.total === 0) return null;
        const { byType, byRegion } = inventorySummary;
        const total = counted(inventorySummary.total, 'resource');
        return (
          <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
            <Split
              title="By type"
              total={total}
              noun="types"
              bars={byType.map((one) =>
                barOf(one.resourceType, resourceTypeName(one.resourceType), one.count, href('type', one.resourceType)),
              )}
            />
            <Split
              title="By region"
              total={total}
              noun="regions"
              bars={byRegion.map((one) =>
                barOf(one.region, regionName(one.region), one.count, href('region', one.region)),
              )}
            />
            <Split
              title="By account"
              total={total}
              noun="accounts"
              bars={inventorySummary.byAccount.map((one) =>
                barOf(one.accountId, one.accountName, one.count, href('account', one.accountId)),
              )}
            />
          </SimpleGrid>
        );
      }}
    </Shown>
  );
}

function barOf(key: string, label: string, value: number, href: string | undefined): Bar {
  return { key, label, value, shown: count(value), ...(href && { href }) };
}

interface SplitProps {
  readonly title: string;
  readonly total: string;
  readonly noun: string;
  readonly bars: readonly Bar[];
}

function Split({ title, total, noun, bars }: SplitProps) {
  return (
    <Card title={title} note={total}>
      <BarList label={`Resources ${title.toLowerCase()}`} bars={bars} most={5} noun={noun} />
    </Card>
  );
}

/** Whether the list shows the resources without the tag key. */
function isUntagged(state: UrlState): boolean {
  return state.one('tagKey') !== null && state.one('untagged') === 'true';
}

/** Filter by tag key and, once a key is chosen, by its values or for resources without it. */
function TagFilter({ state }: { readonly state: UrlState }) {
  const { options, onFocus } = useOnceFocused(false);
  const keys = useTagKeyChoices(options);
  const key = state.one('tagKey');
  return (
    <>
      <Select
        aria-label="Tag key"
        onFocus={onFocus}
        placeholder="Tag key"
        data={withStrangers(keys, key === null ? [] : [key])}
        value={key}
        onChange={(next) => state.set({ tagKey: next, tagValue: null, untagged: null })}
        searchable
        clearable
        limit={200}
        nothingFoundMessage="Nothing found"
        w={150}
        clearButtonProps={{ 'aria-label': 'Clear tag key' }}
      />
      {key !== null && !isUntagged(state) && <TagValues state={state} tagKey={key} />}
      {key !== null && (
        <Checkbox
          label={`Without ${key}`}
          style={{ alignSelf: 'center' }}
          checked={isUntagged(state)}
          onChange={(event) => state.set({ untagged: event.currentTarget.checked ? 'true' : null, tagValue: null })}
        />
      )}
    </>
  );
}

/** Allows free text: values of resources without cost are not among the suggestions. */
function TagValues({ state, tagKey }: { readonly state: UrlState; readonly tagKey: string }) {
  const { data } = useAnswer(CostsByTag, { tagKey });
  const values = state.all('tagValue');
  const proposed = useMemo(() => {
    const groups = data?.costsByTag?.groups ?? [];
    return groups.flatMap(({ tagValue }) => (tagValue ? [tagValue] : []));
  }, [data]);
  return (
    <TagsInput
      aria-label={`Values of ${tagKey}`}
      placeholder={values.length === 0 ? 'Any value' : ''}
      data={proposed}
      limit={200}
      value={values}
      splitChars={[]}
      onChange={(next) => state.set({ tagValue: next })}
      clearable
      miw={150}
      maw={340}
      clearButtonProps={{ 'aria-label': `Clear values of ${tagKey}` }}
    />
  );
}
