import { graphql, type ResultOf } from '../api/graphql.ts';

export const BudgetsQuery = graphql(`
  query Budgets(
    $status: [BudgetStatus!]
    $accountId: [ID!]
    $provider: [String!]
    $service: [String!]
    $sortBy: BudgetSort
    $page: Int!
  ) {
    budgets(
      status: $status
      accountId: $accountId
      provider: $provider
      service: $service
      sortBy: $sortBy
      page: $page
      perPage: 25
    ) {
      data {
        id
        name
        amount
        currency
        currentSpend
        forecastedSpend
        percentUsed
        remaining
        status
        accountId
        provider
        service
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

/** One budget with all details. */
export const BudgetQuery = graphql(`
  query Budget($id: ID!) {
    budget(id: $id) {
      id
      name
      amount
      currency
      currentSpend
      forecastedSpend
      percentUsed
      remaining
      status
      accountId
      provider
      service
      costMetric
      alertThresholds
      emails
      slack
      completeThrough
      alerts {
        threshold
        triggeredAt
        spend
      }
      unconverted {
        currency
        cost
      }
      createdById
      createdAt
      updatedAt
    }
  }
`);

/** Daily costs of the month in a budget's scope. */
export const BudgetDaysQuery = graphql(`
  query BudgetDays(
    $startDate: Date!
    $endDate: Date!
    $accountId: [ID!]
    $provider: [String!]
    $service: [String!]
    $costMetric: CostMetric!
  ) {
    costsDaily(
      startDate: $startDate
      endDate: $endDate
      accountId: $accountId
      provider: $provider
      service: $service
      costMetric: $costMetric
    ) {
      currency
      completeThrough
      days {
        date
        cost
      }
    }
  }
`);

/** Expected costs of the remaining days, used for their proportions. */
export const BudgetForecastQuery = graphql(`
  query BudgetForecast($accountId: [ID!], $provider: [String!], $service: [String!]) {
    forecast(accountId: $accountId, provider: $provider, service: $service) {
      points {
        date
        cost
      }
    }
  }
`);

/** Cost of the last months in a budget's scope. */
export const BudgetHistoryQuery = graphql(`
  query BudgetHistory(
    $startDate: Date!
    $endDate: Date!
    $accountId: [ID!]
    $provider: [String!]
    $service: [String!]
    $costMetric: CostMetric!
  ) {
    costsSummary(
      startDate: $startDate
      endDate: $endDate
      accountId: $accountId
      provider: $provider
      service: $service
      costMetric: $costMetric
    ) {
      currency
      periods {
        periodStart
        cost
      }
    }
  }
`);

export const CreateBudget = graphql(`
  mutation CreateBudget($input: CreateBudgetInput!) {
    createBudget(input: $input) {
      id
      name
    }
  }
`);

export const UpdateBudget = graphql(`
  mutation UpdateBudget($id: ID!, $input: UpdateBudgetInput!) {
    updateBudget(id: $id, input: $input) {
      id
      name
    }
  }
`);

export const DeleteBudget = graphql(`
  mutation DeleteBudget($id: ID!) {
    deleteBudget(id: $id)
  }
`);

/** Budget in the list. */
export type BudgetRow = NonNullable<ResultOf<typeof BudgetsQuery>['budgets']>['data'][number];

/** Budget with all details. */
export type BudgetDetails = NonNullable<ResultOf<typeof BudgetQuery>['budget']>;
