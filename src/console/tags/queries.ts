import * as operations from '../../../schema/operations.ts';
import { graphql, type ResultOf } from '../api/graphql.ts';

const TagKeyRow = graphql(operations.TagKeyRow);

export const TagKeysQuery = graphql(operations.tags, [TagKeyRow]);

/** Tag key in a list. */
export type TagKeyRow = ResultOf<typeof TagKeyRow>;

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

const TagViolationRow = graphql(operations.TagViolationRow);

export const ViolationsQuery = graphql(operations.tagViolations, [TagViolationRow]);

/** Violation in a list. */
export type ViolationRow = ResultOf<typeof TagViolationRow>;

/** Fields of a policy, wherever policies are listed. */
export const TagPolicyRow = graphql(operations.TagPolicyRow);

export const PoliciesQuery = graphql(operations.tagPolicies, [TagPolicyRow]);

/** Policy in a list. */
export type PolicyRow = ResultOf<typeof TagPolicyRow>;
/** Rule of a policy, for one tag key. */
export type PolicyRule = PolicyRow['rules'][number];

export const CreatePolicy = graphql(operations.createTagPolicy);

/** Replaces all fields of a policy. */
export const UpdatePolicy = graphql(operations.updateTagPolicy);

/** Deletes a policy with its violations. */
export const DeletePolicy = graphql(operations.deleteTagPolicy);
