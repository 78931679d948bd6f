import { graphql, type ResultOf } from '../api/graphql.ts';

/** Fields of an account in the list. */
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

/** Additional fields for the account page. */
const AccountWhole = graphql(
  `
    fragment AccountWhole on Account {
      ...AccountRow
      createdAt
      credentialsUpdatedAt
      settings {
        source
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

/** Cost of an account in the last 30 days. */
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

/** Connects an account; the server verifies the source first. */
export const ConnectAccount = graphql(`
  mutation ConnectAccount($input: ConnectAccountInput!) {
    connectAccount(input: $input) {
      id
    }
  }
`);

export const RenameAccount = graphql(`
  mutation RenameAccount($id: ID!, $name: String!) {
    updateAccount(id: $id, input: { name: $name }) {
      id
    }
  }
`);

/** Changes the location of the billing data; keeps the credentials. */
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

/** Changes settings and credentials together, since a different store needs different credentials. */
export const ChangeSource = graphql(`
  mutation ChangeAccountSource($id: ID!, $settings: AccountSettingsInput!, $credentials: AccountCredentialsInput!) {
    updateAccount(id: $id, input: { settings: $settings, credentials: $credentials }) {
      id
    }
  }
`);

export const SyncAccount = graphql(`
  mutation SyncAccount($id: ID!) {
    syncAccount(id: $id) {
      id
      syncStatus
    }
  }
`);

/** Cancels a queued or running sync. */
export const CancelSync = graphql(`
  mutation CancelSync($id: ID!) {
    cancelSync(id: $id)
  }
`);

export const DisconnectAccount = graphql(`
  mutation DisconnectAccount($id: ID!, $purge: Boolean) {
    disconnectAccount(id: $id, purge: $purge)
  }
`);

/** Account in the list. */
export type AccountRow = NonNullable<ResultOf<typeof AccountList>['accounts']>['data'][number];

/** Account with its settings. */
export type Account = NonNullable<ResultOf<typeof AccountDetail>['account']>;

/** Provider of an account. */
export type Provider = Account['provider'];

/** Whether a sync is queued or running, so that polling makes sense. */
export function isSyncing({ syncStatus }: Pick<AccountRow, 'syncStatus'>): boolean {
  return syncStatus === 'QUEUED' || syncStatus === 'RUNNING';
}
