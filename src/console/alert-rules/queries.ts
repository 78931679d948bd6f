import { graphql, type ResultOf } from '../api/graphql.ts';

const RuleFields = graphql(`
  fragment RuleFields on AlertRule {
    id
    name
    metric
    operator
    threshold
    accountId
    provider
    service
    tagKey
    tagValue
    emails
    slack
    enabled
    lastTriggeredAt
    createdById
    createdAt
  }
`);

export const AlertRulesQuery = graphql(
  `
    query AlertRules(
      $accountId: [ID!]
      $provider: [String!]
      $service: [String!]
      $enabled: Boolean
      $sortBy: AlertRuleSort
      $page: Int!
    ) {
      alertRules(
        accountId: $accountId
        provider: $provider
        service: $service
        enabled: $enabled
        sortBy: $sortBy
        page: $page
        perPage: 25
      ) {
        data {
          ...RuleFields
        }
        pagination {
          page
          perPage
          total
          totalPages
        }
      }
    }
  `,
  [RuleFields],
);

export const AlertRuleQuery = graphql(
  `
    query AlertRule($id: ID!) {
      alertRule(id: $id) {
        ...RuleFields
      }
    }
  `,
  [RuleFields],
);

/** Recent daily costs in a rule's scope. */
export const RuleDaysQuery = graphql(`
  query RuleDays(
    $startDate: Date!
    $endDate: Date!
    $accountId: [ID!]
    $provider: [String!]
    $service: [String!]
    $tagKey: String
    $tagValue: [String!]
  ) {
    costsDaily(
      startDate: $startDate
      endDate: $endDate
      accountId: $accountId
      provider: $provider
      service: $service
      tagKey: $tagKey
      tagValue: $tagValue
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

export const CreateAlertRule = graphql(`
  mutation CreateAlertRule($input: CreateAlertRuleInput!) {
    createAlertRule(input: $input) {
      id
      name
    }
  }
`);

export const UpdateAlertRule = graphql(`
  mutation UpdateAlertRule($id: ID!, $input: UpdateAlertRuleInput!) {
    updateAlertRule(id: $id, input: $input) {
      id
      name
    }
  }
`);

export const DeleteAlertRule = graphql(`
  mutation DeleteAlertRule($id: ID!) {
    deleteAlertRule(id: $id)
  }
`);

export type AlertRule = NonNullable<ResultOf<typeof AlertRuleQuery>['alertRule']>;
