import { count } from '../words/format.ts';
import { isSyncing, type AccountRow } from './queries.ts';

const phases = {
  LISTING: 'Looking for new bills',
  DOWNLOADING: 'Downloading',
  READING: 'Reading',
  LOADING: 'Loading',
  INVENTORY: 'Listing resources',
};

type Syncing = Pick<AccountRow, 'syncStatus' | 'syncProgress'>;

/** What a sync does right now; null when none waits or runs. */
export function phaseOf(account: Syncing): string | null {
  if (!isSyncing(account)) return null;
  const { phase } = account.syncProgress ?? {};
  if (!phase) return account.syncStatus === 'QUEUED' ? 'Waiting for its turn' : 'Starting';
  return phases[phase];
}

/** The phase with how far it is: `Reading · 45% · 12,000 rows`. */
export function progressOf(account: Syncing): string | null {
  const phase = phaseOf(account);
  if (phase === null) return null;
  const { percent, rows } = account.syncProgress ?? {};
  const parts = [
    phase,
    percent != null && account.syncStatus === 'RUNNING' && `${percent}%`,
    rows != null && rows > 0 && `${count(rows)} rows`,
  ];
  return parts.filter(Boolean).join(' · ');
}

/** What to do about a failed sync, by what its message speaks of. The message itself names the thing. */
export function remedyOf({ lastSyncError, provider }: Pick<AccountRow, 'lastSyncError' | 'provider'>): string {
  const said = (lastSyncError ?? '').toLowerCase();
  if (/credential|secret|expired|sign in|token|key was|not accept/.test(said))
    return 'Replace the credentials. The figures loaded so far stay.';
  if (/permission|denied|forbidden|grant|role |policy/.test(said))
    return 'Grant what is named, then sync again. The figures loaded so far stay.';
  if (/settings\.|bucket|container|dataset|table|does not exist|no such|focus_root/.test(said))
    return 'Check the settings, or whether what they name is still there, then sync again.';
  if (/try again|later|throttl|did not answer|reach|timed out|too many/.test(said))
    return 'Nothing is wrong with the account. The sync is tried again by itself, or now with Sync now.';
  const who = provider === 'FOCUS' ? 'whoever makes the export' : 'the provider';
  return `Correct the file, or have ${who} deliver it again, then sync again. Months that could be read are loaded.`;
}
