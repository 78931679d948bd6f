import type { ObjectRef } from '@pothos/core';
import { queryFromInfo } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import { arg, invalid } from '../kit/errors/errors.ts';
import type { SortBy } from '../kit/sort.ts';
import { camelOf } from '../kit/text/case.ts';
import { bounded } from './bounded.ts';
import { builder } from './builder.ts';
import type { Context } from './context.ts';
import { restName } from './relations.ts';

const DEFAULT_PER_PAGE = 20;
const MAX_PER_PAGE = 100;
/** The largest GraphQL Int and a 32-bit OFFSET; pages beyond it are empty anyway. */
const MAX_SKIP = 2_147_483_647;

type Types = (typeof builder)['$inferSchemaTypes'];

/** The requested page of a list. */
export interface PageRequest {
  /** Starts at 1. */
  readonly page: number;
  /** 1 to 100. */
  readonly perPage: number;
  /** Number of rows before the page. */
  readonly skip: number;
  /** Maximum number of rows on the page. */
  readonly take: number;
}

/** One page of a list. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly pagination: { page: number; perPage: number; total: number; totalPages: number };
}

const Pagination = builder.objectRef<Page<unknown>['pagination']>('Pagination').implement({
  description: 'Position of a page in its list.',
  fields: (t) => ({
    page: t.exposeInt('page', { description: 'Page number, from 1.' }),
    perPage: t.exposeInt('perPage', { description: 'Items per page, 1 to 100.' }),
    total: t.exposeInt('total', { description: 'Total number of items.' }),
    totalPages: t.exposeInt('totalPages', { description: 'Total number of pages.' }),
  }),
});

const sharedArgs = builder.args((t) => ({
  page: t.int({
    defaultValue: 1,
    description: 'Page number, from 1. A page past the end is empty.',
    extensions: { jsonSchema: { minimum: 1, maximum: MAX_SKIP } },
  }),
  perPage: t.int({
    defaultValue: DEFAULT_PER_PAGE,
    description: 'Items per page, 1 to 100.',
    extensions: { jsonSchema: { minimum: 1, maximum: MAX_PER_PAGE } },
  }),
}));

/** The two paging arguments. */
export function pageArgs(): typeof sharedArgs {
  return sharedArgs;
}

/** The sort argument of a list, with its enum `<name>Sort`: `...sortArg('Budget', budgetSortFields)`.
 *  @param fields in REST spelling
 *  @param otherwise the list's default order */
export function sortArg<Field extends string>(name: string, fields: readonly Field[], otherwise = 'Newest first') {
  const type = builder.enumType(`${name}Sort`, {
    description: `Sort order of a list of ${name}.`,
    values: Object.fromEntries(fields.flatMap(sortValues)),
  });
  return builder.args((t) => ({
    sortBy: t.field({ type, description: `Sort order. ${otherwise} by default.` }),
  }));
}

/** The arguments of every list: its sort order and the page. See `sortArg`. */
export function listArgs<Field extends string>(name: string, fields: readonly Field[], otherwise?: string) {
  return { ...sortArg(name, fields, otherwise), ...sharedArgs };
}

/** `NAME_ASC` and `NAME_DESC`; `name` and `-name` in REST. */
function sortValues<Field extends string>(field: Field) {
  const value = (direction: string, sortBy: SortBy<readonly Field[]>) => {
    const description = `By \`${camelOf(field)}\`, ${direction}ending.`;
    return [`${field}_${direction}`.toUpperCase(), { value: sortBy, description, ...restName(sortBy) }] as const;
  };
  return [value('asc', field), value('desc', `-${field}`)];
}

/** Creates the type `<name>Page` with `data` and `pagination`. */
export function pageType<Item>(name: string, item: ObjectRef<Types, Item>) {
  return builder.objectRef<Page<Item>>(`${name}Page`).implement({
    description: `One page of a list of ${name}.`,
    fields: (t) => ({
      data: t.field({
        type: [item],
        description: 'Items of the page, in list order.',
        ...bounded({ maxItems: MAX_PER_PAGE }),
        // The root field already multiplies by the page size: see pageComplexity.
        complexity: { field: 1, multiplier: 1 },
        resolve: (page) => page.data,
      }),
      pagination: t.field({
        type: Pagination,
        description: 'Position of the page in the list.',
        resolve: (page) => page.pagination,
      }),
    }),
  });
}

type Columns = Record<string, true>;

/** The complexity of a root field that returns a page: see `pageField`. */
export function pageComplexity(args: { perPage?: number | null }): { field: number; multiplier: number } {
  return { field: 1, multiplier: Math.min(Math.max(args.perPage ?? DEFAULT_PER_PAGE, 1), MAX_PER_PAGE) };
}

/** Options of every field that returns a page: its type and its complexity. */
export function pageField<Ref>(type: Ref) {
  return { type, complexity: pageComplexity } as const;
}

/** Reads the paging arguments; null means the default.
 *  @throws {AppError} VALIDATION_ERROR if one is out of range */
export function pageRequest(args: { page?: number | null; perPage?: number | null }): PageRequest {
  const page = args.page ?? 1;
  const perPage = args.perPage ?? DEFAULT_PER_PAGE;
  if (page < 1) throw invalid`${arg('page', page)} must be 1 or more`;
  if (perPage < 1 || perPage > MAX_PER_PAGE) throw invalid`${arg('per_page', perPage)} must be 1 to ${MAX_PER_PAGE}`;
  return { page, perPage, skip: Math.min((page - 1) * perPage, MAX_SKIP), take: perPage };
}

/** Wraps a page's rows and the total count. */
export function pageOf<Item>(data: readonly Item[], total: number, { page, perPage }: PageRequest): Page<Item> {
  return { data, pagination: { page, perPage, total, totalPages: Math.ceil(total / perPage) } };
}

/** Reads the requested page: `resolve: (_root, args, ctx) => paged(args, (page) => listKeys(…))`.
 *  @throws {AppError} VALIDATION_ERROR if the paging arguments are out of range */
export async function paged<Item>(
  args: { page?: number | null; perPage?: number | null },
  read: (page: PageRequest) => Promise<{ rows: readonly Item[]; total: number }>,
): Promise<Page<Item>> {
  const page = pageRequest(args);
  const { rows, total } = await read(page);
  return pageOf(rows, total, page);
}

/** Resolves a list field of a `pageType` over a `prismaObject`: `resolve: selectedPage((ctx, args, page) => …)`.
 *  @param list reads the page with the selected columns, and the total number of rows
 *  @param key the identifying columns of an item, if not its id */
export function selectedPage<Args extends Parameters<typeof pageRequest>[0], Item, Key extends Columns = { id: true }>(
  list: (
    ctx: Context,
    args: Args,
    page: PageRequest & { select: Key },
  ) => Promise<{ rows: readonly Item[]; total: number }>,
  key?: Key,
) {
  return (_root: object, args: Args, ctx: Context, info: GraphQLResolveInfo): Promise<Page<Item>> =>
    paged(args, (page) => {
      const { select } = queryFromInfo({ context: ctx, info, path: ['data'], select: key ?? { id: true } });
      return list(ctx, args, { ...page, select: select as Key });
    });
}
