import { Group, Stack, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { Act, Muted } from '../../parts/form/menu.tsx';
import { useAct } from '../../api/use-api.ts';
import { done } from '../../parts/form/dialog.tsx';
import { Card, StatusOf } from '../../parts/page/card.tsx';
import { RefusalAlert } from '../../parts/page/page.tsx';
import { counted, moment } from '../../words/format.ts';
import { type Account, type AccountRow, CancelSync, isSyncing, SyncAccount } from '../queries.ts';
import { wayOf } from '../source/values.ts';
import classes from './sync.module.css';

interface Props {
  readonly account: Account;
  readonly mayWrite: boolean;
}

/** Live status of the latest sync, with buttons to start and cancel one. */
export function SyncCard({ account, mayWrite }: Props) {
  const sync = useAct(SyncAccount);
  const cancel = useAct(CancelSync);
  const isRunning = isSyncing(account);
  const stop = async () => {
    if (await cancel.act({ id: account.id })) done('The sync is being cancelled. Months already loaded are kept.');
  };
  return (
    <Card
      title="Sync"
      actions={
        mayWrite &&
        (isRunning ? (
          <Act label="Cancel sync" size="compact-sm" loading={cancel.isBusy} onClick={() => void stop()} />
        ) : (
          <Act
            label="Sync now"
            Icon={IconRefresh}
            size="compact-sm"
            loading={sync.isBusy}
            onClick={() => void sync.act({ id: account.id })}
          />
        ))
      }
    >
      <Stack gap="sm">
        <Group gap="sm" role="status">
          <StatusOf value={account.syncStatus} />
          <Muted>{statusText(account)}</Muted>
        </Group>
        <SyncProgress account={account} />
        {retryOf(account) !== null && account.lastSyncError && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {account.lastSyncError}
          </Text>
        )}
        <RefusalAlert refusal={sync.refusal ?? cancel.refusal} />
      </Stack>
    </Card>
  );
}

/** A first sync that fails leaves nothing to keep. */
function statusText({ syncStatus, dataTo }: Account): string {
  return syncStatus === 'FAILED' && dataTo === null ? 'No bill has been loaded yet.' : statusTexts[syncStatus];
}

const statusTexts: Readonly<Record<Account['syncStatus'], string>> = {
  NEVER: 'No sync yet.',
  QUEUED: 'Queued.',
  RUNNING: 'Reading new data. You can leave this page.',
  SUCCEEDED: 'Up to date. The next sync runs automatically.',
  FAILED: 'Some data could not be loaded. The last complete data is kept.',
  CANCELLED: 'Cancelled. Months already loaded are kept.',
};

/** Table cell with the sync status: state, progress while it runs, error in one line. */
export function SyncState({ account }: { readonly account: AccountRow }) {
  const { lastSyncError, syncWarnings, syncStatus } = account;
  const isRunning = phaseOf(account) !== null;
  return (
    <Stack gap={4} miw={170} maw={300}>
      <Group gap={6}>
        <StatusOf value={syncStatus} />
        {!isRunning && syncWarnings.length > 0 && (
          <Text component="span" size="xs" c="var(--warn)">
            {counted(syncWarnings.length, 'warning')}
          </Text>
        )}
      </Group>
      <SyncProgress account={account} />
      {!isRunning && lastSyncError && (
        <Text size="xs" c="var(--bad)" lineClamp={2} style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
          {lastSyncError}
        </Text>
      )}
    </Stack>
  );
}

/** Progress bar and text of a queued or running sync; renders nothing otherwise. */
export function SyncProgress({ account }: { readonly account: AccountRow }) {
  const text = progressOf(account);
  if (text === null) return null;
  const percent = account.syncProgress?.percent ?? null;
  return (
    <div>
      <div
        className={classes.bar}
        role="progressbar"
        aria-label={`Sync of ${account.name}`}
        aria-valuetext={text}
        {...(percent !== null && { 'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-valuenow': percent })}
      >
        <div
          className={percent === null ? `${classes.done} ${classes.unknown}` : classes.done}
          style={percent === null ? undefined : { width: `${percent}%` }}
        />
      </div>
      <Muted size="xs" mt={3} className="figures">
        {text}
      </Muted>
    </div>
  );
}

const phases = {
  LISTING: 'Looking for new bills',
  DOWNLOADING: 'Downloading',
  READING: 'Reading',
  LOADING: 'Loading',
  INVENTORY: 'Listing resources',
};

type Syncing = Pick<AccountRow, 'syncStatus' | 'syncProgress' | 'lastSync' | 'lastSyncError'>;

/** When a queued sync starts, if not at once; null otherwise. */
function retryOf({ syncStatus, lastSync }: Pick<Syncing, 'syncStatus' | 'lastSync'>): string | null {
  return syncStatus === 'QUEUED' ? (lastSync?.retryAt ?? null) : null;
}

/** Current phase of a sync; null if none is queued or running. */
function phaseOf(account: Syncing): string | null {
  if (!isSyncing(account)) return null;
  const { phase } = account.syncProgress ?? {};
  const at = retryOf(account);
  if (at !== null) return `${account.lastSyncError ? 'Retries' : 'Starts'} at ${moment(at)}`;
  if (!phase) return account.syncStatus === 'QUEUED' ? 'Queued' : 'Starting';
  return phases[phase];
}

/** Phase with progress: `Reading · 45% · 12,000 rows`. */
export function progressOf(account: Syncing): string | null {
  const phase = phaseOf(account);
  if (phase === null) return null;
  const { percent, rows } = account.syncProgress ?? {};
  const parts = [
    phase,
    percent != null && account.syncStatus === 'RUNNING' && `${percent}%`,
    rows != null && rows > 0 && counted(rows, 'row'),
  ];
  return parts.filter(Boolean).join(' · ');
}

/** Suggests a fix for a failed sync, chosen by keywords in its message. The message itself names the bucket, table or role. */
export function remedyOf({
  lastSyncError,
  provider,
  settings,
}: Pick<AccountRow, 'lastSyncError' | 'provider' | 'settings'>): string {
  const error = (lastSyncError ?? '').toLowerCase();
  if (/^(the (disk of the )?server|the (loading|connecting) process|unexpected error)/.test(error))
    return 'The bills are fine. The operator can fix the server; the next sync continues. Data loaded so far is kept.';
  if (wayOf(provider, settings).key === 'uploads')
    return 'Delete or replace the unreadable files of the account. This starts a sync, which loads the other files.';
  if (/credential|secret|expired|sign in|token|key was|not accept/.test(error))
    return 'Replace the credentials. Data loaded so far is kept.';
  if (/permission|denied|forbidden|grant|role |policy/.test(error))
    return 'Grant the missing permissions, then sync again. Data loaded so far is kept.';
  if (/settings\.|bucket|container|dataset|table|does not exist|no such|focus_root/.test(error))
    return 'Check the settings, and that the source still exists, then sync again.';
  if (/try again|later|throttl|did not (?:answer|respond)|reach|timed out|too many/.test(error))
    return 'The account is fine. The sync is retried automatically, or select Sync now.';
  const who = provider === 'FOCUS' ? 'the owner of the export' : 'the provider';
  return `Correct the file, or have ${who} deliver it again, then sync again. Data loaded so far is kept.`;
}
