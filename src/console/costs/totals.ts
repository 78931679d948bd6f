import * as operations from '../../../schema/operations.ts';
import { graphql, type ResultOf } from '../api/graphql.ts';
import type { Scope } from '../parts/choices/choices.tsx';

const CostsDailyFields = graphql(operations.CostsDailyFields);

/** Cost per day. */
export const DailyCosts = graphql(operations.costsDaily, [CostsDailyFields]);

const CostsSummaryFields = graphql(operations.CostsSummaryFields);

/** Cost per month. */
export const MonthlyCosts = graphql(operations.costsSummary, [CostsSummaryFields]);

const CostsByAccountFields = graphql(operations.CostsByAccountFields);

/** Cost per account and sub-account; by default, of the last 30 days. */
export const CostsByAccount = graphql(operations.costsByAccount, [CostsByAccountFields]);

const CostsByServiceFields = graphql(operations.CostsByServiceFields);

/** Cost per service. */
export const CostsByService = graphql(operations.costsByService, [CostsByServiceFields]);

const CostsByTagFields = graphql(operations.CostsByTagFields);

/** Cost per value of a tag key, highest first; by default, of the last 30 days. */
export const CostsByTag = graphql(operations.costsByTag, [CostsByTagFields]);

/** Costs by value of a tag key. */
export type TagCosts = ResultOf<typeof CostsByTagFields>;

/** Converts a scope to arguments of the cost API. */
export function scopeArguments({ accountId, provider, service }: Scope) {
  return {
    accountId: accountId === null ? undefined : [accountId],
    provider: provider === null ? undefined : [provider],
    service: service === null ? undefined : [service],
  };
}
