import { Box, Group } from '@mantine/core';
import { sortValue } from '../api/sort.ts';
import { useAnswer } from '../api/use-answer.ts';
import { useAccountChoices, useCostChoices } from '../parts/choices.ts';
import { CsvButton, queryOf } from '../parts/csv-button.tsx';
import { Empty } from '../parts/empty.tsx';
import { ChoiceFilter, FilterBar, SearchFilter } from '../parts/filters.tsx';
import { ListCard } from '../parts/list.tsx';
import { Meter } from '../parts/meter.tsx';
import { Page } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';
import { pageOf, someOf, useUrlState, type UrlState } from '../parts/url-state.ts';
import { count, money, percent } from '../words/format.ts';
import { tagKeyHref } from './address.ts';
import { TagKeysQuery, type TagKeyRow } from './queries.ts';
import { TagsTabs } from './tags-tabs.tsx';

const filters = ['search', 'account', 'provider'];

/** Tag keys and how far they are used, those that carry most cost first. */
export function TagsPage() {
  const state = useUrlState();
  const question = {
    search: state.one('search') ?? undefined,
    accountId: someOf(state, 'account'),
    provider: someOf(state, 'provider'),
  };
  const sort = state.one('sort') ?? '-cost_last_30_days';
  const answer = useAnswer(TagKeysQuery, { ...question, sortBy: sortValue(sort), page: pageOf(state), perPage: 25 });
  const { search, accountId, provider } = question;
  const csv = queryOf({ search, account_id: accountId, provider, sort_by: sort });
  return (
    <Page
      title="Tags"
      lead="Keys that resources and charges of the last 30 days carry."
      actions={<CsvButton path={`/tags${csv}`} name="tag-keys" />}
    >
      <TagsTabs />
      <Filters state={state} />
      <ListCard
        label="Tag keys"
        of={answer}
        page={(data) => data.tags}
        columns={columns}
        keyOf={({ key }) => key}
        hrefOf={({ key }) => tagKeyHref(key)}
        state={state}
        sort={sort}
        noun={['key']}
        filters={filters}
        empty={
          <Empty title="No tags yet" text="They come with the first sync of an account whose bill carries tags." />
        }
      />
    </Page>
  );
}

function Filters({ state }: { readonly state: UrlState }) {
  const accounts = useAccountChoices();
  const { providers } = useCostChoices();
  return (
    <FilterBar state={state} keys={filters}>
      <SearchFilter state={state} name="search" label="Key" />
      <ChoiceFilter state={state} name="account" label="Account" choices={accounts} />
      <ChoiceFilter state={state} name="provider" label="Provider" choices={providers} />
    </FilterBar>
  );
}

const columns: readonly Column<TagKeyRow>[] = [
  { key: 'key', title: 'Key', grow: true, sortBy: 'key', cell: ({ key }) => key },
  { key: 'coverage', title: 'Coverage', cell: (row) => <Coverage row={row} /> },
  {
    key: 'cost',
    title: 'Last 30 days',
    align: 'right',
    sortBy: 'cost_last_30_days',
    cell: ({ costLast30Days, currency }) => money(costLast30Days, currency),
  },
  { key: 'values', title: 'Values', align: 'right', hideOn: 'phone', cell: ({ valueCount }) => count(valueCount) },
  {
    key: 'resources',
    title: 'Resources',
    align: 'right',
    hideOn: 'phone',
    cell: ({ resourceCount }) => count(resourceCount),
  },
];

/** Share of the cost of what can be tagged. */
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

/** From 90 % on, showback by a key tells nearly everything; below half it tells little. */
function coverageTone(coverage: number): 'good' | 'warn' | 'bad' {
  if (coverage >= 90) return 'good';
  return coverage >= 50 ? 'warn' : 'bad';
}
