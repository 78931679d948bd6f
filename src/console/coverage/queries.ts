import * as operations from '../../../schema/operations.ts';
import { graphql, type RecordOf } from '../api/graphql.ts';

/** Costs by pricing model of a range, and coverage and utilization of commitments. */
export const CoverageQuery = graphql(operations.coverage, [graphql(operations.CoverageFields)]);

/** Costs by pricing model of each of the last 90 days. */
export const CoverageDailyQuery = graphql(operations.coverageDaily, [graphql(operations.CoverageDailyFields)]);

/** Usage that commitments could cover but do not. */
export const CoverageGapsQuery = graphql(operations.coverageGaps, [graphql(operations.CoverageGapFields)]);

/** Commitments that would have minimized past cost. */
export const PlannerQuery = graphql(operations.coveragePlanner, [graphql(operations.CoveragePlannerFields)]);

/** Coverage of a range. */
export type Coverage = RecordOf<typeof CoverageQuery>;

/** Coverage per day over the last 90 days. */
export type CoverageDaily = RecordOf<typeof CoverageDailyQuery>;

/** Coverage gap. */
export type Gap = RecordOf<typeof CoverageGapsQuery>;

/** Result of the planner. */
export type Plan = RecordOf<typeof PlannerQuery>;

/** Recommended commitment. */
export type Commitment = Plan['recommendations'][number];
