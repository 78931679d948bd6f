import { queryFromInfo } from '@pothos/plugin-prisma';
import { emailRule } from '../login/input.ts';
import { listOrItem } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { listArgs, pageField, selectedPage } from '../../graph/paging.ts';
import { guardedRoute, readRoute, writeRoute } from '../../graph/rest.ts';
import { acceptInvite } from './accept.ts';
import {
  InvitableRoleType,
  InvitePage,
  InviteResultsType,
  InviteStatusType,
  InviteType,
  JoinedType,
  showLink,
} from './graphql-types.ts';
import { addressesPerCall, inviteMembers, resendInvite, revokeInvite } from './send.ts';
import { inviteSortFields, pageInvites, readInvite } from './store.ts';

const idArg = 'UUID of the invitation.';

builder.queryFields((t) => ({
  invites: t.field({
    ...pageField(InvitePage),
    description: 'Lists invitations of every status, newest first.',
    args: {
      status: t.arg({ type: [InviteStatusType], description: 'Only items with these statuses.' }),
      ...listArgs('Invite', inviteSortFields),
    },
    ...readRoute('Organization', '/org/invites', { csv: 'data' }),
    resolve: selectedPage((ctx, args, page) => pageInvites(ctx.deps, viewerOf(ctx).scope, args, page)),
  }),
}));

const InviteMembersInput = builder.inputType('InviteMembersInput', {
  description: 'People to invite, with their role and accounts.',
  fields: (t) => ({
    emails: t.stringList({
      required: true,
      description: `Email addresses, at most ${addressesPerCall} in total. An entry can contain several, comma-separated.`,
      ...listOrItem({ minItems: 1, maxItems: addressesPerCall, items: emailRule }),
    }),
    role: t.field({ type: InvitableRoleType, required: true, description: 'Role of all invited people.' }),
    accountAccess: t.idList({
      description: 'Ids of the cloud accounts to grant; absent or null for all accounts, empty for none.',
    }),
  }),
});

builder.mutationFields((t) => ({
  inviteMembers: t.field({
    type: InviteResultsType,
    description:
      'Invites people by email, all with the same role and accounts. If one address is invalid, no invitation is sent. Callers with access to some accounts can only grant these. For Admins.',
    args: { input: t.arg({ type: InviteMembersInput, required: true, description: 'The people to invite.' }) },
    ...writeRoute('Organization', 'members.write', { path: '/org/invite', status: 201 }),
    async resolve(_root, { input }, ctx, info) {
      const path = ['results', 'invite'];
      const { select } = queryFromInfo({ context: ctx, info, path, select: { id: true, email: true } });
      const results = await inviteMembers(ctx.deps, viewerOf(ctx), actorOf(ctx), { ...input, select });
      for (const { invite, link } of results) if (invite) showLink(ctx, invite, link);
      return results;
    },
  }),
  resendInvite: t.field({
    type: InviteType,
    description:
      'Resends an invitation, expired or not. The new link is valid for 7 days; the old one stops working. For Admins.',
    args: { id: t.arg.id({ required: true, description: idArg }) },
    ...writeRoute('Organization', 'members.write', { path: '/org/invites/{id}/resend', errors: ['CONFLICT'] }),
    async resolve(_root, { id }, ctx, info) {
      showLink(ctx, { id }, await resendInvite(ctx.deps, viewerOf(ctx), actorOf(ctx), id));
      const { select } = queryFromInfo({ context: ctx, info, select: { id: true } });
      return readInvite(ctx.deps, viewerOf(ctx).scope, id, select);
    },
  }),
  revokeInvite: t.boolean({
    description: 'Revokes an invitation. Its link stops working. For Admins.',
    args: { id: t.arg.id({ required: true, description: idArg }) },
    ...writeRoute('Organization', 'members.write', {
      method: 'DELETE',
      path: '/org/invites/{id}',
      errors: ['CONFLICT'],
    }),
    resolve: (_root, { id }, ctx) => revokeInvite(ctx.deps, viewerOf(ctx), actorOf(ctx), id).then(() => true),
  }),
  acceptInvite: t.field({
    type: JoinedType,
    description:
      'Accepts an invitation as an existing user with the invited email address. The session stays in its organization until it is switched. Not for API tokens.',
    args: { inviteToken: t.arg.string({ required: true, description: 'Token from the link in the email.' }) },
    ...guardedRoute(
      'Organization',
      { signedIn: true, interactive: true },
      {
        path: '/org/invites/accept',
        errors: ['CONFLICT'],
      },
    ),
    resolve: (_root, { inviteToken }, ctx) => acceptInvite(ctx.deps, viewerOf(ctx), ctx.actor, inviteToken),
  }),
}));
