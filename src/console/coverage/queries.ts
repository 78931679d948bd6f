import * as operations from '../../../schema/operations.ts';
import { graphql, type ResultOf } from '../api/graphql.ts';

const CoverageFields = graphql(`
  fragment CoverageFields on Coverage {
    startDate
    endDate
    currency
    totalCost
    eligibleCost
    coveredCost
    unrecognizedCost
    coveragePercent
    utilizationPercent
    unusedCommitmentCost
    split {
      kind
      cost
      percentage
    }
    unconverted {
      currency
      cost
    }
  }
`);

/** Payment split of a range, and coverage and utilization of commitments. */
export const CoverageQuery = graphql(operations.coverage, [CoverageFields]);

const CoverageDailyFields = graphql(`
  fragment CoverageDailyFields on CoverageDaily {
    currency
    totalCost
    startDate
    endDate
    days {
      date
      reserved
      savingsPlan
      spot
      onDemand
      other
    }
  }
`);

/** Payment split of each of the last 90 days. */
export const CoverageDailyQuery = graphql(operations.coverageDaily, [CoverageDailyFields]);

const CoverageGapRow = graphql(`
  fragment CoverageGapRow on CoverageGap {
    provider
    service
    region
    onDemandCost
    coveredCost
    coveragePercent
    estimatedMonthlySavings
    currency
  }
`);

/** Usage that commitments could cover but do not. */
export const CoverageGapsQuery = graphql(operations.coverageGaps, [CoverageGapRow]);

const CoveragePlannerFields = graphql(`
  fragment CoveragePlannerFields on CoveragePlanner {
    currency
    startDate
    endDate
    parameters {
      historyDays
      minimumHistoryDays
      usageChangePercent
      expiringWithinDays
      assumedDailySwingPercent
    }
    recommendations {
      accountId
      accountName
      provider
      product
      kind
      region
      family
      services
      termMonths
      payment
      hourlyCommitment
      upfrontPayment
      monthlyPayment
      estimatedMonthlySavings
      savingsPercent
      expectedUtilizationPercent
      coverageAfterPercent
      breakEvenMonths
      discountPercent
      discountMethod
      sensitivity {
        low
        high
      }
      onDemandCostPerHour
      flaggedCostPerHour
      expiringCostPerHour
      historyDays
      hourlyPercent
      currency
    }
    unconverted {
      currency
      cost
    }
  }
`);

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
