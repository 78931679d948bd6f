import { createContextCache } from '@pothos/core';
import { arg, invalid } from '../kit/errors/errors.ts';
import { builder } from './builder.ts';
import { viewerOf, type Context } from './context.ts';

const DEFAULT_FIRST = 20;
const MAX_FIRST = 100;

/** Options of every field that leads from one record to another. REST responses stay flat: they contain the id
 *  instead. */
export const relation = { authScopes: { signedIn: true }, extensions: { rest: false } } as const;

/** Options of the type of a stored record, which Pothos then finds by its id within the caller's organization. */
export const foundById = {
  select: { id: true },
  findUnique: ({ id }: { id: string }, ctx: Context) => ({ id, organizationId: viewerOf(ctx).scope.organizationId }),
} as const;

/** Options of a field that keeps its name in REST although a relation has that name in GraphQL. */
export function restName(name: string) {
  return { extensions: { rest: { name } } };
}

const firstArg = builder.args((t) => ({
  first: t.int({ defaultValue: DEFAULT_FIRST, description: `Maximum number of items, 1 to ${MAX_FIRST}.` }),
}));

/** Options of every to-many relation: `t.field({ ...toMany, … })`. */
export const toMany = {
  ...relation,
  args: firstArg,
  // Evaluated before the operation runs, so an out-of-range number is rejected then.
  complexity: (args: { first?: number | null }) => ({ field: 1, multiplier: takeOf(args) }),
};

/** The number of records that a to-many relation reads.
 *  @throws {AppError} VALIDATION_ERROR if it is out of range */
export function takeOf({ first }: { first?: number | null }): number {
  const take = first ?? DEFAULT_FIRST;
  if (take < 1 || take > MAX_FIRST) throw invalid`${arg('first', take)} must be 1 to ${MAX_FIRST}`;
  return take;
}

/** The query of a relation to an account: null if the account is outside the caller's scope. */
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

/** Batches the loads that fields of many records request in the same tick into one call (data loader).
 *  @param load returns values in the order of the items */
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

/** Batches loads of other records, with one call per selection.
 *  @param load returns values in the order of the keys */
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

/** Batches loads of records by id, for relations without a foreign key, with one call per selection.
 *  @param load reads those ids that the caller may see */
export function batchedById<Query, Row extends { readonly id: string }>(
  load: (ids: readonly string[], query: Query, ctx: Context) => Promise<readonly Row[]>,
) {
  return batchedByQuery(async (keys: readonly (string | null)[], query: Query, ctx) => {
    const ids = [...new Set(keys.filter((id) => id !== null))];
    const rows = byId(ids.length > 0 ? await load(ids, query, ctx) : []);
    return keys.map((id) => (id === null ? null : (rows.get(id) ?? null)));
  });
}

/** Batches loads of lists that the database limits: two calls per selection, however many lists there are.
 *  @param list returns the ids of each list, in the order of the keys
 *  @param load reads those ids that the caller may see */
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
