import { Button, Text } from '@mantine/core';
import { IconPlus, IconTargetArrow } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { useMay } from '../api/me.tsx';
import { sortValue } from '../api/sort.ts';
import { useAnswer } from '../api/use-answer.ts';
import { useAccountChoices, useCostChoices } from '../parts/choices.ts';
import { CsvButton, queryOf } from '../parts/csv-button.tsx';
import { Empty } from '../parts/empty.tsx';
import { ChoiceFilter, FilterBar } from '../parts/filters.tsx';
import { ListCard } from '../parts/list.tsx';
import { Page } from '../parts/page.tsx';
import { useScopeWords } from '../parts/scope.tsx';
import { knownOf, pageOf, someOf, useUrlState, type UrlState } from '../parts/url-state.ts';
import { words } from '../words/names.ts';
import { columnsOf } from './columns.tsx';
import { BudgetsQuery } from './queries.ts';

const statuses = ['EXCEEDED', 'WARNING', 'OK'] as const;
const filters = ['status', 'account', 'provider', 'service'];
/** What needs a look comes first. */
const usualSort = '-percent_used';

/** Every budget, the most used first. */
export function BudgetsPage() {
  const state = useUrlState();
  const scopeWords = useScopeWords();
  const status = knownOf(state, 'status', statuses);
  const sort = state.one('sort') ?? usualSort;
  const answer = useAnswer(BudgetsQuery, {
    status: status.length > 0 ? status : undefined,
    accountId: someOf(state, 'account'),
    provider: someOf(state, 'provider'),
    service: someOf(state, 'service'),
    sortBy: sortValue(sort),
    page: pageOf(state),
  });
  const columns = useMemo(() => columnsOf(scopeWords), [scopeWords]);
  return (
    <Page
      title="Budgets"
      lead="What may be spent in a calendar month (UTC), and what is."
      actions={<Actions state={state} sort={sort} status={status} />}
    >
      <Filters state={state} />
      <ListCard
        label="Budgets"
        of={answer}
        page={({ budgets }) => budgets}
        columns={columns}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/budgets/${id}`}
        state={state}
        sort={sort}
        noun={['budget']}
        filters={filters}
        empty={<NoBudgets />}
      />
      <Text size="xs" c="dimmed">
        Figures are of this month so far. The days after the last complete one still grow.
      </Text>
    </Page>
  );
}

function Filters({ state }: { readonly state: UrlState }) {
  const accounts = useAccountChoices();
  const { providers, services } = useCostChoices();
  return (
    <FilterBar state={state} keys={filters}>
      <ChoiceFilter
        state={state}
        name="status"
        label="Status"
        choices={statuses.map((value) => ({ value, label: words(value) }))}
        isClosed
      />
      <ChoiceFilter state={state} name="account" label="Account" choices={accounts} />
      <ChoiceFilter state={state} name="provider" label="Provider" choices={providers} />
      <ChoiceFilter state={state} name="service" label="Service" choices={services} />
    </FilterBar>
  );
}

interface ActionsProps {
  readonly state: UrlState;
  readonly sort: string;
  readonly status: readonly string[];
}

function Actions({ state, sort, status }: ActionsProps) {
  const mayWrite = useMay('budgets.write');
  const query = queryOf({
    status: status.map((value) => value.toLowerCase()),
    account_id: state.all('account'),
    provider: state.all('provider'),
    service: state.all('service'),
    sort_by: sort,
  });
  return (
    <>
      <CsvButton path={`/budgets${query}`} name="budgets" />
      {mayWrite && <NewButton />}
    </>
  );
}

function NewButton() {
  return (
    <Button component={Link} href="/budgets/new" leftSection={<IconPlus size={15} aria-hidden />}>
      New budget
    </Button>
  );
}

function NoBudgets() {
  const mayWrite = useMay('budgets.write');
  return (
    <Empty
      icon={IconTargetArrow}
      title="No budgets yet"
      text="A budget says how much may be spent in a month on everything, an account, a provider or a service, and tells people when it is nearly used up."
      action={mayWrite && <NewButton />}
    />
  );
}
