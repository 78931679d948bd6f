import { graphql, type ResultOf } from '../../api/graphql.ts';

/** A page of the invitations. */
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

/** Invites several people. */
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

/** Sends an invitation again, with a new link. */
export const ResendInvite = graphql(`
  mutation ResendInvite($id: ID!) {
    resendInvite(id: $id) {
      id
    }
  }
`);

/** Takes an invitation back. */
export const RevokeInvite = graphql(`
  mutation RevokeInvite($id: ID!) {
    revokeInvite(id: $id)
  }
`);

/** An invitation of the list. */
export type Invite = NonNullable<ResultOf<typeof InviteList>['invites']>['data'][number];

/** What became of one address. */
export type InviteResult = NonNullable<ResultOf<typeof InviteMembers>['inviteMembers']>['results'][number];
