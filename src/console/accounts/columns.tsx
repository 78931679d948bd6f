import { Text, Tooltip } from '@mantine/core';
import { Status } from '../parts/status.tsx';
import { TwoLines, type Column } from '../parts/table.tsx';
import { ago, day, days, moment } from '../words/format.ts';
import { providerName } from '../words/names.ts';
import type { AccountRow } from './queries.ts';
import { SyncState } from './sync-state.tsx';

/** The columns of the list of accounts. */
export const columns: readonly Column<AccountRow>[] = [
  { key: 'name', title: 'Account', sortBy: 'name', grow: true, cell: (account) => <Name account={account} /> },
  { key: 'provider', title: 'Provider', hideOn: 'phone', cell: ({ provider }) => providerName(provider) },
  { key: 'sync', title: 'Sync', cell: (account) => <SyncState account={account} /> },
  {
    key: 'complete',
    title: 'Complete through',
    sortBy: 'complete_through',
    hideOn: 'phone',
    cell: ({ completeThrough }) => (completeThrough ? day(completeThrough) : '–'),
  },
  {
    key: 'data',
    title: 'Data',
    sortBy: 'data_from',
    hideOn: 'tablet',
    cell: ({ dataFrom, dataTo }) => (dataFrom && dataTo ? days(dataFrom, dataTo) : 'None yet'),
  },
  {
    key: 'synced',
    title: 'Last sync',
    sortBy: 'last_synced_at',
    hideOn: 'tablet',
    cell: ({ lastSyncedAt }) => <When at={lastSyncedAt} none="Never" />,
  },
  { key: 'currency', title: 'Currency', hideOn: 'tablet', cell: ({ currency }) => currency ?? '–' },
];

function Name({ account: { name, externalId, status } }: { readonly account: AccountRow }) {
  return (
    <TwoLines
      top={
        <>
          {name} {status === 'DISCONNECTED' && <Status value={status} tone="quiet" />}
        </>
      }
      below={
        <Text component="span" size="xs" lineClamp={1} style={{ overflowWrap: 'anywhere' }}>
          {externalId}
        </Text>
      }
    />
  );
}

/** How long ago, with the instant itself on hover. */
function When({ at, none }: { readonly at: string | null; readonly none: string }) {
  if (at === null) return <>{none}</>;
  return (
    <Tooltip label={moment(at)}>
      <span>{ago(at)}</span>
    </Tooltip>
  );
}
