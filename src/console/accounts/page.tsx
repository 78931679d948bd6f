import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useMay } from '../api/me.tsx';
import { sortValue } from '../api/sort.ts';
import { useAnswer } from '../api/use-answer.ts';
import { CsvButton, queryOf } from '../parts/csv-button.tsx';
import { Empty } from '../parts/empty.tsx';
import { ChoiceFilter, FilterBar } from '../parts/filters.tsx';
import { ListCard } from '../parts/list.tsx';
import { Page } from '../parts/page.tsx';
import { usePolling } from '../parts/polling.ts';
import { knownOf, pageOf, useUrlState, type UrlState } from '../parts/url-state.ts';
import { providerName, words } from '../words/names.ts';
import { columns } from './columns.tsx';
import { AccountList, isSyncing } from './queries.ts';

const providers = ['AWS', 'AZURE', 'GCP', 'FOCUS'] as const;
const statuses = ['CONNECTED', 'DISCONNECTED'] as const;
const syncStatuses = ['NEVER', 'QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const;
const filters = ['provider', 'status', 'syncStatus'];

/** Where the bills come from, and how their syncs stand. */
export function AccountsPage() {
  const state = useUrlState();
  const mayWrite = useMay('accounts.write');
  const chosen = chosenOf(state);
  const answer = useAnswer(AccountList, { ...chosen, sortBy: sortValue(state.one('sort')), page: pageOf(state) });
  usePolling(answer, ({ accounts }) => (accounts?.data ?? []).some(isSyncing), 2000);
  return (
    <Page
      title="Accounts"
      lead="Cloud accounts and FOCUS exports that bills are read from."
      actions={
        <>
          <CsvButton path={`/accounts${csvQuery(state)}`} name="accounts" />
          {mayWrite && <ConnectButton />}
        </>
      }
    >
      <Filters state={state} />
      <ListCard
        label="Accounts"
        of={answer}
        page={({ accounts }) => accounts}
        columns={columns}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/accounts/${id}`}
        state={state}
        sort={state.one('sort')}
        noun={['account']}
        filters={filters}
        empty={<NoAccounts mayWrite={mayWrite} />}
      />
    </Page>
  );
}

/** Undefined where nothing is chosen: then the API shows the connected ones. */
function chosenOf(state: UrlState) {
  const some = <Value,>(values: Value[]) => (values.length > 0 ? values : undefined);
  return {
    provider: some(knownOf(state, 'provider', providers)),
    status: some(knownOf(state, 'status', statuses)),
    syncStatus: some(knownOf(state, 'syncStatus', syncStatuses)),
  };
}

function csvQuery(state: UrlState): string {
  const lower = (values: readonly string[]) => values.map((value) => value.toLowerCase());
  return queryOf({
    provider: lower(knownOf(state, 'provider', providers)),
    status: lower(knownOf(state, 'status', statuses)),
    sync_status: lower(knownOf(state, 'syncStatus', syncStatuses)),
    sort_by: state.one('sort'),
  });
}

function Filters({ state }: { readonly state: UrlState }) {
  const named = (values: readonly string[], labelOf: (value: string) => string) =>
    values.map((value) => ({ value, label: labelOf(value) }));
  return (
    <FilterBar state={state} keys={filters}>
      <ChoiceFilter state={state} name="provider" label="Provider" choices={named(providers, providerName)} isClosed />
      <ChoiceFilter state={state} name="status" label="Status" choices={named(statuses, words)} isClosed />
      <ChoiceFilter state={state} name="syncStatus" label="Sync" choices={named(syncStatuses, words)} isClosed />
    </FilterBar>
  );
}

function ConnectButton() {
  return (
    <Button component={Link} href="/accounts/connect" leftSection={<IconPlus size={16} aria-hidden />}>
      Connect an account
    </Button>
  );
}

function NoAccounts({ mayWrite }: { readonly mayWrite: boolean }) {
  return (
    <Empty
      title="No accounts yet"
      text={
        mayWrite
          ? 'Connect AWS, Azure, Google Cloud or a FOCUS export, and its costs are here in minutes.'
          : 'An Admin of your organization connects them.'
      }
      action={mayWrite && <ConnectButton />}
    />
  );
}
