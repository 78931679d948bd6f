import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { pageArgs, pageComplexity, pageOf, pageRequest, sortArg } from '../../graph/paging.ts';
import type { RestRoute } from '../../graph/rest.ts';
import { acceptInvite } from './accept.ts';
import {
  InvitableRoleType,
  InvitePage,
  InviteResultsType,
  InviteStatusType,
  InviteType,
  JoinedType,
} from './graphql-types.ts';
import { addressesPerCall, inviteMembers, pageInvites, resendInvite, revokeInvite } from './send.ts';
import { inviteSortFields } from './store.ts';

const idArg = 'UUID of the invitation.';
const authScopes = { signedIn: true, can: 'members.write' } as const;

builder.queryFields((t) => ({
  invites: t.field({
    type: InvitePage,
    description: 'The invitations of the organization, however they stand, newest first.',
    authScopes: { signedIn: true },
    complexity: pageComplexity,
    args: {
      status: t.arg({ type: [InviteStatusType], description: 'Only those that stand so.' }),
      ...sortArg(inviteSortFields),
      ...pageArgs(),
    },
    extensions: { rest: route({ method: 'GET', path: '/org/invites', category: 'read', csv: 'data' }) },
    async resolve(_root, args, ctx) {
      const page = pageRequest(args);
      const { rows, total } = await pageInvites(ctx.deps, viewerOf(ctx).scope, args, page);
      return pageOf(rows, total, page);
    },
  }),
}));

builder.mutationFields((t) => ({
  inviteMembers: t.field({
    type: InviteResultsType,
    description:
      'Invites people by mail, all with the same role and accounts. Nobody is invited when one of the addresses is none. Who ' +
      'may see some accounts only grants no more than those. For Admins.',
    authScopes,
    args: {
      emails: t.arg.stringList({
        required: true,
        description: `The addresses; each entry may hold several, comma-separated. At most ${addressesPerCall} in all.`,
        extensions: {
          jsonSchema: {
            anyOf: [{ type: 'array', minItems: 1, items: { type: 'string' } }, { type: 'string' }],
          },
        },
      }),
      role: t.arg({ type: InvitableRoleType, required: true, description: 'The role that they all get.' }),
      accountAccess: t.arg.idList({
        description: 'Ids of the cloud accounts that they may see; absent or null for every account, empty for none.',
      }),
    },
    extensions: { rest: route({ path: '/org/invite', status: 201, category: 'write' }) },
    resolve: (_root, args, ctx) => inviteMembers(ctx.deps, viewerOf(ctx), actorOf(ctx), args),
  }),
  resendInvite: t.field({
    type: InviteType,
    description:
      'Sends an invitation again, expired or not, with a new link that is good for 7 days; the old one is good no more. For Admins.',
    authScopes,
    args: { id: t.arg.id({ required: true, description: idArg }) },
    extensions: { rest: route({ path: '/org/invites/{id}/resend', category: 'write', errors: ['CONFLICT'] }) },
    resolve: (_root, { id }, ctx) => resendInvite(ctx.deps, viewerOf(ctx), actorOf(ctx), id),
  }),
  revokeInvite: t.boolean({
    description: 'Takes an invitation back: its link is good no more. For Admins.',
    authScopes,
    args: { id: t.arg.id({ required: true, description: idArg }) },
    extensions: {
      rest: route({
        method: 'DELETE',
        path: '/org/invites/{id}',
        status: 204,
        category: 'write',
        errors: ['CONFLICT'],
      }),
    },
    async resolve(_root, { id }, ctx) {
      await revokeInvite(ctx.deps, viewerOf(ctx), actorOf(ctx), id);
      return true;
    },
  }),
  acceptInvite: t.field({
    type: JoinedType,
    description:
      'Accepts an invitation as a user who has an account already, with the address that was invited. The session stays in its ' +
      'organization: see `switchOrganization`. Not for API tokens.',
    authScopes: { signedIn: true, interactive: true },
    args: {
      inviteToken: t.arg.string({ required: true, description: 'The token in the link of the mail.' }),
    },
    extensions: { rest: route({ path: '/org/invites/accept', category: 'write', errors: ['CONFLICT'] }) },
    resolve: (_root, { inviteToken }, ctx) => acceptInvite(ctx.deps, viewerOf(ctx), ctx.actor, inviteToken),
  }),
}));

function route(rest: Partial<RestRoute> & Pick<RestRoute, 'path' | 'category'>): RestRoute {
  return { method: 'POST', status: 200, tags: ['Organization'], ...rest };
}
