import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { Deps } from '../../kit/deps.ts';
import { requireById } from '../../kit/ids.ts';
import type { PageRequest } from '../../kit/page.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { AnswerCache } from '../../kit/answer-cache.ts';
import { resourceFilter, type ResourceRequest } from './input.ts';
import {
  countResources,
  listResources,
  looksAtRows,
  nameColumns,
  selectResource,
  selectResources,
  streamResources,
  termsOf,
  visibleAccounts,
  type InventoryAccount,
  type InventoryResource,
  type ListQuestion,
  type ResourceCount,
  type ResourceName,
  type ResourceSelection,
} from './store.ts';

export { nameColumns };
export type { ResourceName, ResourceSelection };

const kept = new AnswerCache<ResourceCount[]>();

/** Returns a page of selected resources in the caller's scope, newest first by default.
 *  @throws {AppError} VALIDATION_ERROR that names the parameter */
export async function pageResources(
  { db, pool }: Pick<Deps, 'db' | 'pool'>,
  scope: OrgScope,
  request: ResourceRequest,
  { select, ...page }: PageRequest & { select: typeof nameColumns },
): Promise<{ rows: ResourceName[]; total: number }> {
  const question = await questionOf(pool, scope, request);
  const total = sum(await countsOf(pool, scope, question));
  const names = await listResources(pool, scope, { ...question, page, total });
  const rows = await readResources({ db }, scope, names, { select });
  return { rows: rows.filter((row) => row !== null), total };
}

/** Streams all selected resources in the caller's scope, in the order of `pageResources`.
 *  @throws {AppError} VALIDATION_ERROR that names the parameter */
export async function* allResources(
  { pool }: Pick<Deps, 'pool'>,
  scope: OrgScope,
  request: ResourceRequest,
): AsyncGenerator<InventoryResource> {
  const question = await questionOf(pool, scope, request);
  const total = sum(await countsOf(pool, scope, question));
  yield* streamResources(pool, scope, { ...question, total });
}

interface Question extends Omit<ListQuestion, 'page' | 'total'> {
  readonly visible: readonly InventoryAccount[];
}

async function questionOf(pool: Pool, scope: OrgScope, request: ResourceRequest): Promise<Question> {
  const filter = resourceFilter(request);
  const visible = await visibleAccounts(pool, scope, filter.accountIds);
  const terms = await termsOf(pool, filter.tag);
  return { filter: { ...filter, terms }, visible, accounts: visible.map(({ id }) => id) };
}

/** Counts resources. Counts by tag or text scan all resources, and are therefore cached until an account is evaluated again. */
function countsOf(pool: Pool, scope: OrgScope, { filter, visible, accounts }: Question): Promise<ResourceCount[]> {
  const count = () => countResources(pool, scope, { accounts, filter });
  if (!looksAtRows(filter)) return count();
  const about = [scope.organizationId, visible, { ...filter, sort: null }];
  return kept.get(pool, createHash('sha256').update(JSON.stringify(about)).digest('base64url'), count);
}

/** Returns the selected fields of one resource in the caller's scope, gone or not.
 *  @throws {AppError} NOT_FOUND for an unknown id, one of another organization, and one outside the scope alike */
export function readResource(deps: Pick<Deps, 'db' | 'pool'>, scope: OrgScope, id: string, query: ResourceSelection) {
  return requireById('Resource', id, () => selectResource(deps, scope, id, query));
}

/** Returns the resources with these names, in order; null for one outside the caller's scope or no longer in the inventory.
 *  @param query selects at least the columns that identify a resource */
export async function readResources(
  { db }: Pick<Deps, 'db'>,
  scope: OrgScope,
  names: readonly ResourceName[],
  query: ResourceSelection,
) {
  const found = await selectResources(db, scope, names, query);
  const byName = new Map(found.map((resource) => [keyOf(resource), resource]));
  return names.map((name) => byName.get(keyOf(name)) ?? null);
}

function keyOf({ accountId, resourceId }: ResourceName): string {
  return `${accountId} ${resourceId}`;
}

/** Counts the resources in the caller's scope by type, region and account.
 *  @throws {AppError} VALIDATION_ERROR that names the parameter */
export async function summarizeInventory(
  { pool }: Pick<Deps, 'pool'>,
  scope: OrgScope,
  request: Omit<ResourceRequest, 'sortBy'>,
) {
  const question = await questionOf(pool, scope, request);
  return summaryOf(question.visible, await countsOf(pool, scope, question));
}

function summaryOf(accounts: readonly InventoryAccount[], counts: readonly ResourceCount[]) {
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

function groups(counts: readonly ResourceCount[], column: Exclude<keyof ResourceCount, 'count'>): [string, number][] {
  const sums = new Map<string, number>();
  for (const row of counts) sums.set(row[column], (sums.get(row[column]) ?? 0) + row.count);
  return [...sums].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}

function sum(counts: readonly ResourceCount[]): number {
  return counts.reduce((total, { count }) => total + count, 0);
}
