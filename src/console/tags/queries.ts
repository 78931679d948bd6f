import { graphql, type ResultOf } from '../api/graphql.ts';

export const TagKeysQuery = graphql(`
  query TagKeys($search: String, $accountId: [ID!], $provider: [String!], $sortBy: TagKeySort, $page: Int) {
    tags(search: $search, accountId: $accountId, provider: $provider, sortBy: $sortBy, page: $page, perPage: 25) {
      data {
        key
        valueCount
        resourceCount
        costLast30Days
        currency
        coveragePercent
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

/** Tag key in a list. */
export type TagKeyRow = NonNullable<ResultOf<typeof TagKeysQuery>['tags']>['data'][number];

/** Costs by value of a key, and usage of the keys whose names match it. */
export const TagKeyQuery = graphql(`
  query TagKeyCosts($key: String!, $startDate: Date!, $endDate: Date!, $accountId: [ID!], $provider: [String!]) {
    costs: costsByTag(
      tagKey: $key
      startDate: $startDate
      endDate: $endDate
      accountId: $accountId
      provider: $provider
    ) {
      currency
      totalCost
      groups {
        tagValue
        cost
        percentage
      }
      unconverted {
        currency
        cost
      }
    }
    usage: tags(search: $key, accountId: $accountId, provider: $provider, sortBy: KEY_ASC, perPage: 100) {
      data {
        key
        valueCount
        resourceCount
        coveragePercent
      }
    }
  }
`);

/** Costs by value of a key. */
export type TagCosts = NonNullable<ResultOf<typeof TagKeyQuery>['costs']>;

export const ViolationsQuery = graphql(`
  query Violations(
    $policyId: [ID!]
    $key: [String!]
    $problem: [TagProblem!]
    $accountId: [ID!]
    $provider: [String!]
    $resourceType: [String!]
    $sortBy: TagViolationSort
    $page: Int
  ) {
    tagViolations(
      policyId: $policyId
      key: $key
      problem: $problem
      accountId: $accountId
      provider: $provider
      resourceType: $resourceType
      sortBy: $sortBy
      page: $page
      perPage: 25
    ) {
      data {
        policyId
        policyName
        key
        problem
        value
        costLast30Days
        currency
        resource {
          id
          name
          resourceType
          accountId
          provider
        }
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

/** Violation in a list. */
export type ViolationRow = NonNullable<ResultOf<typeof ViolationsQuery>['tagViolations']>['data'][number];

/** Fields of a policy, wherever policies are listed. */
export const PolicyFields = graphql(`
  fragment PolicyFields on TagPolicy {
    id
    name
    provider
    accountId
    resourceTypes
    enabled
    violationCount
    evaluating
    createdById
    createdAt
    rules {
      key
      required
      allowedValues
      pattern
      caseSensitive
    }
  }
`);

export const PoliciesQuery = graphql(
  `
    query Policies($enabled: Boolean, $sortBy: TagPolicySort, $page: Int) {
      tagPolicies(enabled: $enabled, sortBy: $sortBy, page: $page, perPage: 25) {
        data {
          ...PolicyFields
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
  [PolicyFields],
);

/** Policy in a list. */
export type PolicyRow = NonNullable<ResultOf<typeof PoliciesQuery>['tagPolicies']>['data'][number];
/** Rule of a policy, for one tag key. */
export type PolicyRule = PolicyRow['rules'][number];

/** Enables or disables a policy. */
export const EnablePolicy = graphql(`
  mutation EnablePolicy($id: ID!, $enabled: Boolean!) {
    updateTagPolicy(id: $id, input: { enabled: $enabled }) {
      id
    }
  }
`);

export const CreatePolicy = graphql(`
  mutation CreatePolicy($input: CreateTagPolicyInput!) {
    createTagPolicy(input: $input) {
      id
    }
  }
`);

/** Replaces all fields of a policy. */
export const UpdatePolicy = graphql(`
  mutation UpdatePolicy($id: ID!, $input: UpdateTagPolicyInput!) {
    updateTagPolicy(id: $id, input: $input) {
      id
    }
  }
`);

/** Deletes a policy with its violations. */
export const DeletePolicy = graphql(`
  mutation DeletePolicy($id: ID!) {
    deleteTagPolicy(id: $id)
  }
`);
