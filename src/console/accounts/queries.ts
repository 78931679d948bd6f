import * as operations from '../../../schema/operations.ts';
import { graphql, type RecordOf } from '../api/graphql.ts';

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

/** Account in the list. */
export type AccountRow = RecordOf<typeof AccountList>;

/** Account with its settings. */
export type Account = RecordOf<typeof AccountDetail>;

/** Provider of an account. */
export type Provider = Account['provider'];

/** Whether a sync is queued or running, so that polling makes sense. */
export function isSyncing({ syncStatus }: Pick<AccountRow, 'syncStatus'>): boolean {
  return syncStatus === 'QUEUED' || syncStatus === 'RUNNING';
}
