import { graphql, type ResultOf } from '../api/graphql.ts';

/** The split of some days, and how well commitments cover and are used. */
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

/** The split of each of the last 90 days. */
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

/** What commitments could cover and do not. */
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

/** Commitments that would have cost least. */
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

/** How some days were paid for. */
export type Coverage = NonNullable<ResultOf<typeof CoverageQuery>['coverage']>;

/** The last 90 days. */
export type CoverageDaily = NonNullable<ResultOf<typeof CoverageDailyQuery>['coverageDaily']>;

/** A gap. */
export type Gap = NonNullable<ResultOf<typeof CoverageGapsQuery>['coverageGaps']>['data'][number];

/** The planner's answer. */
export type Plan = NonNullable<ResultOf<typeof PlannerQuery>['coveragePlanner']>;

/** A commitment that could be bought. */
export type Commitment = Plan['recommendations'][number];
