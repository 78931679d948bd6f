import * as operations from '../../../schema/operations.ts';
import { graphql, type ResultOf } from '../api/graphql.ts';
import { useAnswer } from '../api/use-api.ts';

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

const RecommendationsSummaryFields = graphql(operations.RecommendationsSummaryFields);

/** Totals by status, which ignore the status filter, and by type, which ignore the type filter. */
export const SummaryQuery = graphql(operations.recommendationsSummary, [RecommendationsSummaryFields]);

export type Summary = ResultOf<typeof RecommendationsSummaryFields>;

/** Types with recommendations, for filters. */
export function useFoundTypes(options: { readonly pause?: boolean } = {}): readonly RecommendationRow['type'][] {
  const status = ['OPEN', 'IN_PROGRESS', 'APPLIED', 'ARCHIVED'] as const;
  const { data } = useAnswer(SummaryQuery, { status: [...status], includeSnoozed: true }, options);
  return (data?.recommendationsSummary?.byType ?? []).map(({ type }) => type);
}

const RecommendationDetailsFields = graphql(operations.RecommendationDetailsFields);

/** One recommendation, including its scripts. */
export const RecommendationQuery = graphql(operations.recommendation, [RecommendationDetailsFields]);

/** Recommendation with all details. */
export type RecommendationDetails = ResultOf<typeof RecommendationDetailsFields>;

/** Changes the status or snooze of a recommendation. */
export const UpdateRecommendation = graphql(operations.updateRecommendation);
