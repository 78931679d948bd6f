import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { progressOf, remedyOf } from '../accounts/detail/sync.tsx';
import type { AccountRow } from '../accounts/queries.ts';
import { Card } from '../parts/page/card.tsx';
import { StatusOf } from '../parts/page/status.tsx';
import { ago, counted, day } from '../words/format.ts';
import { ItemList } from './cards.tsx';
import classes from './overview.module.css';

/** Accounts that are told. */
const most = 6;

interface Props {
  readonly accounts: readonly AccountRow[];
  /** How many there are. */
  readonly total: number;
}

/** How far each account's bills reach, those first that want attention. */
export function FreshnessCard({ accounts, total }: Props) {
  const connected = accounts.filter(({ status }) => status === 'CONNECTED');
  const rows = connected.toSorted((one, other) => Number(isFailing(other)) - Number(isFailing(one))).slice(0, most);
  const failing = connected.filter(isFailing).length;
  return (
    <Card
      title="Data freshness"
      note={failing > 0 ? `${counted(failing, 'sync', 'syncs')} failing` : undefined}
      actions={
        <Anchor component={Link} href="/accounts" size="sm" aria-label="All accounts">
          {total > rows.length ? `All ${total}` : 'All'}
        </Anchor>
      }
    >
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          No account is connected any more: what is shown was loaded before.
        </Text>
      ) : (
        <ItemList
          items={rows.map((account) => ({
            key: account.id,
            name: account.name,
            href: `/accounts/${account.id}`,
            badge: account.syncStatus !== 'SUCCEEDED' && <StatusOf value={account.syncStatus} />,
            below: <SyncLine account={account} />,
            figure: <Complete account={account} />,
          }))}
        />
      )}
    </Card>
  );
}

function isFailing({ syncStatus }: AccountRow): boolean {
  return syncStatus === 'FAILED';
}

function Complete({ account: { completeThrough } }: { readonly account: AccountRow }): ReactNode {
  if (completeThrough === null) return <span className={classes.quiet}>nothing complete yet</span>;
  return (
    <>
      <span className={classes.quiet}>complete through</span> {day(completeThrough)}
    </>
  );
}

function SyncLine({ account }: { readonly account: AccountRow }): ReactNode {
  const progress = progressOf(account);
  if (progress !== null) return progress;
  const synced = account.lastSyncedAt === null ? 'never synced' : `synced ${ago(account.lastSyncedAt)}`;
  if (!isFailing(account)) return synced;
  return (
    <>
      <Text size="xs" c="var(--bad)" lineClamp={2}>
        {account.lastSyncError ?? 'The last sync failed.'}
      </Text>
      {remedyOf(account)} Last {synced}.
    </>
  );
}
