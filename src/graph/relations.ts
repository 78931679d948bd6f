import { createContextCache } from '@pothos/core';
import { arg, invalid } from '../kit/errors/errors.ts';
import { builder } from './builder.ts';
import { viewerOf, type Context } from './context.ts';

const DEFAULT_FIRST = 20;
const MAX_FIRST = 100;

/** Options of every field that leads from one record to another. REST answers stay flat: they name the id instead. */
export const relation = { authScopes: { signedIn: true }, extensions: { rest: false } } as const;

/** Options of a field by which another one, with a relation's name in GraphQL, keeps that name in REST. */
export function restName(name: string) {
  return { extensions: { rest: { name } } };
}

const firstArg = builder.args((t) => ({
  first: t.int({ defaultValue: DEFAULT_FIRST, description: `Maximum number of items, 1 to ${MAX_FIRST}.` }),
}));

/** Options of every relation to many records: `t.field({ ...toMany, … })`. */
export const toMany = {
  ...relation,
  args: firstArg,
  // Read before the operation runs, so a number out of range is refused then.
  complexity: (args: { first?: number | null }) => ({ field: 1, multiplier: takeOf(args) }),
};

/** The number of records that a relation to many reads.
 *  @throws {AppError} VALIDATION_ERROR when it is out of range */
export function takeOf({ first }: { first?: number | null }): number {
  const take = first ?? DEFAULT_FIRST;
  if (take < 1 || take > MAX_FIRST) throw invalid`${arg('first', take)} must be 1 to ${MAX_FIRST}`;
  return take;
}

/** The query of a relation to an account: null where the caller's scope does not hold it. */
function visibleAccount(_args: object, ctx: Context) {
  const { organizationId, accountIds } = viewerOf(ctx).scope;
  return { where: { organizationId, ...(accountIds && { id: { in: [...accountIds] } }) } };
}

/** Options of the relation of a budget, rule or policy to its account: `t.relation('account', accountInScope)`. */
export const accountInScope = {
  ...relation,
  nullable: true,
  description: 'Connected account in scope; null for all accounts.',
  query: visibleAccount,
} as const;

/** Loads what fields of many records ask for in the same tick with one call.
 *  @param load answers in the order of the items */
export function batched<Item, Value>(load: (items: readonly Item[], ctx: Context) => Promise<readonly Value[]>) {
  const pendingOf = createContextCache<
    { current: { items: Item[]; values: Promise<readonly Value[]> } | null },
    Context
  >(() => ({ current: null }));
  return async (item: Item, ctx: Context): Promise<Value> => {
    const pending = pendingOf(ctx);
    if (!pending.current) {
      const items: Item[] = [];
      const values = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        pending.current = null;
        return load(items, ctx);
      });
      pending.current = { items, values };
    }
    const { items, values } = pending.current;
    const index = items.push(item) - 1;
    return (await values)[index] as Value;
  };
}

/** The same for what is asked of other records, with one call for each selection.
 *  @param load answers in the order of the keys */
export function batchedByQuery<Key, Query, Value>(
  load: (keys: readonly Key[], query: Query, ctx: Context) => Promise<readonly Value[]>,
) {
  const loadersOf = createContextCache<Map<string, (key: Key, ctx: Context) => Promise<Value>>, Context>(
    () => new Map(),
  );
  return (key: Key, query: Query, ctx: Context): Promise<Value> => {
    const loaders = loadersOf(ctx);
    const name = JSON.stringify(query);
    const loader = loaders.get(name) ?? batched((keys: readonly Key[]) => load(keys, query, ctx));
    loaders.set(name, loader);
    return loader(key, ctx);
  };
}

/** Loads records that others name by id, for relations without a foreign key: one call for each selection.
 *  @param load reads those of the ids that the caller sees */
export function batchedById<Query, Row extends { readonly id: string }>(
  load: (ids: readonly string[], query: Query, ctx: Context) => Promise<readonly Row[]>,
) {
  return batchedByQuery(async (keys: readonly (string | null)[], query: Query, ctx) => {
    const ids = [...new Set(keys.filter((id) => id !== null))];
    const rows = byId(ids.length > 0 ? await load(ids, query, ctx) : []);
    return keys.map((id) => (id === null ? null : (rows.get(id) ?? null)));
  });
}

/** Loads lists of records that the database cuts: two calls for each selection, however many lists there are.
 *  @param list answers the ids of each list, in the order of the keys
 *  @param load reads those of the ids that the caller sees */
export function batchedLists<Key, Query, Row extends { readonly id: string }>(
  list: (keys: readonly Key[], ctx: Context) => Promise<readonly (readonly string[])[]>,
  load: (ids: readonly string[], query: Query, ctx: Context) => Promise<readonly Row[]>,
) {
  return batchedByQuery(async (keys: readonly Key[], query: Query, ctx) => {
    const lists = await list(keys, ctx);
    const ids = [...new Set(lists.flat())];
    const rows = byId(ids.length > 0 ? await load(ids, query, ctx) : []);
    return lists.map((own) => own.map((id) => rows.get(id)).filter((row) => row !== undefined));
  });
}

function byId<Row extends { readonly id: string }>(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}
