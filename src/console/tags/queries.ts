import * as operations from '../../../schema/operations.ts';
import { graphql, type ResultOf } from '../api/graphql.ts';

const TagKeyRow = graphql(operations.TagKeyRow);

export const TagKeysQuery = graphql(operations.tags, [TagKeyRow]);

/** Tag key in a list. */
export type TagKeyRow = ResultOf<typeof TagKeyRow>;

const TagViolationRow = graphql(operations.TagViolationRow);

export const ViolationsQuery = graphql(operations.tagViolations, [TagViolationRow]);

/** Violation in a list. */
export type ViolationRow = ResultOf<typeof TagViolationRow>;

const TagPolicyRow = graphql(operations.TagPolicyRow);

export const PoliciesQuery = graphql(operations.tagPolicies, [TagPolicyRow]);

/** Policy in a list. */
export type PolicyRow = ResultOf<typeof TagPolicyRow>;
/** Rule of a policy, for one tag key. */
export type PolicyRule = PolicyRow['rules'][number];

const TagPolicyFields = graphql(operations.TagPolicyFields);

export const PolicyQuery = graphql(operations.tagPolicy, [TagPolicyFields]);

export const CreatePolicy = graphql(operations.createTagPolicy);

/** Replaces all fields of a policy. */
export const UpdatePolicy = graphql(operations.updateTagPolicy);

/** Deletes a policy with its violations. */
export const DeletePolicy = graphql(operations.deleteTagPolicy);
