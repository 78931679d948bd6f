import { Group, Stack, Text } from '@mantine/core';
import { StatusOf } from '../parts/status.tsx';
import { counted } from '../words/format.ts';
import type { AccountRow } from './queries.ts';
import classes from './sync-state.module.css';
import { phaseOf, progressOf } from './sync-words.ts';

/** How the latest sync stands, in a cell: its state; what it does while it runs; what is wrong in a line. */
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

/** A bar and a line for a sync that waits or runs; nothing otherwise. */
export function SyncProgress({ account }: { readonly account: AccountRow }) {
  const said = progressOf(account);
  if (said === null) return null;
  const percent = account.syncProgress?.percent ?? null;
  return (
    <div>
      <div
        className={classes.bar}
        role="progressbar"
        aria-label={`Sync of ${account.name}`}
        aria-valuetext={said}
        {...(percent !== null && { 'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-valuenow': percent })}
      >
        <div
          className={percent === null ? `${classes.done} ${classes.unknown}` : classes.done}
          style={percent === null ? undefined : { width: `${percent}%` }}
        />
      </div>
      <Text size="xs" c="dimmed" mt={3} className="figures">
        {said}
      </Text>
    </div>
  );
}
