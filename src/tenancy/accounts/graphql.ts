import type { Db } from '../../kit/db.ts';
import { viewerOf, type Context } from '../../graph/context.ts';
import { batchedById, batchedLists, relation } from '../../graph/relations.ts';
import type { OrgScope } from '../auth/scope.ts';
import {
  listNewestIds,
  selectAccountsById,
  type AccountPage,
  type AccountSelection,
  type AccountTable,
} from './store.ts';

/** The account that a record without a foreign key names, for a `prismaField` of the type `Account`; null outside the
 *  caller's scope. */
export const accountById = batchedById((ids, query: AccountSelection, ctx) =>
  selectAccountsById(ctx.deps.db, viewerOf(ctx).scope, ids, query),
);

/** Options of a field that leads to the account that an answer names, such as a group of costs:
 *  `t.prismaField(namedAccount('…'))`. */
export function namedAccount(description: string) {
  return {
    ...relation,
    type: 'Account',
    nullable: true,
    description,
    resolve: (
      query: AccountSelection,
      { accountId }: { readonly accountId: string | null },
      _args: object,
      ctx: Context,
    ) => accountById(accountId, query, ctx),
  } as const;
}

/** The same for a stored record where no foreign key leads to its account. */
export function accountRelation(description: string) {
  return { ...namedAccount(description), select: { accountId: true } } as const;
}

/** The first of some accounts, for a `prismaField` of the type `['Account']`, without those outside the caller's scope; null
 *  for null. */
export async function accountsOfIds(
  ids: readonly string[] | null,
  first: number,
  query: AccountSelection,
  ctx: Context,
) {
  const accounts = ids && (await Promise.all(ids.slice(0, first).map((id) => accountById(id, query, ctx))));
  return accounts && accounts.filter((account) => account !== null);
}

/** The newest records about an account, for a `prismaField`: two statements for any number of accounts.
 *  @param select the store's read of some ids, in the caller's scope and as far as they are selected */
export function newestOfAccount<Query, Row extends { readonly id: string }>(
  table: AccountTable,
  select: (db: Db, scope: OrgScope, ids: readonly string[], query: Query) => Promise<readonly Row[]>,
) {
  return batchedLists(
    (pages: readonly AccountPage[], ctx) => listNewestIds(ctx.deps.db, viewerOf(ctx).scope, table, pages),
    (ids, query: Query, ctx) => select(ctx.deps.db, viewerOf(ctx).scope, ids, query),
  );
}
