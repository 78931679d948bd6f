import { Checkbox } from '@mantine/core';
import { useMemo } from 'react';
import { sortValue } from '../api/sort.ts';
import { useAnswer } from '../api/use-answer.ts';
import { useAccountChoices, useCostChoices } from '../parts/choices.ts';
import { CsvButton } from '../parts/csv-button.tsx';
import { Empty } from '../parts/empty.tsx';
import { ChoiceFilter, FilterBar, SearchFilter } from '../parts/filters.tsx';
import { ListCard } from '../parts/list.tsx';
import { Page } from '../parts/page.tsx';
import { useAccountNames } from '../parts/scope.tsx';
import { Status } from '../parts/status.tsx';
import { TwoLines, type Column } from '../parts/table.tsx';
import { pageOf, useUrlState, type UrlState } from '../parts/url-state.ts';
import { day, money } from '../words/format.ts';
import { providerName, regionName } from '../words/names.ts';
import { typeLabel, useInventoryChoices } from './choices.ts';
import { InventoryQuery, type ResourceRow } from './queries.ts';
import { csvQuery, filterKeys, questionOf } from './question.ts';
import { Summary } from './summary.tsx';
import { TagFilter } from './tag-filter.tsx';

/** Everything that the accounts hold, the dearest first. */
export function InventoryPage() {
  const state = useUrlState();
  const question = questionOf(state);
  const sort = state.one('sort') ?? '-cost_last_30_days';
  const answer = useAnswer(InventoryQuery, { ...question, sortBy: sortValue(sort), page: pageOf(state), perPage: 25 });
  const accountName = useAccountNames();
  const columns = useMemo(() => columnsOf(accountName), [accountName]);
  return (
    <Page
      title="Inventory"
      lead="Resources by the bills and by what the providers list."
      actions={<CsvButton path={`/inventory${csvQuery(question, sort)}`} name="inventory" />}
    >
      <Filters state={state} />
      <Summary question={question} state={state} />
      <ListCard
        label="Resources"
        of={answer}
        page={(data) => data.inventory}
        columns={columns}
        keyOf={(row) => row.id}
        hrefOf={(row) => `/inventory/${row.id}`}
        state={state}
        sort={sort}
        noun={['resource']}
        filters={filterKeys}
        empty={<Empty title="No resources yet" text="They come with the first sync of an account." />}
      />
    </Page>
  );
}

function Filters({ state }: { readonly state: UrlState }) {
  const accounts = useAccountChoices();
  const { services, providers } = useCostChoices();
  const { types, regions } = useInventoryChoices();
  return (
    <FilterBar state={state} keys={filterKeys}>
      <SearchFilter state={state} name="search" label="Name or id" />
      <ChoiceFilter state={state} name="account" label="Account" choices={accounts} />
      <ChoiceFilter state={state} name="provider" label="Provider" choices={providers} />
      <ChoiceFilter state={state} name="region" label="Region" choices={regions} />
      <ChoiceFilter state={state} name="type" label="Type" choices={types} />
      <ChoiceFilter state={state} name="service" label="Service" choices={services} />
      <TagFilter state={state} />
      <Checkbox
        label="Gone too"
        style={{ alignSelf: 'center' }}
        checked={state.one('gone') === 'true'}
        onChange={(event) => state.set({ gone: event.currentTarget.checked ? 'true' : null })}
      />
    </FilterBar>
  );
}

function columnsOf(accountName: (id: string) => string): Column<ResourceRow>[] {
  return [
    { key: 'name', title: 'Name', grow: true, sortBy: 'name', cell: ({ name }) => name },
    {
      key: 'cost',
      title: 'Last 30 days',
      align: 'right',
      sortBy: 'cost_last_30_days',
      cell: ({ costLast30Days, currency }) => money(costLast30Days, currency),
    },
    {
      key: 'type',
      title: 'Type',
      hideOn: 'phone',
      cell: ({ resourceType, service }) => <TwoLines top={typeLabel(resourceType)} below={service} />,
    },
    {
      key: 'account',
      title: 'Account',
      hideOn: 'tablet',
      cell: ({ accountId, provider, region }) => (
        <TwoLines top={accountName(accountId)} below={`${providerName(provider)} · ${regionName(region)}`} />
      ),
    },
    {
      key: 'seen',
      title: 'Last seen',
      hideOn: 'tablet',
      sortBy: 'last_seen_at',
      cell: ({ lastSeenAt, goneAt }) =>
        goneAt ? <Status value="GONE" tone="quiet" label={`Gone since ${day(goneAt)}`} /> : day(lastSeenAt),
    },
  ];
}
