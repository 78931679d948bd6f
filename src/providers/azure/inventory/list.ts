import type { InventoryItem, InventorySource } from '../../contract.ts';
import type { AzureRefusal } from '../faults.ts';
import { type AzureManagement, isDenied } from '../request.ts';
import { subscriptionNames } from '../subscriptions.ts';
import { reservations, savingsPlans } from './commitments.ts';
import { type Related, metadataOf } from './metadata.ts';
import { type GraphRow, graphPages } from './resource-graph.ts';
import { serviceOf } from './services.ts';

/** Resources by Resource Graph, reservations and savings plans by their own lists. Metadata alone.
 *  @param subscriptions ids; none: all that the service principal may read */
export function azureInventory(management: AzureManagement, subscriptions: readonly string[]): InventorySource {
  return { list: (keep, signal) => list(management, subscriptions, keep, signal) };
}

type Keep = Parameters<InventorySource['list']>[0];

async function list(
  management: AzureManagement,
  subscriptions: readonly string[],
  keep: Keep,
  signal: AbortSignal,
): Promise<string[]> {
  const refusals: AzureRefusal[] = [];
  const orRefused = (error: unknown) => {
    if (!isDenied(error)) throw error;
    refusals.push(error);
    return [];
  };
  const warnings = await listResources(management, subscriptions, keep, signal).catch(orRefused);
  for (const commitments of [reservations, savingsPlans]) {
    const items = await commitments(management, signal).catch(orRefused);
    if (items.length > 0) await keep(items);
  }
  const [first] = refusals;
  if (first && refusals.length === 3) throw first;
  return [...warnings, ...refusals.map((refusal) => `Left out of the inventory: ${refusal.message}`)];
}

/** Resources whose words are said by others wait until all are known. */
const dependent = new Set([
  'microsoft.compute/snapshots',
  'microsoft.network/virtualnetworkgateways',
  'microsoft.sql/servers/elasticpools',
]);

async function listResources(
  management: AzureManagement,
  subscriptions: readonly string[],
  keep: Keep,
  signal: AbortSignal,
): Promise<string[]> {
  const readable = await subscriptionNames(management, signal);
  const hidden = subscriptions.filter((id) => !readable.has(id.toLowerCase()));
  const asked = subscriptions.length === 0 ? [...readable.keys()] : subscriptions.map((id) => id.toLowerCase());
  const wanted = asked.filter((id) => readable.has(id));
  if (wanted.length === 0)
    return hidden.length > 0
      ? hidden.map(unreadable)
      : [
          'No subscription can be read, so no resource is in the inventory: assign role "Reader" to the service principal',
        ];
  const relations = collectRelations(new Set(wanted));
  const waiting: GraphRow[] = [];
  for await (const rows of graphPages(management, wanted, signal)) {
    for (const row of rows) relations.add(row);
    waiting.push(...rows.filter(({ type }) => dependent.has(type)));
    await keep(rows.filter(({ type }) => !dependent.has(type)).map((row) => itemOf(row, relations)));
  }
  if (waiting.length > 0) await keep(waiting.map((row) => itemOf(row, relations)));
  return hidden.map(unreadable);
}

function unreadable(subscription: string): string {
  return (
    `Subscription "${subscription}" cannot be read, so its resources are not in the inventory: assign role "Reader" on it to the ` +
    'service principal, or correct settings.subscription_ids'
  );
}

/** What resources say of one another, as their pages come. */
function collectRelations(subscriptions: ReadonlySet<string>): Related & { add(row: GraphRow): void } {
  const disks = new Set<string>();
  const users = new Map<string, number>();
  return {
    disks,
    users,
    isListed: (id) => subscriptions.has(/^\/subscriptions\/([^/]+)\//i.exec(id)?.[1]?.toLowerCase() ?? ''),
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
