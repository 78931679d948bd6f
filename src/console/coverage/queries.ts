import * as operations from '../../../schema/operations.ts';
import { graphql, type ResultOf } from '../api/graphql.ts';

const CoverageFields = graphql(operations.CoverageFields);

/** Payment split of a range, and coverage and utilization of commitments. */
export const CoverageQuery = graphql(operations.coverage, [CoverageFields]);

const CoverageDailyFields = graphql(operations.CoverageDailyFields);

/** Payment split of each of the last 90 days. */
export const CoverageDailyQuery = graphql(operations.coverageDaily, [CoverageDailyFields]);

const CoverageGapRow = graphql(operations.CoverageGapRow);

/** Usage that commitments could cover but do not. */
export const CoverageGapsQuery = graphql(operations.coverageGaps, [CoverageGapRow]);

const CoveragePlannerFields = graphql(operations.CoveragePlannerFields);

/** Commitments that would have minimized past cost. */
export const PlannerQuery = graphql(operations.coveragePlanner, [CoveragePlannerFields]);

/** Coverage of a range. */
export type Coverage = ResultOf<typeof CoverageFields>;

/** Coverage per day over the last 90 days. */
export type CoverageDaily = ResultOf<typeof CoverageDailyFields>;

/** Coverage gap. */
export type Gap = ResultOf<typeof CoverageGapRow>;

/** Result of the planner. */
export type Plan = ResultOf<typeof CoveragePlannerFields>;

/** Recommended commitment. */
export type Commitment = Plan['recommendations'][number];
