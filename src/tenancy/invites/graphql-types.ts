import { Role } from '../../../prisma/generated/client/enums.ts';
import { builder } from '../../graph/builder.ts';
import { pageType } from '../../graph/paging.ts';
import { RoleType, UserType } from '../auth/graphql-types.ts';
import type { Joined } from './accept.ts';
import type { InviteResult } from './send.ts';
import type { Invite } from './store.ts';

/** The roles that an invitation can give. */
export const InvitableRoleType = builder.enumType('InvitableRole', {
  description: 'What an invited person may do: everything but own the organization.',
  values: {
    ADMIN: { value: Role.admin, description: 'Everything but billing, ownership and deleting the organization.' },
    MEMBER: { value: Role.member, description: 'Reads, manages budgets, acts on anomalies and recommendations.' },
    VIEWER: { value: Role.viewer, description: 'Reads.' },
  },
});

/** How an invitation stands. */
export const InviteStatusType = builder.enumType('InviteStatus', {
  description: 'How an invitation stands.',
  values: {
    PENDING: { value: 'pending', description: 'Its link can be used.' },
    ACCEPTED: { value: 'accepted', description: 'Its link was used.' },
    EXPIRED: { value: 'expired', description: 'It was not used in time; it can be sent again.' },
    REVOKED: { value: 'revoked', description: 'It was taken back.' },
  } as const,
});

/** An invitation, in whatever answer it stands. */
export const InviteType = builder.objectRef<Invite>('Invite').implement({
  description: 'An invitation to the organization by mail. Its link is good for 7 days from when it was last sent.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUIDv7 of the invitation.' }),
    email: t.exposeString('email', { description: 'The address it was sent to, in lower case.' }),
    role: t.expose('role', { type: RoleType, description: 'The role that it gives.' }),
    accountAccess: t.exposeIDList('accountAccess', {
      nullable: true,
      description:
        'Ids of the cloud accounts that it lets see, of those that the caller may see; null for every account, empty for none.',
    }),
    status: t.expose('status', { type: InviteStatusType, description: 'How it stands now.' }),
    invitedBy: t.field({
      type: UserType,
      nullable: true,
      description: 'Who invited; null when that user is gone.',
      resolve: ({ inviterId, inviterEmail, inviterName }) =>
        inviterId === null ? null : { userId: inviterId, email: inviterEmail ?? '', name: inviterName ?? '' },
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    sentAt: t.expose('sentAt', { type: 'DateTime', description: 'When it was last sent.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When its link stops being good.' }),
    acceptedAt: t.expose('acceptedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was accepted; null: not yet.',
    }),
  }),
});

/** A page of invitations. */
export const InvitePage = pageType('Invite', InviteType);

const InviteResultStatusType = builder.enumType('InviteResultStatus', {
  description: 'What became of an address that was to be invited.',
  values: {
    INVITED: { value: 'invited', description: 'A mail is on its way.' },
    ALREADY_INVITED: {
      value: 'already_invited',
      description: 'It has an invitation, which stays as it is; it can be sent again by itself.',
    },
    ALREADY_MEMBER: { value: 'already_member', description: 'It belongs to a member.' },
  } as const,
});

const InviteResultType = builder.objectRef<InviteResult>('InviteResult').implement({
  description: 'What became of one address.',
  fields: (t) => ({
    email: t.exposeString('email', { description: 'The address, in lower case.' }),
    status: t.expose('status', { type: InviteResultStatusType, description: 'What became of it.' }),
    invite: t.field({
      type: InviteType,
      nullable: true,
      description: 'Its invitation, new or old; null for a member.',
      resolve: (result) => result.invite,
    }),
  }),
});

/** What became of every address. */
export const InviteResultsType = builder.objectRef<InviteResult[]>('InviteResults').implement({
  description: 'What became of the addresses that were to be invited.',
  fields: (t) => ({
    results: t.field({
      type: [InviteResultType],
      description: 'One for each address, in the order they were given; one that was given twice stands once.',
      resolve: (results) => results,
    }),
  }),
});

/** An organization that the caller has joined. */
export const JoinedType = builder.objectRef<Joined>('OrganizationMembership').implement({
  description: 'An organization that a user belongs to, with their role there.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUIDv7 of the organization.' }),
    name: t.exposeString('name', { description: 'Its display name.' }),
    role: t.expose('role', { type: RoleType, description: 'The user’s role there.' }),
  }),
});
