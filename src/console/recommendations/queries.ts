import { graphql, type ResultOf } from '../api/graphql.ts';

export const RecommendationsQuery = graphql(`
  query Recommendations(
    $status: [RecommendationStatus!]
    $type: [RecommendationType!]
    $accountId: [ID!]
    $provider: [String!]
    $resourceId: ID
    $minSavings: Decimal
    $includeSnoozed: Boolean
    $sortBy: RecommendationSort
    $page: Int
    $perPage: Int = 25
  ) {
    recommendations(
      status: $status
      type: $type
      accountId: $accountId
      provider: $provider
      resourceId: $resourceId
      minSavings: $minSavings
      includeSnoozed: $includeSnoozed
      sortBy: $sortBy
      page: $page
      perPage: $perPage
    ) {
      data {
        id
        title
        type
        provider
        accountId
        status
        snoozedUntil
        confidence
        estimatedMonthlySavings
        realizedMonthlySavings
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

/** Recommendation in a list. */
export type RecommendationRow = NonNullable<ResultOf<typeof RecommendationsQuery>['recommendations']>['data'][number];

/** Totals of the list: by status, ignoring the status filter; by type, ignoring the type filter. */
export const SavingsQuery = graphql(`
  query Savings(
    $status: [RecommendationStatus!]
    $type: [RecommendationType!]
    $accountId: [ID!]
    $provider: [String!]
    $minSavings: Decimal
    $includeSnoozed: Boolean
  ) {
    all: recommendationsSummary(
      type: $type
      accountId: $accountId
      provider: $provider
      minSavings: $minSavings
      includeSnoozed: $includeSnoozed
    ) {
      currency
      byStatus {
        status
        count
        estimatedMonthlySavings
      }
      unconverted {
        currency
        estimatedMonthlySavings
      }
    }
    shown: recommendationsSummary(
      status: $status
      accountId: $accountId
      provider: $provider
      minSavings: $minSavings
      includeSnoozed: $includeSnoozed
    ) {
      currency
      totalCount
      totalEstimatedMonthlySavings
      byType {
        type
        count
        estimatedMonthlySavings
      }
    }
  }
`);

/** Types with recommendations, for the filter. */
export const TypeChoices = graphql(`
  query TypeChoices {
    recommendationsSummary(status: [OPEN, IN_PROGRESS, APPLIED, ARCHIVED], includeSnoozed: true) {
      byType {
        type
      }
    }
  }
`);

/** One recommendation, including its scripts. */
export const RecommendationQuery = graphql(`
  query Recommendation($id: ID!) {
    recommendation(id: $id) {
      id
      accountId
      provider
      type
      title
      description
      status
      statusReason
      statusChangedAt
      snoozedUntil
      confidence
      estimatedMonthlySavings
      realizedMonthlySavings
      currency
      evidence
      createdAt
      updatedAt
      resource {
        id
        name
      }
      remediationScripts {
        kind
        title
        script
        reversible
      }
    }
  }
`);

/** Recommendation with all details. */
export type RecommendationDetails = NonNullable<ResultOf<typeof RecommendationQuery>['recommendation']>;

/** Changes a recommendation's status: in progress, applied, archived or open. */
export const ChangeRecommendation = graphql(`
  mutation ChangeRecommendation($id: ID!, $status: RecommendationStatus!, $reason: String) {
    updateRecommendation(id: $id, input: { status: $status, statusReason: $reason }) {
      id
    }
  }
`);

/** Snoozes a recommendation until an instant; null wakes it. */
export const SnoozeRecommendation = graphql(`
  mutation SnoozeRecommendation($id: ID!, $until: DateTime) {
    updateRecommendation(id: $id, input: { snoozedUntil: $until }) {
      id
      snoozedUntil
    }
  }
`);

/** Snoozes a recommendation for a number of days from now. */
export const SnoozeRecommendationForDays = graphql(`
  mutation SnoozeRecommendationForDays($id: ID!, $days: Int!) {
    updateRecommendation(id: $id, input: { snoozeDays: $days }) {
      id
      snoozedUntil
    }
  }
`);
