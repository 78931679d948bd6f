import * as operations from '../../../schema/operations.ts';
import { graphql, type RecordOf, type ResultOf } from '../api/graphql.ts';
import { useAnswer } from '../api/use-api.ts';
import { money } from '../words/format.ts';

const RecommendationRow = graphql(`
  fragment RecommendationFields on Recommendation {
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
    converted {
      currency
      estimatedMonthlySavings
      realizedMonthlySavings
    }
    assigneeId
  }
`);

export const RecommendationsQuery = graphql(operations.recommendations, [RecommendationRow]);

/** Recommendation in a list. */
export type RecommendationRow = ResultOf<typeof RecommendationRow>;

/** Totals by status, which ignore the status filter, and by type, which ignore the type filter. */
export const TotalsQuery = graphql(
  `
    query RecommendationTotals(
      $accountId: [ID!]
      $assigneeId: [ID!]
      $includeSnoozed: Boolean
      $minSavings: Decimal
      $provider: [String!]
      $status: [RecommendationStatus!]
      $type: [RecommendationType!]
      $unassigned: Boolean
    ) {
      byStatus: recommendationsSummary(
        accountId: $accountId
        assigneeId: $assigneeId
        includeSnoozed: $includeSnoozed
        minSavings: $minSavings
        provider: $provider
        type: $type
        unassigned: $unassigned
      ) {
        ...RecommendationsSummaryFields
      }
      byType: recommendationsSummary(
        accountId: $accountId
        assigneeId: $assigneeId
        includeSnoozed: $includeSnoozed
        minSavings: $minSavings
        provider: $provider
        status: $status
        unassigned: $unassigned
      ) {
        ...RecommendationsSummaryFields
      }
    }
  `,
  [graphql(operations.RecommendationsSummaryFields)],
);

export const SummaryQuery = graphql(operations.recommendationsSummary, [
  graphql(operations.RecommendationsSummaryFields),
]);

export type Summary = RecordOf<typeof SummaryQuery>;

/** Names the savings that a total leaves out. */
export function notIncluded(unconverted: Summary['unconverted']): string {
  const sums = unconverted.map((one) => money(one.estimatedMonthlySavings, one.currency));
  return `Not included: ${sums.join(', ')}, without an exchange rate.`;
}

/** Types with recommendations, for filters. */
export function useFoundTypes(options: { readonly pause?: boolean } = {}): readonly RecommendationRow['type'][] {
  const status = ['OPEN', 'IN_PROGRESS', 'APPLIED', 'ARCHIVED'] as const;
  const { data } = useAnswer(
    SummaryQuery,
    { status: [...status], includeSnoozed: true },
    { ...options, isLasting: true },
  );
  return (data?.recommendationsSummary?.byType ?? []).map(({ type }) => type);
}

/** One recommendation, including its scripts. */
export const RecommendationQuery = graphql(operations.recommendation, [
  graphql(operations.RecommendationDetailsFields),
]);

/** Recommendation with all details. */
export type RecommendationDetails = RecordOf<typeof RecommendationQuery>;

/** Changes the status, the assignee or the note of a recommendation, or snoozes it. */
export const UpdateRecommendation = graphql(operations.updateRecommendation);

/** Makes the same change to several recommendations. */
export const UpdateRecommendations = graphql(operations.updateRecommendations);
