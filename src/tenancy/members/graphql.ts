import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { pageArgs, pageComplexity, pageOf, pageRequest, sortArg } from '../../graph/paging.ts';
import type { RestRoute } from '../../graph/rest.ts';
import { RoleType } from '../auth/graphql-types.ts';
import { updateMember } from './change.ts';
import { MemberPage, MemberType } from './graphql-types.ts';
import { pageMembers } from './list.ts';
import { removeMember, unlockMember } from './remove.ts';
import { memberSortFields } from './store.ts';
import { transferOwnership } from './transfer.ts';

const idArg = 'UUID of the membership, as `members` lists it.';
const authScopes = { signedIn: true, can: 'members.write' } as const;

builder.queryFields((t) => ({
  members: t.field({
    type: MemberPage,
    description: 'The members of the organization; who joined last comes first.',
    authScopes: { signedIn: true },
    complexity: pageComplexity,
    args: {
      role: t.arg({ type: [RoleType], description: 'Only those with these roles.' }),
      search: t.arg.string({ description: 'Only those whose name or address holds this text, whatever its case.' }),
      ...sortArg(memberSortFields),
      ...pageArgs(),
    },
    extensions: { rest: route({ method: 'GET', path: '/org/members', category: 'read', csv: 'data' }) },
    async resolve(_root, args, ctx) {
      const page = pageRequest(args);
      const { rows, total } = await pageMembers(ctx.deps, viewerOf(ctx).scope, args, page);
      return pageOf(rows, total, page);
    },
  }),
}));

builder.mutationFields((t) => ({
  updateMember: t.field({
    type: MemberType,
    description:
      'Changes a member’s role, the accounts they may see, or both, from their next request on. Nobody changes the Super ' +
      'Admin. Who may see some accounts only grants no more than those. For Admins.',
    authScopes,
    args: {
      id: t.arg.id({ required: true, description: idArg }),
      role: t.arg({ type: RoleType, description: 'The new role: Admin, Member or Viewer.' }),
      accountAccess: t.arg.idList({
        description: 'Ids of the cloud accounts they may see from now on; null for every account, empty for none.',
      }),
    },
    extensions: { rest: route({ method: 'PATCH', path: '/org/members/{id}', category: 'write' }) },
    resolve: (_root, args, ctx) => updateMember(ctx.deps, viewerOf(ctx), actorOf(ctx), args),
  }),
  removeMember: t.boolean({
    description:
      'Removes a member: their access ends with their next request, and what they created passes to the Super Admin, whom ' +
      'nobody removes. For Admins.',
    authScopes,
    args: { id: t.arg.id({ required: true, description: idArg }) },
    extensions: { rest: route({ method: 'DELETE', path: '/org/members/{id}', status: 204, category: 'write' }) },
    async resolve(_root, { id }, ctx) {
      await removeMember(ctx.deps, viewerOf(ctx), actorOf(ctx), id);
      return true;
    },
  }),
  unlockMember: t.field({
    type: MemberType,
    description: 'Lifts the lock that wrong passwords put on a member’s login, and forgets their count. For Admins.',
    authScopes,
    args: { id: t.arg.id({ required: true, description: idArg }) },
    extensions: { rest: route({ method: 'POST', path: '/org/members/{id}/unlock', category: 'write' }) },
    resolve: (_root, { id }, ctx) => unlockMember(ctx.deps, viewerOf(ctx), actorOf(ctx), id),
  }),
  transferOwnership: t.field({
    type: MemberType,
    description:
      'Makes another member the Super Admin; the caller becomes an Admin. For the Super Admin, with the password again, and ' +
      'not for API tokens.',
    authScopes: { signedIn: true, interactive: true, can: 'organization.transfer' },
    args: {
      memberId: t.arg.id({ required: true, description: 'UUID of the membership of who becomes the Super Admin.' }),
      password: t.arg.string({ required: true, description: 'The caller’s password.' }),
    },
    extensions: {
      rest: route({
        method: 'POST',
        path: '/org/transfer-ownership',
        category: 'write',
        errors: ['CONFLICT', 'ACCOUNT_LOCKED'],
      }),
    },
    resolve: (_root, args, ctx) => transferOwnership(ctx.deps, viewerOf(ctx), actorOf(ctx), args),
  }),
}));

function route(rest: Partial<RestRoute> & Pick<RestRoute, 'method' | 'path' | 'category'>): RestRoute {
  return { status: 200, tags: ['Organization'], ...rest };
}
