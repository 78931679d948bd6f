import * as operations from '../../../../schema/operations.ts';
import { graphql, type ResultOf } from '../../api/graphql.ts';

const InviteRow = graphql(`
  fragment InviteRow on Invite {
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
`);

export const InviteList = graphql(operations.invites, [InviteRow]);

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
export const ResendInvite = graphql(operations.resendInvite);

export const RevokeInvite = graphql(operations.revokeInvite);

/** Invitation in the list. */
export type Invite = ResultOf<typeof InviteRow>;

/** Result for one address. */
export type InviteResult = NonNullable<ResultOf<typeof InviteMembers>['inviteMembers']>['results'][number];
