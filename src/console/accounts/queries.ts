import * as operations from '../../../schema/operations.ts';
import { graphql, type ResultOf } from '../api/graphql.ts';

/** Fields of an account in the list. */
const AccountRow = graphql(operations.AccountRow);

/** Additional fields for the account page. */
const AccountFields = graphql(operations.AccountFields);

export const AccountList = graphql(operations.accounts, [AccountRow]);

export const AccountDetail = graphql(operations.account, [AccountFields]);

/** Connects an account; the server verifies the source first. */
export const ConnectAccount = graphql(operations.connectAccount);

/** Changes the given parts of an account; a different store needs settings and credentials together. */
export const UpdateAccount = graphql(operations.updateAccount);

export const SyncAccount = graphql(operations.syncAccount);

/** Cancels a queued or running sync. */
export const CancelSync = graphql(operations.cancelSync);

export const DisconnectAccount = graphql(operations.disconnectAccount);

/** Account in the list. */
export type AccountRow = ResultOf<typeof AccountRow>;

/** Account with its settings. */
export type Account = ResultOf<typeof AccountFields>;

/** Provider of an account. */
export type Provider = Account['provider'];

/** Whether a sync is queued or running, so that polling makes sense. */
export function isSyncing({ syncStatus }: Pick<AccountRow, 'syncStatus'>): boolean {
  return syncStatus === 'QUEUED' || syncStatus === 'RUNNING';
}
