import * as operations from '../../../schema/operations.ts';
import { graphql, type RecordOf } from '../api/graphql.ts';

export const TagKeysQuery = graphql(operations.tags, [graphql(operations.TagKeyFields)]);

/** Tag key in a list. */
export type TagKeyRow = RecordOf<typeof TagKeysQuery>;

export const ViolationsQuery = graphql(operations.tagViolations, [
  graphql(`
    fragment TagViolationFields on TagViolation {
      policyId
      policyName
      key
      value
      problem
      costLast30Days
      currency
      converted {
        costLast30Days
        currency
      }
      otherCosts {
        costLast30Days
        currency
      }
      resource {
        id
        name
        resourceType
        inventory {
          tags
        }
      }
    }
  `),
]);

/** Violation in a list. */
export type ViolationRow = RecordOf<typeof ViolationsQuery>;

export const PoliciesQuery = graphql(operations.tagPolicies, [graphql(operations.TagPolicyFields)]);

/** Policy in a list. */
export type PolicyRow = RecordOf<typeof PoliciesQuery>;
/** Rule of a policy, for one tag key. */
export type PolicyRule = PolicyRow['rules'][number];

export const PolicyQuery = graphql(operations.tagPolicy, [graphql(operations.TagPolicyFields)]);

export const CreatePolicy = graphql(operations.createTagPolicy);

/** Replaces all fields of a policy. */
export const UpdatePolicy = graphql(operations.updateTagPolicy);

/** Deletes a policy with its violations. */
export const DeletePolicy = graphql(operations.deleteTagPolicy);

export const VirtualTagsQuery = graphql(operations.virtualTags, [graphql(operations.VirtualTagFields)]);

export const VirtualTagQuery = graphql(operations.virtualTag, [graphql(operations.VirtualTagFields)]);

/** Virtual tag in a list. Its rules and splits are null for members with access to only some accounts. */
export type VirtualTagRow = RecordOf<typeof VirtualTagsQuery>;

export const CreateVirtualTag = graphql(operations.createVirtualTag);

/** Changes the given fields of a virtual tag. */
export const UpdateVirtualTag = graphql(operations.updateVirtualTag);

export const DeleteVirtualTag = graphql(operations.deleteVirtualTag);

/** Evaluates rules over the last 30 complete days without storing them. */
export const PreviewVirtualTag = graphql(operations.previewVirtualTag);

/** Result of evaluating rules that are not stored. */
export type VirtualTagPreview = RecordOf<typeof PreviewVirtualTag>;
