import { Box, Group } from '@mantine/core';
import { byAccount, byProvider, search, useList } from '../parts/list/definition.tsx';
import { ListPage } from '../parts/list/list.tsx';
import { type Column, moneyColumn } from '../parts/list/table.tsx';
import { NoData } from '../parts/page/no-data.tsx';

import { Meter } from '../parts/page/card.tsx';
import { count, percent } from '../words/format.ts';
import { TagKeysQuery, type TagKeyRow } from './queries.ts';
import { tagKeyHref, TagsTabs } from './tabs.tsx';

const list = {
  csv: ['/tags', 'tag-keys'],
  sort: '-cost_last_30_days',
  filters: { search: search('Key'), accountId: byAccount, provider: byProvider },
} as const;

/** Tag keys with their coverage, highest tagged cost first. */
export function TagsPage() {
  return (
    <ListPage
      views="TAGS"
      title="Tags"
      lead="Tag keys in use in the last 30 days."
      tabs={<TagsTabs />}
      list={useList(list, TagKeysQuery)}
      label="Tag keys"
      columns={columns}
      keyOf={({ key }) => key}
      hrefOf={({ key }) => tagKeyHref(key)}
      noun={['key']}
      empty={
        <NoData title="No tags yet" text="They appear after the first sync of an account whose bills contain tags." />
      }
    />
  );
}

const columns: readonly Column<TagKeyRow>[] = [
  { title: 'Key', grow: true, sortBy: 'key', cell: ({ key }) => key },
  { title: 'Coverage', cell: (row) => <Coverage row={row} /> },
  moneyColumn('Last 30 days', 'costLast30Days', { sortBy: 'cost_last_30_days' }),
  { title: 'Values', align: 'right', hideOn: 'phone', cell: ({ valueCount }) => count(valueCount) },
  { title: 'Resources', align: 'right', hideOn: 'phone', cell: ({ resourceCount }) => count(resourceCount) },
];

/** Tagged share of the taggable cost. */
function Coverage({ row: { key, coveragePercent } }: { readonly row: TagKeyRow }) {
  if (coveragePercent === null) return '–';
  return (
    <Group gap="xs" wrap="nowrap">
      <Box w={90} flex="none" visibleFrom="xs">
        <Meter percent={coveragePercent} tone={coverageTone(coveragePercent)} label={`Coverage of ${key}`} />
      </Box>
      <span className="figures">{percent(coveragePercent)}</span>
    </Group>
  );
}

/** From 90% coverage, showback by a key is nearly complete; below 50% it is hardly meaningful. */
function coverageTone(coverage: number): 'good' | 'warn' | 'bad' {
  if (coverage >= 90) return 'good';
  return coverage >= 50 ? 'warn' : 'bad';
}
