import { graphql, type ResultOf } from '../api/graphql.ts';

/** What stands first: what was spent, and what the month will come to. The services are those that the chart tells apart. */
export const OverviewSpend = graphql(`
  query OverviewSpend($since: Date!, $from: Date!, $to: Date!) {
    costsDaily(startDate: $since, endDate: $to) {
      currency
      completeThrough
      unconverted {
        currency
        cost
      }
      days {
        date
        cost
      }
    }
    costsByService(startDate: $from, endDate: $to) {
      groups {
        service
      }
    }
    forecast {
      historyTo
      lowHistory
      points {
        date
        cost
      }
    }
  }
`);

/** The groups of each day; services only the named ones, so that 20,000 are no more to send than ten. */
export const CostsSplit = graphql(`
  query CostsSplit($startDate: Date!, $endDate: Date!, $service: [String!], $groupBy: CostDailyGroup!) {
    costsDaily(startDate: $startDate, endDate: $endDate, service: $service, groupBy: $groupBy) {
      days {
        date
        groups {
          service
          accountId
          accountName
          provider
          cost
        }
      }
    }
  }
`);

/** What the spend of some days is made of, beside that of other days. */
export const OverviewTops = graphql(`
  query OverviewTops($from: Date!, $to: Date!, $beforeFrom: Date!, $beforeTo: Date!) {
    services: costsByService(startDate: $from, endDate: $to) {
      currency
      groups {
        service
        provider
        cost
      }
    }
    servicesBefore: costsByService(startDate: $beforeFrom, endDate: $beforeTo) {
      groups {
        service
        provider
        cost
      }
    }
    accounts: costsByAccount(startDate: $from, endDate: $to) {
      groups {
        accountId
        accountName
        provider
        cost
      }
    }
    accountsBefore: costsByAccount(startDate: $beforeFrom, endDate: $beforeTo) {
      groups {
        accountId
        accountName
        provider
        cost
      }
    }
  }
`);

/** What wants somebody's attention. */
export const OverviewFindings = graphql(`
  query OverviewFindings {
    anomalies(status: [OPEN], sortBy: IMPACT_DESC, perPage: 5) {
      data {
        id
        service
        accountId
        region
        provider
        startDate
        endDate
        severity
        impact
        impactPercent
        currency
      }
      pagination {
        total
      }
    }
    recommendationsSummary(status: [OPEN, IN_PROGRESS]) {
      totalCount
      totalEstimatedMonthlySavings
      currency
      unconverted {
        currency
        estimatedMonthlySavings
      }
      byType {
        type
        count
        estimatedMonthlySavings
      }
    }
    atRisk: budgets(status: [WARNING, EXCEEDED], sortBy: PERCENT_USED_DESC, perPage: 5) {
      data {
        id
        name
        status
        amount
        currency
        currentSpend
        percentUsed
        forecastedSpend
      }
      pagination {
        total
      }
    }
    budgets(perPage: 1) {
      pagination {
        total
      }
    }
  }
`);

export type Spend = ResultOf<typeof OverviewSpend>;
export type Tops = ResultOf<typeof OverviewTops>;
export type Findings = ResultOf<typeof OverviewFindings>;
