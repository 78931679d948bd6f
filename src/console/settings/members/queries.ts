import { graphql, type ResultOf } from '../../api/graphql.ts';

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

export const ChangeRole = graphql(`
  mutation ChangeRole($id: ID!, $role: Role!) {
    updateMember(id: $id, input: { role: $role }) {
      id
    }
  }
`);

/** Changes which accounts a member can see; null means all. */
export const ChangeAccess = graphql(`
  mutation ChangeAccess($id: ID!, $accountAccess: [ID!]) {
    updateMember(id: $id, input: { accountAccess: $accountAccess }) {
      id
    }
  }
`);

/** Unlocks a member's login. */
export const UnlockMember = graphql(`
  mutation UnlockMember($id: ID!) {
    unlockMember(id: $id) {
      id
    }
  }
`);

export const RemoveMember = graphql(`
  mutation RemoveMember($id: ID!) {
    removeMember(id: $id)
  }
`);

/** Member in the list. */
export type Member = NonNullable<ResultOf<typeof MemberList>['members']>['data'][number];
