import { graphql, type ResultOf } from '../api/graphql.ts';

export const AnomaliesQuery = graphql(`
  query Anomalies(
    $status: [AnomalyStatus!]
    $severity: [AnomalySeverity!]
    $accountId: [ID!]
    $provider: [String!]
    $service: [String!]
    $resourceId: ID
    $startDate: Date
    $endDate: Date
    $sortBy: AnomalySort
    $page: Int
    $perPage: Int = 25
  ) {
    anomalies(
      status: $status
      severity: $severity
      accountId: $accountId
      provider: $provider
      service: $service
      resourceId: $resourceId
      startDate: $startDate
      endDate: $endDate
      sortBy: $sortBy
      page: $page
      perPage: $perPage
    ) {
      data {
        id
        accountId
        provider
        service
        region
        kind
        severity
        status
        startDate
        endDate
        impact
        impactPercent
        currency
      }
      pagination {
        page
        perPage
        total
        totalPages
      }
    }
  }
`);

/** Anomaly in a list. */
export type AnomalyRow = NonNullable<ResultOf<typeof AnomaliesQuery>['anomalies']>['data'][number];

/** One anomaly with all details. */
export const AnomalyQuery = graphql(`
  query Anomaly($id: ID!) {
    anomaly(id: $id) {
      id
      accountId
      provider
      service
      region
      kind
      severity
      status
      statusReason
      statusChangedAt
      statusChangedById
      startDate
      endDate
      detectedAt
      expectedCost
      actualCost
      impact
      impactPercent
      currency
      explanation {
        summary
        likelyCauses
        nextSteps
        source
        drivers {
          dimension
          value
          change
          share
        }
      }
      series {
        date
        cost
        expectedCost
        expectedLow
        expectedHigh
      }
    }
  }
`);

/** Anomaly with all details. */
export type AnomalyDetails = NonNullable<ResultOf<typeof AnomalyQuery>['anomaly']>;

/** Acknowledges, resolves or reopens an anomaly. */
export const ChangeAnomaly = graphql(`
  mutation ChangeAnomaly($id: ID!, $status: AnomalyStatus!, $reason: String) {
    updateAnomaly(id: $id, input: { status: $status, statusReason: $reason }) {
      id
    }
  }
`);

/** Searches the inventory for a driver's resource by its provider ID. */
export const DriverResource = graphql(`
  query DriverResource($accountId: [ID!], $search: String!) {
    inventory(accountId: $accountId, search: $search, includeGone: true, perPage: 5) {
      data {
        id
        name
        nativeId
      }
    }
  }
`);

/** Names of the sub-accounts with costs in a date range. */
export const SubAccountNames = graphql(`
  query SubAccountNames($accountId: [ID!], $startDate: Date!, $endDate: Date!) {
    costsByAccount(accountId: $accountId, startDate: $startDate, endDate: $endDate) {
      groups {
        subAccounts {
          subAccountId
          subAccountName
        }
      }
    }
  }
`);
