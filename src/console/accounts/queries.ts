import * as operations from '../../../schema/operations.ts';
import { graphql, type RecordOf, type ResultOf } from '../api/graphql.ts';
import { useMe } from '../api/me.tsx';
import { useAnswer } from '../api/use-api.ts';
import { usePolling } from '../parts/page/page.tsx';

export const AccountList = graphql(operations.accounts, [graphql(operations.AccountFields)]);

export const AccountDetail = graphql(operations.account, [graphql(operations.AccountFields)]);

/** Connects an account; the server verifies the source first. */
export const ConnectAccount = graphql(operations.connectAccount);

/** Changes the given parts of an account; a different store needs settings and credentials together. */
export const UpdateAccount = graphql(operations.updateAccount);

export const SyncAccount = graphql(operations.syncAccount);

/** Cancels a queued or running sync. */
export const CancelSync = graphql(operations.cancelSync);

export const DisconnectAccount = graphql(operations.disconnectAccount);

/** Accounts with a sync that is queued or running. */
const SyncingAccounts = graphql(`
  query SyncingAccounts {
    accounts(status: [CONNECTED], syncStatus: [QUEUED, RUNNING], perPage: 100) {
      data {
        lastSyncedAt
      }
    }
  }
`);

/** Returns how many of the accounts have not finished their first sync, so that their costs are still missing; updated while
 *  there are any. */
export function useLoading(): { readonly loading: number; readonly total: number } {
  const { accountCount } = useMe().organization;
  const answer = useAnswer(SyncingAccounts, {});
  usePolling(answer, (data) => firstSyncs(data) > 0, 5000);
  const { data } = answer;
  return { loading: data ? firstSyncs(data) : 0, total: accountCount };
}

function firstSyncs({ accounts }: ResultOf<typeof SyncingAccounts>): number {
  return (accounts?.data ?? []).filter(({ lastSyncedAt }) => lastSyncedAt === null).length;
}

/** Account in the list. */
export type AccountRow = RecordOf<typeof AccountList>;

/** Account with its settings. */
export type Account = RecordOf<typeof AccountDetail>;

/** Provider of an account. */
export type Provider = Account['provider'];

/** Time of the last successful sync; null before the first one. Without bills, the sync of an account for uploads had nothing to
 *  load. */
export function syncedAt({ lastSyncedAt, dataTo, settings }: Pick<AccountRow, 'lastSyncedAt' | 'dataTo' | 'settings'>) {
  return settings.source === 'UPLOADS' && dataTo === null ? null : lastSyncedAt;
}

/** Text for an account without a successful sync; see `syncedAt`. */
export function unsyncedText({ lastSyncedAt }: Pick<AccountRow, 'lastSyncedAt'>): string {
  return lastSyncedAt === null ? 'Never synced' : 'Nothing loaded yet';
}

/** Location of the bills: the provider's ID, which uploaded files do not have. */
export function placeOf({ externalId, settings }: Pick<AccountRow, 'externalId' | 'settings'>): string {
  return settings.source === 'UPLOADS' ? 'Uploaded files' : externalId;
}

/** Changes when a sync starts or ends. A failed sync, too, may have loaded some months. */
export function syncSign({ syncStatus, lastSync }: Pick<AccountRow, 'syncStatus' | 'lastSync'>): string {
  // A page that polls misses the states of a short sync, but not its start time.
  return `${syncStatus} ${lastSync?.startedAt ?? ''}`;
}

/** Whether a sync is queued or running, so that polling makes sense. */
export function isSyncing({ syncStatus }: Pick<AccountRow, 'syncStatus'>): boolean {
  return syncStatus === 'QUEUED' || syncStatus === 'RUNNING';
}
