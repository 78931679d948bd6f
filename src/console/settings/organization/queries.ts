import { graphql, type ResultOf } from '../../api/graphql.ts';

/** The organization's settings and counts. */
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

/** Changes what is named of the settings. */
export const UpdateOrganization = graphql(`
  mutation UpdateOrganization($input: UpdateOrganizationInput!) {
    updateOrganization(input: $input) {
      id
    }
  }
`);

/** Changes where bills for this service go; null for nowhere. */
export const UpdateBilling = graphql(`
  mutation UpdateBilling($billingEmail: String) {
    updateOrganization(input: { billingEmail: $billingEmail }) {
      id
    }
  }
`);

/** Members to whom the organization could be handed over, by a search. */
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

/** How many members have no second factor yet; up to a hundred are looked at. */
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

/** Deletes the organization for good. */
export const DeleteOrganization = graphql(`
  mutation DeleteOrganization($password: String!) {
    deleteOrganization(password: $password)
  }
`);

/** The organization as its settings show it. */
export type Organization = NonNullable<ResultOf<typeof OrganizationSettings>['organization']>;
