import { expect } from 'vitest';
import { recordListing } from '../../../src/facts/inventory/listing.ts';
import type { ListedResource } from '../../../src/facts/inventory/listing.ts';
import type { ResourceRequest } from '../../../src/facts/inventory/input.ts';
import { refreshInventory } from '../../../src/facts/inventory/refresh.ts';
import { allResources, nameColumns, pageResources, readResources } from '../../../src/facts/inventory/run.ts';
import type { InventoryResource } from '../../../src/facts/inventory/store.ts';
import type { PageRequest } from '../../../src/kit/page.ts';
import { addDays, daysIn, type Day } from '../../../src/kit/time/period.ts';
import { evaluateTags } from '../../../src/facts/tags/evaluation/evaluate.ts';
import { orgScope } from '../../../src/tenancy/auth/scope.ts';
import { fillCube, type CubeWorld } from '../../support/cube.ts';
import type { World } from '../../support/world.ts';
import { accountId } from '../coverage/world.ts';
import { aLine, type FocusRow } from '../../support/focus.ts';
import type { Bills } from '../../ingest/world.ts';

/** The last complete day of bills with a later charge, by the clock of `bills`. */
export const lastDay: Day = '2026-08-08';

/** A charge of a disk on a day. */
export function charge(day: Day, more: FocusRow & { cost?: string } = {}): FocusRow {
  const volume = { ResourceId: 'vol-1', ResourceName: 'orders', ResourceType: 'Volume' };
  return aLine({ day, ServiceName: 'Amazon EBS', RegionId: 'eu-west-1', ...volume, ...more });
}

/** The same charge on each day of a range, including the last one. */
export function daily(from: Day, to: Day, more: FocusRow = {}): FocusRow[] {
  return daysIn({ start: from, end: addDays(to, 1) }).map((day) => charge(day, more));
}

/** Charges of another resource that extend the complete days to `lastDay`. */
export function background(): FocusRow[] {
  return daily('2026-07-01', lastDay, { ResourceId: 'i-0', ResourceName: 'other', ResourceType: 'Instance' });
}

/** Writes bills, one file per month, replacing earlier ones, and syncs. */
export async function load(bills: Bills, rows: readonly FocusRow[]): Promise<void> {
  const months = Map.groupBy(rows, (row) => String(row['BillingPeriodStart']).slice(0, 7));
  for (const [month, lines] of months) await bills.put(`${month}.csv`, lines);
  await bills.sync();
}

/** A disk as listed by a provider. */
export function listed(more: Partial<ListedResource> = {}): ListedResource {
  const place = { provider: 'aws', service: 'Amazon EBS', region: 'eu-west-1' };
  const plain = { name: 'listed orders', resourceType: 'AWS::EC2::Volume', tags: {}, metadata: {} };
  return { ...place, ...plain, nativeId: 'vol-1', ...more };
}

export function list(
  bills: Bills,
  items: readonly ListedResource[],
  at: string,
  unread: readonly string[] = [],
): Promise<void> {
  return recordListing(bills.deps, bills.scope, bills.accountId, { items, listedAt: new Date(at), unread });
}

/** Refreshes the inventory, by default at noon two days after the last complete day. */
export function refresh(bills: Bills, now = '2026-08-10T12:00:00Z'): Promise<number> {
  return refreshInventory({ ...bills.deps, clock: { now: () => new Date(now) } }, bills.scope, bills.accountId);
}

export function resources({ deps, scope }: Bills, request: ResourceRequest = {}): Promise<InventoryResource[]> {
  return Array.fromAsync(allResources(deps, scope, request));
}

/** A page of a list with all columns. */
export async function pageOf(
  { deps, scope }: Pick<Bills, 'deps' | 'scope'>,
  request: ResourceRequest = {},
  page: PageRequest = { skip: 0, take: 100 },
) {
  const { rows: names, total } = await pageResources(deps, scope, request, { ...page, select: nameColumns });
  const rows = (await readResources(deps, scope, names, {})).filter((row) => row !== null);
  expect(rows).toHaveLength(names.length);
  return { rows, total };
}

/** The disk of `charge` and `listed`, deleted or not. */
export async function disk(bills: Bills): Promise<InventoryResource | undefined> {
  return (await resources(bills, { includeGone: true })).find(({ nativeId }) => nativeId === 'vol-1');
}

/** Registers an organization in dollars with the charges of one account, and evaluates its inventory and a tag policy.
 *  @returns an access token */
export async function evaluated(
  { deps, register, rest }: World,
  { completeThrough, ...data }: Pick<CubeWorld, 'lines' | 'rates'> & { readonly completeThrough: Day },
): Promise<string> {
  const { token } = await register();
  const me = await rest<{ organization: { id: string } }>('GET', '/auth/me', { token });
  const organizationId = me.body.organization.id;
  const accounts = [{ id: accountId, name: 'One', completeThrough }];
  await fillCube(deps, { organizationId, currency: 'USD', accounts, identifiers: [], ...data });
  const rules = [{ key: 'team', required: true }];
  await rest('POST', '/tag-policies', { token, body: { name: 'Teams', rules } });
  const scope = orgScope(organizationId, null);
  await refreshInventory(deps, scope, accountId);
  await evaluateTags(deps, scope, accountId);
  return token;
}
