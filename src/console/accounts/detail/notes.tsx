import { Alert, Group, List, Text } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle, IconPlugConnectedX } from '@tabler/icons-react';
import { Act } from '../../parts/form/button.tsx';
import { useUrlState } from '../../parts/list/url-state.ts';
import { isSyncing, type Account } from '../queries.ts';
import { wayOf } from '../source/values.ts';
import { remedyOf } from './sync.tsx';

interface Props {
  readonly account: Account;
  readonly mayWrite: boolean;
}

/** Alerts that qualify the account's figures: disconnected, sync failed, data missing. */
export function Notes({ account, mayWrite }: Props) {
  const { status, lastSyncError, syncWarnings } = account;
  return (
    <>
      {status === 'DISCONNECTED' && <Disconnected account={account} mayWrite={mayWrite} />}
      {status === 'CONNECTED' && lastSyncError && !isSyncing(account) && (
        <Failed account={account} mayWrite={mayWrite} />
      )}
      {syncWarnings.length > 0 && (
        <Alert color="yellow" title="Warnings of the last sync" icon={<IconInfoCircle size={18} aria-hidden />}>
          <List size="sm" spacing={4}>
            {syncWarnings.map((warning) => (
              <List.Item key={warning} style={{ overflowWrap: 'anywhere' }}>
                {warning}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </>
  );
}

function Failed({ account, mayWrite }: Props) {
  const { provider, settings, syncStatus, lastSyncError } = account;
  const state = useUrlState();
  const edits = [
    ...(wayOf(provider, settings).credentials.length > 0 ? [['credentials', 'Replace credentials'] as const] : []),
    ['settings', 'Change settings'] as const,
  ];
  return (
    <Alert
      color="red"
      title={syncStatus === 'FAILED' ? 'The last sync failed' : 'The sync before failed'}
      icon={<IconAlertTriangle size={18} aria-hidden />}
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {lastSyncError}
      </Text>
      <Text size="sm" mt={6}>
        {mayWrite ? remedyOf(account) : 'Ask an admin to fix this. Data loaded so far is kept.'}
      </Text>
      {mayWrite && (
        <Group gap="xs" mt={10}>
          {edits.map(([edit, label]) => (
            <Act label={label} key={edit} href={state.with({ edit })} size="compact-sm" />
          ))}
        </Group>
      )}
    </Alert>
  );
}

function Disconnected({ account, mayWrite }: Props) {
  const state = useUrlState();
  return (
    <Alert color="gray" title="This account is disconnected" icon={<IconPlugConnectedX size={18} aria-hidden />}>
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          {account.dataTo ? 'Its past costs are kept. ' : ''}It is no longer synced, and its credentials were deleted.
        </Text>
        {mayWrite && <Act label="Reconnect" href={state.with({ edit: 'reconnect' })} size="compact-sm" />}
      </Group>
    </Alert>
  );
}
