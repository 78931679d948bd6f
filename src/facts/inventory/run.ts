import { createHash } from 'node:crypto';
import type { Deps } from '../../kit/deps.ts';
import { notFound } from '../../kit/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import type { PageRequest } from '../../kit/page.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { AnswerCache } from '../costs/cache.ts';
import { resourceFilter, type ResourceFilter, type ResourceRequest } from './input.ts';
import {
  countResources,
  findResource,
  listResources,
  looksAtRows,
  termsOf,
  visibleAccounts,
  type CountColumn,
  type InventoryAccount,
  type InventoryResource,
  type ResourceCount,
} from './store.ts';

/** What there is, counted. The largest counts come first. */
export interface InventorySummary {
  readonly total: number;
  readonly byType: readonly { readonly resourceType: string; readonly count: number }[];
  readonly byRegion: readonly { readonly region: string; readonly count: number }[];
  readonly byAccount: readonly { readonly accountId: string; readonly accountName: string; readonly count: number }[];
}

const pages = new AnswerCache<{ rows: InventoryResource[]; total: number }>();
const summaries = new AnswerCache<InventorySummary>();

/** A page of the resources in the caller's scope, newest first unless sorted.
 *  @throws {AppError} VALIDATION_ERROR that names the parameter */
export async function pageResources(
  { pool }: Pick<Deps, 'pool'>,
  scope: OrgScope,
  request: ResourceRequest,
  page: PageRequest,
): Promise<{ rows: InventoryResource[]; total: number }> {
  const filter = resourceFilter(request);
  const visible = await visibleAccounts(pool, scope, filter.accountIds);
  const accounts = visible.map(({ id }) => id);
  return kept(pages, { pool, filter, about: [scope.organizationId, visible, page] }, async () => {
    const resolved = { ...filter, terms: await termsOf(pool, filter.tag) };
    const [rows, counts] = await Promise.all([
      listResources(pool, scope, { accounts, filter: resolved, page }),
      countResources(pool, scope, { accounts, filter: resolved, by: ['account_id'] }),
    ]);
    return { rows, total: sum(counts) };
  });
}

/** Answers a question about tags or text from the last time it was asked, unless an account was evaluated anew since: those
 *  alone look at every resource. All others are as quick as this. */
function kept<Answer extends object>(
  cache: AnswerCache<Answer>,
  { pool, filter, about }: { pool: Deps['pool']; filter: ResourceFilter; about: readonly unknown[] },
  compute: () => Promise<Answer>,
): Promise<Answer> {
  if (!looksAtRows(filter)) return compute();
  const key = createHash('sha256')
    .update(JSON.stringify([...about, filter]))
    .digest('base64url');
  return cache.get(pool, key, compute);
}

/** One resource in the caller's scope, gone or not.
 *  @throws {AppError} NOT_FOUND for an unknown id, one of another organization, and one outside the scope alike */
export async function readResource(
  { pool }: Pick<Deps, 'pool'>,
  scope: OrgScope,
  id: string,
): Promise<InventoryResource> {
  const resource = isUuid(id) ? await findResource(pool, scope, id) : null;
  if (!resource) throw notFound('Resource', id);
  return resource;
}

/** Counts the resources in the caller's scope by type, region and account.
 *  @throws {AppError} VALIDATION_ERROR that names the parameter */
export async function summarizeInventory(
  { pool }: Pick<Deps, 'pool'>,
  scope: OrgScope,
  request: Omit<ResourceRequest, 'sortBy'>,
): Promise<InventorySummary> {
  const filter = resourceFilter(request);
  const accounts = await visibleAccounts(pool, scope, filter.accountIds);
  return kept(summaries, { pool, filter, about: [scope.organizationId, accounts] }, async () => {
    const resolved = { ...filter, terms: await termsOf(pool, filter.tag) };
    const by = ['account_id', 'resource_type', 'region'] as const;
    const ids = accounts.map(({ id }) => id);
    return summaryOf(accounts, await countResources(pool, scope, { accounts: ids, filter: resolved, by }));
  });
}

function summaryOf(accounts: readonly InventoryAccount[], counts: readonly ResourceCount[]): InventorySummary {
  const names = new Map(accounts.map(({ id, name }) => [id, name]));
  return {
    total: sum(counts),
    byType: groups(counts, 'resource_type').map(([resourceType, count]) => ({ resourceType, count })),
    byRegion: groups(counts, 'region').map(([region, count]) => ({ region, count })),
    byAccount: groups(counts, 'account_id').map(([accountId, count]) => ({
      accountId,
      accountName: names.get(accountId) ?? '',
      count,
    })),
  };
}

function groups(counts: readonly ResourceCount[], column: CountColumn): [string, number][] {
  const sums = new Map<string, number>();
  for (const row of counts) sums.set(row[column], (sums.get(row[column]) ?? 0) + row.count);
  return [...sums].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}

function sum(counts: readonly ResourceCount[]): number {
  return counts.reduce((total, { count }) => total + count, 0);
}
