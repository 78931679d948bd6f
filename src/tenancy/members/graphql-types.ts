import { columns, instant, of, uuid } from '../../graph/answers.ts';
import { builder } from '../../graph/builder.ts';
import { viewerOf, type Context } from '../../graph/context.ts';
import { pageType } from '../../graph/paging.ts';
import { batched, foundById, takeOf, toMany } from '../../graph/relations.ts';
import { accountsOfIds } from '../accounts/graphql.ts';
import type { AccountSelection } from '../accounts/store.ts';
import { RoleType } from '../login/graphql-types.ts';
import { lockedUntil } from '../login/lockout.ts';
import { accessOf, knownAccounts, selectNewestMembers } from './store.ts';

/** Reduces lists of account ids to existing ones visible to the caller, keeping their order; null stays null. */
const visibleAccess = batched(async (lists: readonly (readonly string[] | null)[], ctx) => {
  const ids = [...new Set(lists.flatMap((list) => list ?? []))];
  const known = ids.length === 0 ? new Set() : await knownAccounts(ctx.deps.db, viewerOf(ctx).scope, ids);
  return lists.map((list) => list && list.filter((id) => known.has(id)).toSorted());
});

const lockOf = batched(async (emails: readonly string[], ctx) => {
  const locks = await lockedUntil(ctx.deps, emails);
  return emails.map((email) => locks.get(email) ?? null);
});

const accessColumns = { restricted: true, accountAccess: true } as const;

type AccessRow = Parameters<typeof accessOf>[0];

/** Options of a field with the accounts that a member or an invitation has access to, by id. */
export function accessIds(description: string) {
  return {
    nullable: true,
    description,
    select: accessColumns,
    resolve: (row: AccessRow, _args: object, ctx: Context) => visibleAccess(accessOf(row), ctx),
  } as const;
}

/** Options of the field with the accounts themselves. */
export const accessAccounts = {
  ...toMany,
  type: ['Account'] as ['Account'],
  nullable: true,
  description: 'Cloud accounts of `accountAccess`, by id; null for all accounts.',
  select: accessColumns,
  // Copies the query because Pothos warns if it is not read, and a row without accounts does not need it.
  async resolve({ ...query }: AccountSelection, row: AccessRow, args: { first?: number | null }, ctx: Context) {
    const take = takeOf(args);
    return accountsOfIds(await visibleAccess(accessOf(row), ctx), take, query, ctx);
  },
} as const;

/** The GraphQL type of a member. */
export const MemberType = builder.prismaObject('Membership', {
  name: 'Member',
  description: 'A member of the organization, with role and account access.',
  ...foundById,
  fields: (t) =>
    columns(t, 'Membership', {
      id: uuid('UUIDv7 of the membership.'),
      user: t.relation('user', { description: 'The user.' }),
      role: of(RoleType, 'Role in the organization.'),
      accountAccess: t.idList(
        accessIds(
          'Ids of the cloud accounts in the scopes of both the member and the caller; null for all accounts, empty for none.',
        ),
      ),
      accounts: t.prismaField(accessAccounts),
      twoFactorEnabled: t.boolean({
        description: 'Whether the member has a second factor: TOTP or a passkey.',
        select: { user: { select: { totpConfirmedAt: true, _count: { select: { passkeys: true } } } } },
        resolve: ({ user }) => user.totpConfirmedAt !== null || user._count.passkeys > 0,
      }),
      lockedUntil: t.field({
        type: 'DateTime',
        nullable: true,
        description: 'When the lock after failed logins ends; null if not locked.',
        select: { user: { select: { email: true } } },
        resolve: ({ user }, _args, ctx) => lockOf(user.email, ctx),
      }),
      lastLoginAt: t.field({
        type: 'DateTime',
        nullable: true,
        description: 'Time of the last login; null if never.',
        select: { user: { select: { lastLoginAt: true } } },
        resolve: ({ user }) => user.lastLoginAt,
      }),
      joinedAt: instant('When the user became a member.'),
    }),
});

builder.prismaObjectField('Organization', 'members', (t) =>
  t.prismaField({
    ...toMany,
    type: [MemberType],
    description: 'Members of the organization, newest first.',
    // Only for the organization of the caller's token: a login to another one has not been used yet. Copies the query
    // because Pothos warns if it is not read.
    resolve({ ...query }, { id }, args, ctx) {
      const { scope } = viewerOf(ctx);
      return id === scope.organizationId ? selectNewestMembers(ctx.deps.db, scope, takeOf(args), query) : [];
    },
  }),
);

/** A page of members. */
export const MemberPage = pageType('Member', MemberType);
