import * as operations from '../../../schema/operations.ts';
import { graphql, type ResultOf } from '../api/graphql.ts';

const RecommendationRow = graphql(`
  fragment RecommendationRow on Recommendation {
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
`);

export const RecommendationsQuery = graphql(operations.recommendations, [RecommendationRow]);

/** Recommendation in a list. */
export type RecommendationRow = ResultOf<typeof RecommendationRow>;

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

const RecommendationDetailsFields = graphql(operations.RecommendationDetailsFields);

/** One recommendation, including its scripts. */
export const RecommendationQuery = graphql(operations.recommendation, [RecommendationDetailsFields]);

/** Recommendation with all details. */
export type RecommendationDetails = ResultOf<typeof RecommendationDetailsFields>;

/** Changes the status or snooze of a recommendation. */
export const UpdateRecommendation = graphql(operations.updateRecommendation);
