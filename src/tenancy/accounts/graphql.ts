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

/** Loads the account of a record without a foreign key, for a `prismaField` of type `Account`; null outside the
 *  caller's scope. */
export const accountById = batchedById((ids, query: AccountSelection, ctx) =>
  selectAccountsById(ctx.deps.db, viewerOf(ctx).scope, ids, query),
);

/** Options of a field for the account of an answer, such as a group of costs: `t.prismaField(namedAccount('…'))`. */
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

/** The same for a stored record without a foreign key to its account. */
export function accountRelation(description: string) {
  return { ...namedAccount(description), select: { accountId: true } } as const;
}

/** Loads the first of a list of accounts, for a `prismaField` of type `['Account']`, without those outside the
 *  caller's scope; null for null. */
export async function accountsOfIds(
  ids: readonly string[] | null,
  first: number,
  query: AccountSelection,
  ctx: Context,
) {
  const accounts = ids && (await Promise.all(ids.slice(0, first).map((id) => accountById(id, query, ctx))));
  return accounts && accounts.filter((account) => account !== null);
}

/** Loads the newest records about an account, for a `prismaField`, with two statements for any number of accounts.
 *  @param select the store's read by ids, within the caller's scope and selection */
export function newestOfAccount<Query, Row extends { readonly id: string }>(
  table: AccountTable,
  select: (db: Db, scope: OrgScope, ids: readonly string[], query: Query) => Promise<readonly Row[]>,
) {
  return batchedLists(
    (pages: readonly AccountPage[], ctx) => listNewestIds(ctx.deps.db, viewerOf(ctx).scope, table, pages),
    (ids, query: Query, ctx) => select(ctx.deps.db, viewerOf(ctx).scope, ids, query),
  );
}
