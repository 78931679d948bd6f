import type { OutputRef } from '@pothos/core';
import type { Db } from '../../kit/db.ts';
import { builder } from '../../graph/builder.ts';
import { viewerOf, type Context } from '../../graph/context.ts';
import { batchedById, batchedLists, relation, takeOf, toMany } from '../../graph/relations.ts';
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

/** Options of a field for the account of a stored record without a foreign key to it. */
export function accountRelation(description: string) {
  return { ...namedAccount(description), select: { accountId: true } } as const;
}

/** Loads the first few accounts of a list, for a `prismaField` of type `['Account']`, without those outside the
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

/** Adds a field to `Account`: the newest records about the account, read with two statements for any number of accounts.
 *  @param type of a record
 *  @param select the store's read by ids, within the caller's scope and selection */
export function listOnAccount<Query extends object, Row extends { readonly id: string }>(
  field: string,
  table: AccountTable,
  type: OutputRef,
  {
    description,
    select,
  }: {
    readonly description: string;
    readonly select: (db: Db, scope: OrgScope, ids: readonly string[], query: Query) => Promise<readonly Row[]>;
  },
): void {
  const load = batchedLists(
    (pages: readonly AccountPage[], ctx) => listNewestIds(ctx.deps.db, viewerOf(ctx).scope, table, pages),
    (ids, query: Query, ctx) => select(ctx.deps.db, viewerOf(ctx).scope, ids, query),
  );
  const resolve = (query: Query, { id: accountId }: { id: string }, args: { first?: number }, ctx: Context) =>
    load({ accountId, first: takeOf(args) }, query, ctx);
  // Pothos infers the type of a record from its model, which is not known here.
  builder.prismaObjectField('Account', field, (t) =>
    t.prismaField({
      ...toMany,
      ...({ type: [type], resolve } as never as { type: ['Budget']; resolve: () => never }),
      description,
    }),
  );
}
