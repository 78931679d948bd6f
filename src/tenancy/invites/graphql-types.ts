import { createContextCache } from '@pothos/core';
import { answerType, columns, instant, of, orNull, text, uuid } from '../../graph/answers.ts';
import { bounded } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import type { Context } from '../../graph/context.ts';
import { pageType } from '../../graph/paging.ts';
import { foundById, relation } from '../../graph/relations.ts';
import { wordEnum } from '../../graph/stored-words.ts';
import { roleWords, RoleType } from '../login/graphql-types.ts';
import { accessAccounts, accessIds } from '../members/graphql-types.ts';
import type { InviteResult } from './send.ts';
import { statusOf } from './store.ts';

const { super_admin: _owner, ...invitable } = roleWords;

/** Roles that an invitation can assign. */
export const InvitableRoleType = wordEnum(
  'InvitableRole',
  'Role of an invited person: any but Super Admin.',
  invitable,
);

/** Status of an invitation. */
export const InviteStatusType = wordEnum('InviteStatus', 'Status of an invitation.', {
  pending: 'The link can be used.',
  accepted: 'Its link was used.',
  expired: 'The link has expired; the invitation can be sent again.',
  revoked: 'Revoked.',
});

/** Links that this answer shows, by invitation. */
const shownLinks = createContextCache<Map<string, string>, Context>(() => new Map());

/** Shows the link of an invitation in this answer. */
export function showLink(ctx: Context, { id }: { readonly id: string }, link: string | null): void {
  if (link !== null) shownLinks(ctx).set(id, link);
}

/** The GraphQL type of an invitation. */
export const InviteType = builder.prismaObject('Invite', {
  description: 'An invitation by email. Its link is valid for 7 days after it was last sent.',
  ...foundById,
  fields: (t) =>
    columns(t, 'Invite', {
      id: uuid('UUIDv7 of the invitation.'),
      email: text('The address it was sent to, in lower case.', bounded({ format: 'email' })),
      role: of(RoleType, 'Granted role.'),
      accountAccess: t.idList(
        accessIds(
          'Ids of the granted cloud accounts that are in the caller’s scope; null for all accounts, empty for none.',
        ),
      ),
      accounts: t.prismaField(accessAccounts),
      status: t.field({
        type: InviteStatusType,
        description: 'Current status.',
        select: { acceptedAt: true, revokedAt: true, expiresAt: true },
        resolve: (invite, _args, ctx) => statusOf(invite, ctx.deps.clock.now()),
      }),
      invitedBy: t.relation('inviter', {
        authScopes: relation.authScopes,
        nullable: true,
        description: 'The inviting member; the Super Admin for a former member’s invitation.',
      }),
      createdAt: instant('Creation time.'),
      sentAt: instant('When it was last sent.'),
      expiresAt: instant('Expiry of the link.'),
      acceptedAt: orNull(instant('When it was accepted; null if not accepted.')),
      link: t.string({
        nullable: true,
        description:
          'Link to pass on. Only if the server sends no emails, in the response that creates or resends the invitation; null otherwise.',
        resolve: ({ id }, _args, ctx) => shownLinks(ctx).get(id) ?? null,
      }),
    }),
});

/** A page of invitations. */
export const InvitePage = pageType('Invite', InviteType);

const InviteResultStatusType = wordEnum('InviteResultStatus', 'Result of an invitation to one address.', {
  invited: 'Invited by email, or by the link if the server sends no emails.',
  already_invited: 'Already invited; the invitation is unchanged and can be sent again.',
  already_member: 'Already a member.',
});

const InviteResultType = builder.objectRef<InviteResult>('InviteResult').implement({
  description: 'Result for one address.',
  fields: (t) => ({
    email: t.exposeString('email', { ...bounded({ format: 'email' }), description: 'The address, in lower case.' }),
    status: t.expose('status', { type: InviteResultStatusType, description: 'Result.' }),
    invite: t.field({
      type: InviteType,
      nullable: true,
      description: 'The invitation, new or existing; null for a member.',
      resolve: (result) => result.invite,
    }),
  }),
});

/** The results for all addresses. */
export const InviteResultsType = builder.objectRef<InviteResult[]>('InviteResults').implement({
  description: 'Results of the invitations.',
  fields: (t) => ({
    results: t.field({
      type: [InviteResultType],
      description: 'One result per address, in the given order, without duplicates.',
      resolve: (results) => results,
    }),
  }),
});

/** An organization that the caller has joined. */
export const JoinedType = answerType('OrganizationMembership', 'An organization of a user, with their role.', {
  id: uuid('UUIDv7 of the organization.'),
  name: text('Display name.'),
  role: of(RoleType, 'The user’s role in the organization.'),
});
