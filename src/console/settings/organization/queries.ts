import * as operations from '../../../../schema/operations.ts';
import { graphql, type ResultOf } from '../../api/graphql.ts';

const OrganizationFields = graphql(operations.OrganizationFields);

/** Settings and counts of the organization. */
export const OrganizationSettings = graphql(operations.organization, [OrganizationFields]);

/** Updates the given settings. */
export const UpdateOrganization = graphql(operations.updateOrganization);

/** Searches for members to whom ownership can be transferred. */
export const Heirs = graphql(`
  query Heirs($search: String) {
    members(search: $search, role: [ADMIN, MEMBER, VIEWER], sortBy: NAME_ASC, perPage: 50) {
      data {
        id
        role
        user {
          name
          email
        }
      }
    }
  }
`);

/** Two-factor status of the first hundred members, to count those without a second factor. */
export const SecondFactors = graphql(`
  query SecondFactors {
    members(perPage: 100) {
      data {
        twoFactorEnabled
        user {
          id
        }
      }
      pagination {
        total
      }
    }
  }
`);

/** Makes another member the Super Admin. */
export const TransferOwnership = graphql(operations.transferOwnership);

/** Permanently deletes the organization. */
export const DeleteOrganization = graphql(operations.deleteOrganization);

/** Organization with its settings. */
export type Organization = ResultOf<typeof OrganizationFields>;
