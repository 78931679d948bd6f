import * as operations from '../../../schema/operations.ts';
import { graphql, type RecordOf } from '../api/graphql.ts';

/** Cost per day. */
export const DailyCosts = graphql(operations.costsDaily, [graphql(operations.CostsDailyFields)]);

/** Cost per month. */
export const MonthlyCosts = graphql(operations.costsSummary, [graphql(operations.CostsSummaryFields)]);

/** Cost per account and sub-account; by default, of the last 30 days. */
export const CostsByAccount = graphql(operations.costsByAccount, [graphql(operations.CostsByAccountFields)]);

/** Cost per service. */
export const CostsByService = graphql(operations.costsByService, [graphql(operations.CostsByServiceFields)]);

/** Cost per value of a tag key, highest first; by default, of the last 30 days. */
export const CostsByTag = graphql(operations.costsByTag, [graphql(operations.CostsByTagFields)]);

/** Costs by value of a tag key. */
export type TagCosts = RecordOf<typeof CostsByTag>;
