import { graphql, type ResultOf } from '../../api/graphql.ts';

/** A page of the members. */
export const MemberList = graphql(`
  query MemberList($search: String, $role: [Role!], $sortBy: MemberSort, $page: Int) {
    members(search: $search, role: $role, sortBy: $sortBy, page: $page, perPage: 25) {
      data {
        id
        role
        accountAccess
        twoFactorEnabled
        lockedUntil
        lastLoginAt
        joinedAt
        user {
          id
          name
          email
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

/** Changes a member's role. */
export const ChangeRole = graphql(`
  mutation ChangeRole($id: ID!, $role: Role!) {
    updateMember(id: $id, input: { role: $role }) {
      id
    }
  }
`);

/** Changes which accounts a member may see; null for all of them. */
export const ChangeAccess = graphql(`
  mutation ChangeAccess($id: ID!, $accountAccess: [ID!]) {
    updateMember(id: $id, input: { accountAccess: $accountAccess }) {
      id
    }
  }
`);

/** Lifts the lock of a member's login. */
export const UnlockMember = graphql(`
  mutation UnlockMember($id: ID!) {
    unlockMember(id: $id) {
      id
    }
  }
`);

/** Removes a member. */
export const RemoveMember = graphql(`
  mutation RemoveMember($id: ID!) {
    removeMember(id: $id)
  }
`);

/** A member of the list. */
export type Member = NonNullable<ResultOf<typeof MemberList>['members']>['data'][number];
