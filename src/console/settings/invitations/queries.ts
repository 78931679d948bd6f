import { graphql, type ResultOf } from '../../api/graphql.ts';

export const InviteList = graphql(`
  query InviteList($status: [InviteStatus!], $sortBy: InviteSort, $page: Int) {
    invites(status: $status, sortBy: $sortBy, page: $page, perPage: 25) {
      data {
        id
        email
        role
        accountAccess
        status
        sentAt
        expiresAt
        acceptedAt
        invitedBy {
          name
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

export const InviteMembers = graphql(`
  mutation InviteMembers($input: InviteMembersInput!) {
    inviteMembers(input: $input) {
      results {
        email
        status
      }
    }
  }
`);

/** Resends an invitation with a new link. */
export const ResendInvite = graphql(`
  mutation ResendInvite($id: ID!) {
    resendInvite(id: $id) {
      id
    }
  }
`);

export const RevokeInvite = graphql(`
  mutation RevokeInvite($id: ID!) {
    revokeInvite(id: $id)
  }
`);

/** Invitation in the list. */
export type Invite = NonNullable<ResultOf<typeof InviteList>['invites']>['data'][number];

/** Result for one address. */
export type InviteResult = NonNullable<ResultOf<typeof InviteMembers>['inviteMembers']>['results'][number];
