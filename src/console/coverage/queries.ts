import { graphql, type ResultOf } from '../api/graphql.ts';

/** Payment split of a range, and coverage and utilization of commitments. */
export const CoverageQuery = graphql(`
  query Coverage(
    $startDate: Date
    $endDate: Date
    $accountId: [ID!]
    $provider: [String!]
    $service: [String!]
    $region: [String!]
  ) {
    coverage(
      startDate: $startDate
      endDate: $endDate
      accountId: $accountId
      provider: $provider
      service: $service
      region: $region
    ) {
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
  }
`);

/** Payment split of each of the last 90 days. */
export const CoverageDailyQuery = graphql(`
  query CoverageDaily($accountId: [ID!], $provider: [String!], $service: [String!], $region: [String!]) {
    coverageDaily(accountId: $accountId, provider: $provider, service: $service, region: $region) {
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
  }
`);

/** Usage that commitments could cover but do not. */
export const CoverageGapsQuery = graphql(`
  query CoverageGaps(
    $startDate: Date
    $endDate: Date
    $accountId: [ID!]
    $provider: [String!]
    $service: [String!]
    $region: [String!]
    $sortBy: CoverageGapSort
    $page: Int!
  ) {
    coverageGaps(
      startDate: $startDate
      endDate: $endDate
      accountId: $accountId
      provider: $provider
      service: $service
      region: $region
      sortBy: $sortBy
      page: $page
      perPage: 25
    ) {
      data {
        provider
        service
        region
        onDemandCost
        coveredCost
        coveragePercent
        estimatedMonthlySavings
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

/** Commitments that would have minimized past cost. */
export const PlannerQuery = graphql(`
  query CoveragePlanner($accountId: [ID!], $provider: [String!], $service: [String!], $region: [String!]) {
    coveragePlanner(accountId: $accountId, provider: $provider, service: $service, region: $region) {
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
  }
`);

/** Coverage of a range. */
export type Coverage = NonNullable<ResultOf<typeof CoverageQuery>['coverage']>;

/** Coverage per day over the last 90 days. */
export type CoverageDaily = NonNullable<ResultOf<typeof CoverageDailyQuery>['coverageDaily']>;

/** Coverage gap. */
export type Gap = NonNullable<ResultOf<typeof CoverageGapsQuery>['coverageGaps']>['data'][number];

/** Result of the planner. */
export type Plan = NonNullable<ResultOf<typeof PlannerQuery>['coveragePlanner']>;

/** Recommended commitment. */
export type Commitment = Plan['recommendations'][number];
