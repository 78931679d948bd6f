import { Button, Group, Stack, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useAct } from '../../api/use-act.ts';
import { Card } from '../../parts/card.tsx';
import { done } from '../../parts/done.ts';
import { RefusalAlert } from '../../parts/refusal.tsx';
import { StatusOf } from '../../parts/status.tsx';
import { CancelSync, isSyncing, SyncAccount, type Account } from '../queries.ts';
import { SyncProgress } from '../sync-state.tsx';

interface Props {
  readonly account: Account;
  readonly mayWrite: boolean;
}

/** How the latest sync stands, live, and the buttons that start and stop one. */
export function SyncCard({ account, mayWrite }: Props) {
  const sync = useAct(SyncAccount);
  const cancel = useAct(CancelSync);
  const isRunning = isSyncing(account);
  const stop = async () => {
    if (await cancel.act({ id: account.id })) done('The sync is being cancelled. What it has loaded stays.');
  };
  return (
    <Card
      title="Sync"
      actions={
        mayWrite &&
        (isRunning ? (
          <Button variant="default" size="compact-sm" loading={cancel.isBusy} onClick={() => void stop()}>
            Cancel the sync
          </Button>
        ) : (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconRefresh size={15} aria-hidden />}
            loading={sync.isBusy}
            onClick={() => void sync.act({ id: account.id })}
          >
            Sync now
          </Button>
        ))
      }
    >
      <Stack gap="sm">
        <Group gap="sm" role="status">
          <StatusOf value={account.syncStatus} />
          <Text size="sm" c="dimmed">
            {saidOf(account)}
          </Text>
        </Group>
        <SyncProgress account={account} />
        <RefusalAlert refusal={sync.refusal ?? cancel.refusal} />
      </Stack>
    </Card>
  );
}

function saidOf({ syncStatus }: Account): string {
  switch (syncStatus) {
    case 'NEVER':
      return 'None was asked for yet.';
    case 'QUEUED':
      return 'It waits for a worker.';
    case 'RUNNING':
      return 'It reads what is new. You may leave this page.';
    case 'SUCCEEDED':
      return 'It loaded what was new, or found nothing new. The next one comes by itself.';
    case 'FAILED':
      return 'It could not load everything. The last good figures stand.';
    case 'CANCELLED':
      return 'Somebody cancelled it. Months it had loaded stay.';
    default:
      return syncStatus satisfies never;
  }
}
