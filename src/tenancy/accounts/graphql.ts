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

/** Options of a field that leads from a record to its account where no foreign key does: `t.prismaField(accountRelation('…'))`. */
export function accountRelation(description: string) {
  return {
    ...relation,
    type: 'Account',
    nullable: true,
    description,
    select: { accountId: true },
    resolve: (query: AccountSelection, { accountId }: { accountId: string }, _args: object, ctx: Context) =>
      accountById(accountId, query, ctx),
  } as const;
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
