import { queryFromInfo } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import { triedPasswordRule } from '../login/password.ts';
import { bounded, unclearable } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf, type Context } from '../../graph/context.ts';
import { listArgs, pageField, selectedPage } from '../../graph/paging.ts';
import { guardedRoute, readRoute, writeRoute } from '../../graph/rest.ts';
import { RoleType } from '../login/graphql-types.ts';
import { removeMember, transferOwnership, unlockMember, updateMember } from './manage.ts';
import { MemberPage, MemberType } from './graphql-types.ts';
import { memberSortFields, pageMembers, readMember } from './store.ts';

const idArg = 'UUID of the membership, as listed by `members`.';

builder.queryFields((t) => ({
  members: t.field({
    ...pageField(MemberPage),
    description: 'Lists the members of the organization, newest first.',
    args: {
      role: t.arg({ type: [RoleType], description: 'Only members with these roles.' }),
      search: t.arg.string({ description: 'Text in the name or email address, ignoring case.' }),
      ...listArgs('Member', memberSortFields),
    },
    ...readRoute('Organization', '/org/members', { csv: 'data' }),
    resolve: selectedPage((ctx, args, page) => pageMembers(ctx.deps, viewerOf(ctx).scope, args, page)),
  }),
  member: t.field({
    type: MemberType,
    description: 'Returns a member of the organization.',
    args: { id: t.arg.id({ required: true, description: idArg }) },
    ...readRoute('Organization', '/org/members/{id}'),
    resolve: (_root, { id }, ctx, info) => readSelected(ctx, info, id),
  }),
}));

const UpdateMemberInput = builder.inputType('UpdateMemberInput', {
  description: 'Changes to a member: omitted fields stay unchanged.',
  fields: (t) => ({
    role: t.field({ ...unclearable(), type: RoleType, description: 'New role: Admin, Member or Viewer.' }),
    ifRole: t.field({
      ...unclearable(),
      type: RoleType,
      description:
        'The `role` that you have read: if it has changed since, the update fails with `CONFLICT`. Send it with `role`.',
    }),
    accountAccess: t.idList({
      description: 'Ids of the cloud accounts to grant; null for all accounts, empty for none.',
    }),
    ifAccountAccess: t.idList({
      description:
        'The `accountAccess` that you have read, null for all accounts: if it has changed since, the update fails with `CONFLICT`. Send it with `accountAccess`.',
    }),
  }),
});

builder.mutationFields((t) => ({
  updateMember: t.field({
    type: MemberType,
    description:
      'Changes the role or account access of a member, effective with their next request. Pending invitations that the member may no longer send are revoked. The Super Admin cannot be changed. Callers with access to some accounts can only grant these. For Admins.',
    args: {
      id: t.arg.id({ required: true, description: idArg }),
      input: t.arg({ type: UpdateMemberInput, required: true, description: 'Fields to change.' }),
    },
    ...writeRoute('Organization', 'members.write', { method: 'PATCH', path: '/org/members/{id}' }),
    async resolve(_root, { id, input }, ctx, info) {
      await updateMember(ctx.deps, viewerOf(ctx), actorOf(ctx), { ...input, id });
      return readSelected(ctx, info, id);
    },
  }),
  removeMember: t.boolean({
    description:
      'Removes a member, effective with their next request. Their private views and dashboards are deleted, and their pending invitations are revoked; all other records are transferred to the Super Admin, who cannot be removed. For Admins.',
    args: { id: t.arg.id({ required: true, description: idArg }) },
    ...writeRoute('Organization', 'members.write', { method: 'DELETE', path: '/org/members/{id}' }),
    resolve: (_root, { id }, ctx) => removeMember(ctx.deps, viewerOf(ctx), actorOf(ctx), id).then(() => true),
  }),
  unlockMember: t.field({
    type: MemberType,
    description: 'Unlocks a member’s login after failed attempts, and resets the count. For Admins.',
    args: { id: t.arg.id({ required: true, description: idArg }) },
    ...writeRoute('Organization', 'members.write', { path: '/org/members/{id}/unlock' }),
    async resolve(_root, { id }, ctx, info) {
      await unlockMember(ctx.deps, viewerOf(ctx), actorOf(ctx), id);
      return readSelected(ctx, info, id);
    },
  }),
  transferOwnership: t.field({
    type: MemberType,
    description:
      'Makes another member the Super Admin. The caller becomes an Admin. For the Super Admin; requires the password. Not for API tokens.',
    args: {
      memberId: t.arg.id({ required: true, description: 'UUID of the new Super Admin’s membership.' }),
      password: t.arg.string({ ...bounded(triedPasswordRule), required: true, description: 'The caller’s password.' }),
    },
    ...guardedRoute(
      'Organization',
      { signedIn: true, interactive: true, can: 'organization.transfer' as const },
      {
        path: '/org/transfer-ownership',
        errors: ['CONFLICT', 'ACCOUNT_LOCKED'],
      },
    ),
    async resolve(_root, args, ctx, info) {
      await transferOwnership(ctx.deps, viewerOf(ctx), actorOf(ctx), args);
      return readSelected(ctx, info, args.memberId);
    },
  }),
}));

function readSelected(ctx: Context, info: GraphQLResolveInfo, id: string) {
  const { select } = queryFromInfo({ context: ctx, info, select: { id: true } });
  return readMember(ctx.deps, viewerOf(ctx).scope, id, select);
}
