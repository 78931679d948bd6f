import type { InventoryItem, InventorySource, KeepItems, ListingEnd } from '../../contract.ts';
import type { AzureRefusal } from '../faults.ts';
import { type AzureManagement, isDenied, subscriptionNames } from '../request.ts';
import { reservations, savingsPlans } from './commitments.ts';
import { metadataOf, type Related, serviceOf } from './metadata.ts';
import { type GraphRow, graphPages } from './resource-graph.ts';

/** Lists resources with Resource Graph, and reservations and savings plans with their own APIs. Metadata only.
 *  @param subscriptions ids; empty: all that the service principal may read */
export function azureInventory(management: AzureManagement, subscriptions: readonly string[]): InventorySource {
  return { list: (keep, signal) => list(management, subscriptions, keep, signal) };
}

const listOf = (subscription: string) => `subscriptions/${subscription.toLowerCase()}`;
const commitmentLists = { reservations, savingsPlans } as const;

async function list(
  management: AzureManagement,
  subscriptions: readonly string[],
  keep: KeepItems,
  signal: AbortSignal,
): Promise<ListingEnd> {
  const refusals: AzureRefusal[] = [];
  const unread: string[] = [];
  const orRefused = (lists: string) => (error: unknown) => {
    if (!isDenied(error)) throw error;
    refusals.push(error);
    unread.push(`^${lists}$`);
    return null;
  };
  const end = await listResources(management, subscriptions, keep, signal).catch(orRefused(listOf('.*')));
  for (const [name, read] of Object.entries(commitmentLists)) {
    const items = (await read(management, signal).catch(orRefused(name))) ?? [];
    if (items.length > 0) await keep(items, name);
  }
  const [first] = refusals;
  if (first && refusals.length === 3) throw first;
  return {
    warnings: [...(end?.warnings ?? []), ...refusals.map(({ message }) => `Not in the inventory: ${message}`)],
    unread: [...(end?.unread ?? []), ...unread],
  };
}

/** Types whose metadata depends on other resources; they wait until all are known. */
const dependent = new Set([
  'microsoft.compute/snapshots',
  'microsoft.network/virtualnetworkgateways',
  'microsoft.sql/servers/elasticpools',
]);

async function listResources(
  management: AzureManagement,
  subscriptions: readonly string[],
  keep: KeepItems,
  signal: AbortSignal,
): Promise<ListingEnd> {
  const readable = await subscriptionNames(management, signal);
  const hidden = subscriptions.filter((id) => !readable.has(id.toLowerCase()));
  const asked = subscriptions.length === 0 ? [...readable.keys()] : subscriptions.map((id) => id.toLowerCase());
  const wanted = asked.filter((id) => readable.has(id));
  const end = { warnings: hidden.map(unreadable), unread: hidden.map((id) => `^${listOf(id)}$`) };
  if (wanted.length === 0) return hidden.length > 0 ? end : { warnings: [noneReadable], unread: [`^${listOf('.*')}$`] };
  const relations = collectRelations(new Set(wanted));
  const waiting: GraphRow[] = [];
  for await (const rows of graphPages(management, wanted, signal)) {
    for (const row of rows) relations.add(row);
    waiting.push(...rows.filter(({ type }) => dependent.has(type)));
    const others = rows.filter(({ type }) => !dependent.has(type));
    await keepRows(others, relations, keep);
  }
  await keepRows(waiting, relations, keep);
  return end;
}

async function keepRows(rows: readonly GraphRow[], related: Related, keep: KeepItems): Promise<void> {
  for (const [name, own] of Map.groupBy(rows, ({ id }) => listOf(subscriptionIn(id))))
    await keep(
      own.map((row) => itemOf(row, related)),
      name,
    );
}

function subscriptionIn(id: string): string {
  return /^\/subscriptions\/([^/]+)\//i.exec(id)?.[1]?.toLowerCase() ?? '';
}

const noneReadable =
  'No subscription can be read, so no resource is in the inventory: assign role "Reader" to the service principal';

function unreadable(subscription: string): string {
  return (
    `Subscription "${subscription}" cannot be read, so its resources are not in the inventory: assign role "Reader" on it to the ` +
    'service principal, or correct settings.subscription_ids'
  );
}

/** Collects relations between resources, page by page. */
function collectRelations(subscriptions: ReadonlySet<string>): Related & { add(row: GraphRow): void } {
  const disks = new Set<string>();
  const users = new Map<string, number>();
  return {
    disks,
    users,
    isListed: (id) => subscriptions.has(subscriptionIn(id)),
    add({ id, type, parentId, secondParentId }) {
      if (type === 'microsoft.compute/disks') disks.add(id.toLowerCase());
      for (const parent of [parentId, secondParentId]) {
        const key = (parent ?? '').toLowerCase();
        if (key !== '') users.set(key, (users.get(key) ?? 0) + 1);
      }
    },
  };
}

function itemOf(row: GraphRow, related: Related): InventoryItem {
  return {
    provider: 'azure',
    nativeId: row.id.toLowerCase(),
    aliases: [],
    name: row.name,
    resourceType: row.type,
    service: serviceOf(row.type),
    region: row.location?.toLowerCase().replaceAll(' ', '') || 'global',
    tags: Object.fromEntries(Object.entries(row.tags ?? {}).map(([key, value]) => [key, textOf(value)])),
    metadata: metadataOf(row, related),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value);
}
