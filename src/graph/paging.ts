import type { ObjectRef } from '@pothos/core';
import { invalid } from '../kit/errors.ts';
import { builder } from './builder.ts';

const DEFAULT_PER_PAGE = 20;
const MAX_PER_PAGE = 100;
/** What a 32-bit OFFSET holds: further out every page is empty anyway. */
const MAX_SKIP = 2_147_483_647;

type Types = (typeof builder)['$inferSchemaTypes'];

/** Which page of a list a client wants. */
export interface PageRequest {
  /** From 1. */
  readonly page: number;
  /** 1 to 100. */
  readonly perPage: number;
  /** Rows before the page. */
  readonly skip: number;
  /** Rows of the page. */
  readonly take: number;
}

/** One page of a list. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly pagination: { page: number; perPage: number; total: number; totalPages: number };
}

const Pagination = builder.objectRef<Page<unknown>['pagination']>('Pagination').implement({
  description: 'Where a page stands in its list.',
  fields: (t) => ({
    page: t.exposeInt('page', { description: 'The page, from 1.' }),
    perPage: t.exposeInt('perPage', { description: 'How many items a page holds, 1 to 100.' }),
    total: t.exposeInt('total', { description: 'Items in the whole list.' }),
    totalPages: t.exposeInt('totalPages', { description: 'Pages in the whole list.' }),
  }),
});

const sharedArgs = builder.args((t) => ({
  page: t.int({
    defaultValue: 1,
    description: 'The page wanted, from 1. A page past the end is empty.',
    extensions: { jsonSchema: { minimum: 1 } },
  }),
  perPage: t.int({
    defaultValue: DEFAULT_PER_PAGE,
    description: 'Items a page holds, 1 to 100.',
    extensions: { jsonSchema: { minimum: 1, maximum: MAX_PER_PAGE } },
  }),
}));

/** The two arguments of every list: `args: { ...pageArgs(), … }`. */
export function pageArgs(): typeof sharedArgs {
  return sharedArgs;
}

/** The argument by which a list is sorted: `...sortArg(fields)`.
 *  @param fields as REST spells them
 *  @param otherwise the list's own order */
export function sortArg(fields: readonly string[], otherwise = 'Newest first') {
  return builder.args((t) => ({
    sortBy: t.string({
      description: `Field to sort by: ${fields.join(', ')}; with \`-\` before it, descending. ${otherwise} without it.`,
      extensions: { jsonSchema: { type: 'string', enum: fields.flatMap((field) => [field, `-${field}`]) } },
    }),
  }));
}

/** Makes the type `<name>Page` with `data` and `pagination`. */
export function pageType<Item>(name: string, item: ObjectRef<Types, Item>) {
  return builder.objectRef<Page<Item>>(`${name}Page`).implement({
    description: `One page of a list of ${name}.`,
    fields: (t) => ({
      data: t.field({
        type: [item],
        description: 'The items of the page, in the order of the list.',
        // The root field multiplies by the page's size already: see pageComplexity.
        complexity: { field: 1, multiplier: 1 },
        resolve: (page) => page.data,
      }),
      pagination: t.field({
        type: Pagination,
        description: 'Where the page stands.',
        resolve: (page) => page.pagination,
      }),
    }),
  });
}

/** The complexity of a root field that answers a page: `complexity: pageComplexity`. */
export function pageComplexity(args: { perPage?: number | null }): { field: number; multiplier: number } {
  return { field: 1, multiplier: Math.min(Math.max(args.perPage ?? DEFAULT_PER_PAGE, 1), MAX_PER_PAGE) };
}

/** Reads the two arguments; null means the default.
 *  @throws {AppError} VALIDATION_ERROR when one is out of range */
export function pageRequest(args: { page?: number | null; perPage?: number | null }): PageRequest {
  const page = args.page ?? 1;
  const perPage = args.perPage ?? DEFAULT_PER_PAGE;
  if (page < 1) throw invalid(`page must be 1 or more, not ${page}`);
  if (perPage < 1 || perPage > MAX_PER_PAGE) throw invalid(`per_page must be 1 to ${MAX_PER_PAGE}, not ${perPage}`);
  return { page, perPage, skip: Math.min((page - 1) * perPage, MAX_SKIP), take: perPage };
}

/** Puts a page's rows and the whole list's count into the envelope. */
export function pageOf<Item>(data: readonly Item[], total: number, { page, perPage }: PageRequest): Page<Item> {
  return { data, pagination: { page, perPage, total, totalPages: Math.ceil(total / perPage) } };
}
