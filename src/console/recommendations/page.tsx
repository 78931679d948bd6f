import { Checkbox, Group } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useMemo } from 'react';
import { sortValue } from '../api/sort.ts';
import { useAnswer } from '../api/use-answer.ts';
import { useAccountChoices, useCostChoices } from '../parts/choices.ts';
import { CsvButton } from '../parts/csv-button.tsx';
import { Empty } from '../parts/empty.tsx';
import { ChoiceFilter, FilterBar } from '../parts/filters.tsx';
import { ListCard } from '../parts/list.tsx';
import { OneOf } from '../parts/one-of.tsx';
import { Page } from '../parts/page.tsx';
import { useAccountNames } from '../parts/scope.tsx';
import { pageOf, useUrlState, type UrlState } from '../parts/url-state.ts';
import { recommendationColumns } from './columns.tsx';
import { MinSavings } from './min-savings.tsx';
import { RecommendationsQuery, TypeChoices } from './queries.ts';
import { csvQuery, filterKeys, questionOf, views } from './question.ts';
import { Savings } from './savings.tsx';
import { typeName, typeParameter, typeProvider } from './types.ts';

/** What could be saved, the most first. */
export function RecommendationsPage() {
  const state = useUrlState();
  const question = questionOf(state);
  const sort = state.one('sort') ?? '-estimated_monthly_savings';
  const answer = useAnswer(RecommendationsQuery, {
    ...question,
    sortBy: sortValue(sort),
    page: pageOf(state),
    perPage: 25,
  });
  const accountName = useAccountNames();
  const hasApplied = question.status?.includes('APPLIED') !== false;
  const columns = useMemo(() => recommendationColumns({ accountName, hasApplied }), [accountName, hasApplied]);
  return (
    <Page
      title="Recommendations"
      lead="What could be saved, by the bills and the inventory. No two of them count the same money."
      actions={<CsvButton path={`/recommendations${csvQuery(question, sort)}`} name="recommendations" />}
    >
      <Filters state={state} />
      <Savings question={question} state={state} />
      <ListCard
        label="Recommendations"
        of={answer}
        page={(data) => data.recommendations}
        columns={columns}
        keyOf={(row) => row.id}
        hrefOf={(row) => `/recommendations/${row.id}`}
        state={state}
        sort={sort}
        noun={['recommendation']}
        filters={filterKeys}
        empty={<NoRecommendations view={views.find(({ value }) => value === state.one('status'))?.value ?? 'todo'} />}
      />
    </Page>
  );
}

function Filters({ state }: { readonly state: UrlState }) {
  const accounts = useAccountChoices();
  const { providers } = useCostChoices();
  const { data } = useAnswer(TypeChoices, {});
  const types = (data?.recommendationsSummary?.byType ?? []).map(({ type }) => ({
    value: typeParameter(type),
    label: [typeName(type), typeProvider(type)].filter(Boolean).join(' · '),
  }));
  return (
    <Group gap="xs">
      <OneOf state={state} name="status" label="Status" choices={views} />
      <FilterBar state={state} keys={filterKeys}>
        <ChoiceFilter state={state} name="type" label="Type" choices={types} />
        <ChoiceFilter state={state} name="account" label="Account" choices={accounts} />
        <ChoiceFilter state={state} name="provider" label="Provider" choices={providers} />
        <MinSavings state={state} />
        <Checkbox
          label="Snoozed too"
          style={{ alignSelf: 'center' }}
          checked={state.one('snoozed') === 'true'}
          onChange={(event) => state.set({ snoozed: event.currentTarget.checked ? 'true' : null })}
        />
      </FilterBar>
    </Group>
  );
}

function NoRecommendations({ view }: { readonly view: string }) {
  switch (view) {
    case 'in_progress':
      return <Empty title="Nobody is at a recommendation" />;
    case 'applied':
      return <Empty title="None applied yet" text="Once one is applied, the bill shows what it saved." />;
    case 'archived':
      return <Empty title="None archived" />;
    default:
      return (
        <Empty icon={IconCircleCheck} title="Nothing to save was found" text="It is looked for after each sync." />
      );
  }
}
