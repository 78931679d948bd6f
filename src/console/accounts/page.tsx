import { Text, Tooltip } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Act } from '../parts/form/menu.tsx';
import { useMay } from '../api/me.tsx';
import { anyOf, useList } from '../parts/list/definition.tsx';
import { ListPage } from '../parts/list/list.tsx';
import { TwoLines, type Column } from '../parts/list/table.tsx';
import { NotConnected } from '../parts/page/no-data.tsx';
import { usePolling } from '../parts/page/page.tsx';
import { Status } from '../parts/page/card.tsx';
import { Provider } from '../parts/page/provider.tsx';
import { providerName } from '../../kit/text/provider-name.ts';
import { ago, day, days, moment } from '../words/format.ts';
import { SyncState } from './detail/sync.tsx';
import { SampleBadge } from './sample/sample.tsx';
import { providers } from './source/ways.ts';
import { AccountList, isSyncing, placeOf, syncedAt, unsyncedText, type AccountRow } from './queries.ts';

const list = {
  csv: ['/accounts', 'accounts'],
  filters: {
    provider: anyOf('provider', 'Provider', providers, { labelOf: providerName }),
    status: anyOf('status', 'Status', ['CONNECTED', 'DISCONNECTED']),
    syncStatus: anyOf('syncStatus', 'Sync', ['NEVER', 'QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED']),
  },
} as const;

/** Account list with sync status. */
export function AccountsPage() {
  const mayWrite = useMay('accounts.write');
  const accounts = useList(list, AccountList);
  usePolling(accounts.answer, () => accounts.rows.some(isSyncing), 2000);
  return (
    <ListPage
      views="ACCOUNTS"
      title="Accounts"
      lead="Cloud accounts and FOCUS exports that bills are read from."
      actions={mayWrite && <ConnectButton />}
      list={accounts}
      columns={columns}
      hrefOf={({ id }) => `/accounts/${id}`}
      noun={['account']}
      empty={<NotConnected />}
    />
  );
}

function ConnectButton() {
  return <Act label="Connect an account" Icon={IconPlus} primary href="/accounts/connect" />;
}

const columns: readonly Column<AccountRow>[] = [
  { title: 'Account', sortBy: 'name', grow: true, cell: (account) => <Name account={account} /> },
  { title: 'Provider', hideOn: 'phone', cell: ({ provider }) => <Provider slug={provider} /> },
  { title: 'Sync', cell: (account) => <SyncState account={account} /> },
  {
    title: 'Complete through',
    sortBy: 'complete_through',
    hideOn: 'phone',
    cell: ({ completeThrough }) => (completeThrough ? day(completeThrough) : '–'),
  },
  {
    title: 'Data',
    sortBy: 'data_from',
    hideOn: 'laptop',
    cell: ({ dataFrom, dataTo }) => (dataFrom && dataTo ? days(dataFrom, dataTo) : 'None yet'),
  },
  {
    title: 'Last sync',
    sortBy: 'last_synced_at',
    hideOn: 'tablet',
    cell: (account) => <When at={syncedAt(account)} none={unsyncedText(account)} />,
  },
  { title: 'Currency', hideOn: 'laptop', cell: ({ currency }) => currency ?? '–' },
];

function Name({ account }: { readonly account: AccountRow }) {
  const { name, provider, sample, status } = account;
  return (
    <TwoLines
      top={
        <>
          {name} {sample && <SampleBadge />}
          {status === 'DISCONNECTED' && <Status value={status} tone="quiet" />}
        </>
      }
      below={
        <Text component="span" size="xs" lineClamp={1} style={{ overflowWrap: 'anywhere' }}>
          <Text span inherit hiddenFrom="sm">
            {providerName(provider)} ·{' '}
          </Text>
          {placeOf(account)}
        </Text>
      }
    />
  );
}

/** Relative time, with the exact time on hover. */
function When({ at, none }: { readonly at: string | null; readonly none: string }) {
  if (at === null) return <>{none}</>;
  return (
    <Tooltip label={moment(at)}>
      <span>{ago(at)}</span>
    </Tooltip>
  );
}
