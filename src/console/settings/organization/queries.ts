import { graphql, type ResultOf } from '../../api/graphql.ts';

/** Settings and counts of the organization. */
export const OrganizationSettings = graphql(`
  query OrganizationSettings {
    organization {
      id
      name
      currency
      requireTwoFactor
      memberCount
      accountCount
      createdAt
      billing {
        email
        plan
      }
    }
  }
`);

/** Updates the given settings. */
export const UpdateOrganization = graphql(`
  mutation UpdateOrganization($input: UpdateOrganizationInput!) {
    updateOrganization(input: $input) {
      id
    }
  }
`);

/** Updates the email address for Costkeep's own invoices; null for none. */
export const UpdateBilling = graphql(`
  mutation UpdateBilling($billingEmail: String) {
    updateOrganization(input: { billingEmail: $billingEmail }) {
      id
    }
  }
`);

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
export const TransferOwnership = graphql(`
  mutation TransferOwnership($memberId: ID!, $password: String!) {
    transferOwnership(memberId: $memberId, password: $password) {
      id
    }
  }
`);

/** Permanently deletes the organization. */
export const DeleteOrganization = graphql(`
  mutation DeleteOrganization($password: String!) {
    deleteOrganization(password: $password)
  }
`);

/** Organization with its settings. */
export type Organization = NonNullable<ResultOf<typeof OrganizationSettings>['organization']>;
