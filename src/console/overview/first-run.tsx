import { Stack, Text, Title } from '@mantine/core';
import { IconChartBar, IconCheck, IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Act, Muted } from '../parts/form/menu.tsx';
import { remedyOf, SyncProgress } from '../accounts/detail/sync.tsx';
import { isSyncing, type AccountRow } from '../accounts/queries.ts';
import { useMay } from '../api/me.tsx';
import { Card, StatusOf } from '../parts/page/card.tsx';
import { Empty } from '../parts/page/page.tsx';
import classes from './overview.module.css';

interface Props {
  /** Accounts, none of which has cost data yet. */
  readonly accounts: readonly AccountRow[];
}

/** Three-step onboarding to the first chart. Users without permission to connect see who has it. */
export function FirstRun({ accounts }: Props) {
  const mayConnect = useMay('accounts.write');
  if (!mayConnect && accounts.length === 0) {
    return (
      <Card>
        <Empty
          icon={IconChartBar}
          title="No costs to show yet"
          text="An Admin of your organization connects the accounts."
        />
      </Card>
    );
  }
  const isConnected = accounts.length > 0;
  return (
    <Card title="Three steps to your first chart">
      <ol className="plain ruled">
        <Step number={1} title="Connect an account" isDone={isConnected} isNow={!isConnected}>
          {isConnected ? <Muted>{accounts.map(({ name }) => name).join(', ')}</Muted> : <Connect />}
        </Step>
        <Step number={2} title="The first sync reads its bills" isNow={isConnected}>
          {isConnected ? (
            <Syncs accounts={accounts} />
          ) : (
            <Muted>
              It starts automatically and takes a few minutes. It reads all months that the provider has kept.
            </Muted>
          )}
        </Step>
        <Step number={3} title="Your costs are here">
          <Muted>
            This page then shows spend by day, service and account, a forecast, anomalies and possible savings.
          </Muted>
        </Step>
      </ol>
    </Card>
  );
}

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly isDone?: boolean;
  readonly isNow?: boolean;
  readonly children: ReactNode;
}

function Step({ number, title, isDone = false, isNow = false, children }: StepProps) {
  return (
    <li className={`${classes.step} ${isNow ? classes.now : ''}`} aria-current={isNow ? 'step' : undefined}>
      <span className={classes.number} aria-hidden>
        {isDone ? <IconCheck size={16} /> : number}
      </span>
      <Stack gap={6}>
        <Title order={3} size="h5">
          {title}
          {isDone && <span className="visually-hidden"> (done)</span>}
        </Title>
        {children}
      </Stack>
    </li>
  );
}

function Connect() {
  return (
    <>
      <Muted maw={620}>
        AWS, Azure, Google Cloud, or a FOCUS export of any provider. Costkeep has read-only access and changes nothing
        in your clouds.
      </Muted>
      <div>
        <Act label="Connect an account" Icon={IconPlus} primary href="/accounts/connect" />
      </div>
    </>
  );
}

function Syncs({ accounts }: Props) {
  return (
    <Stack gap="sm" maw={520}>
      {accounts.map((account) => (
        <Stack key={account.id} gap={4}>
          <Text size="sm">
            <Link href={`/accounts/${account.id}`}>{account.name}</Link> <StatusOf value={account.syncStatus} />
          </Text>
          {isSyncing(account) ? <SyncProgress account={account} /> : <Ended account={account} />}
        </Stack>
      ))}
    </Stack>
  );
}

/** First sync that loaded no data. */
function Ended({ account }: { readonly account: AccountRow }) {
  const { syncStatus, lastSyncError } = account;
  if (syncStatus !== 'FAILED') {
    return (
      <Muted>
        {syncStatus === 'SUCCEEDED' ? 'No bills found yet. The next sync checks again.' : 'No sync is running.'}
      </Muted>
    );
  }
  return (
    <>
      <Text size="sm" c="var(--bad)" style={{ overflowWrap: 'anywhere' }}>
        {lastSyncError}
      </Text>
      <Muted>{remedyOf(account)}</Muted>
    </>
  );
}
