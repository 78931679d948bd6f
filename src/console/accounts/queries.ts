import { graphql, type ResultOf } from '../api/graphql.ts';

/** What the list shows of an account. */
const AccountRow = graphql(`
  fragment AccountRow on Account {
    id
    name
    provider
    externalId
    status
    syncStatus
    syncProgress {
      phase
      percent
      rows
    }
    lastSyncedAt
    lastSyncError
    syncWarnings
    dataFrom
    dataTo
    completeThrough
    currency
  }
`);

/** What the account's own page shows beyond it. */
const AccountWhole = graphql(
  `
    fragment AccountWhole on Account {
      ...AccountRow
      createdAt
      credentialsUpdatedAt
      settings {
        path
        bucket
        prefix
        exportName
        region
        endpoint
        subscriptionIds
        billingScope
        storageAccount
        container
        billingProject
        dataset
        table
        location
        scopes
      }
    }
  `,
  [AccountRow],
);

/** A page of the accounts. */
export const AccountList = graphql(
  `
    query AccountList(
      $provider: [AccountProvider!]
      $status: [AccountStatus!]
      $syncStatus: [SyncStatus!]
      $sortBy: AccountSort
      $page: Int
    ) {
      accounts(
        provider: $provider
        status: $status
        syncStatus: $syncStatus
        sortBy: $sortBy
        page: $page
        perPage: 25
      ) {
        data {
          ...AccountRow
        }
        pagination {
          page
          perPage
          total
          totalPages
        }
      }
    }
  `,
  [AccountRow],
);

/** One account. */
export const AccountDetail = graphql(
  `
    query AccountDetail($id: ID!) {
      account(id: $id) {
        ...AccountWhole
      }
    }
  `,
  [AccountWhole],
);

/** What an account cost in the last 30 days. */
export const AccountSpend = graphql(`
  query AccountSpend($accountId: [ID!]) {
    costsByAccount(accountId: $accountId) {
      totalCost
      currency
      startDate
      endDate
    }
  }
`);

/** Connects an account; the server looks at its source first. */
export const ConnectAccount = graphql(`
  mutation ConnectAccount($input: ConnectAccountInput!) {
    connectAccount(input: $input) {
      id
    }
  }
`);

/** Renames an account. */
export const RenameAccount = graphql(`
  mutation RenameAccount($id: ID!, $name: String!) {
    updateAccount(id: $id, input: { name: $name }) {
      id
    }
  }
`);

/** Changes where an account's bills lie. The credentials stay. */
export const ChangeSettings = graphql(`
  mutation ChangeAccountSettings($id: ID!, $settings: AccountSettingsInput!) {
    updateAccount(id: $id, input: { settings: $settings }) {
      id
    }
  }
`);

/** Replaces the credentials of an account. */
export const ReplaceCredentials = graphql(`
  mutation ReplaceAccountCredentials($id: ID!, $credentials: AccountCredentialsInput!) {
    updateAccount(id: $id, input: { credentials: $credentials }) {
      id
    }
  }
`);

/** Changes both: another store needs other credentials. */
export const ChangeSource = graphql(`
  mutation ChangeAccountSource($id: ID!, $settings: AccountSettingsInput!, $credentials: AccountCredentialsInput!) {
    updateAccount(id: $id, input: { settings: $settings, credentials: $credentials }) {
      id
    }
  }
`);

/** Queues a sync. */
export const SyncAccount = graphql(`
  mutation SyncAccount($id: ID!) {
    syncAccount(id: $id) {
      id
      syncStatus
    }
  }
`);

/** Stops a sync that waits or runs. */
export const CancelSync = graphql(`
  mutation CancelSync($id: ID!) {
    cancelSync(id: $id)
  }
`);

/** Disconnects an account. */
export const DisconnectAccount = graphql(`
  mutation DisconnectAccount($id: ID!, $purge: Boolean) {
    disconnectAccount(id: $id, purge: $purge)
  }
`);

/** An account of the list. */
export type AccountRow = NonNullable<ResultOf<typeof AccountList>['accounts']>['data'][number];

/** An account with its settings. */
export type Account = NonNullable<ResultOf<typeof AccountDetail>['account']>;

/** How an account is connected. */
export type Provider = Account['provider'];

/** Whether a sync waits or runs, so that it is worth asking again soon. */
export function isSyncing({ syncStatus }: Pick<AccountRow, 'syncStatus'>): boolean {
  return syncStatus === 'QUEUED' || syncStatus === 'RUNNING';
}
