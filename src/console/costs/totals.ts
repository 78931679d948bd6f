import * as operations from '../../../schema/operations.ts';
import { graphql } from '../api/graphql.ts';
import type { Scope } from '../parts/choices/choices.tsx';

const CostsDailyFields = graphql(`
  fragment CostsDailyFields on CostsDaily {
    currency
    completeThrough
    days {
      date
      cost
    }
  }
`);

/** Cost per day. */
export const DailyCosts = graphql(operations.costsDaily, [CostsDailyFields]);

const CostsSummaryFields = graphql(operations.CostsSummaryFields);

/** Cost per month. */
export const MonthlyCosts = graphql(operations.costsSummary, [CostsSummaryFields]);

/** Converts a scope to arguments of the cost API. */
export function scopeArguments({ accountId, provider, service }: Scope) {
  return {
    accountId: accountId === null ? undefined : [accountId],
    provider: provider === null ? undefined : [provider],
    service: service === null ? undefined : [service],
  };
}
