import { z } from 'zod';
import type { InventoryItem } from '../../contract.ts';
import { type AzureManagement, azurePages } from '../request.ts';

const text = z.string().nullish().catch(null);
const number = z.number().nullish().catch(null);

/** Fields of reservations and savings plans; each has a subset. */
const itemShape = z.object({
  id: z.string(),
  location: text,
  sku: z.object({ name: text }).nullish().catch(null),
  properties: z.object({
    displayName: text,
    provisioningState: text,
    displayProvisioningState: text,
    effectiveDateTime: text,
    expiryDateTime: text,
    expiryDate: text,
    term: text,
    billingPlan: text,
    quantity: number,
    reservedResourceType: text,
    appliedScopeType: text,
    renew: z.boolean().nullish().catch(null),
    commitment: z.object({ amount: number, currencyCode: text, grain: text }).nullish().catch(null),
    utilization: z
      .object({ aggregates: z.array(z.object({ grain: number, value: number })).nullish() })
      .nullish()
      .catch(null),
  }),
});
type Item = z.infer<typeof itemShape>;

/** The published examples of savings plans have the list in `value`. */
const pageShape = z.object({ value: z.array(z.unknown()), nextLink: z.string().nullish() });

const ended = /^(cancelled|expired|failed|merged|split|billingfailed)$/i;

/** Lists the reservations that the service principal may read, without ended ones.
 *  @throws as `azureRequest` */
export async function reservations(management: AzureManagement, signal: AbortSignal): Promise<InventoryItem[]> {
  const path = '/providers/Microsoft.Capacity/reservations';
  return listed(management, { operation: 'reservations', path }, signal, reservation);
}

/** Lists the savings plans that the service principal may read, without ended ones. */
export async function savingsPlans(management: AzureManagement, signal: AbortSignal): Promise<InventoryItem[]> {
  const path = '/providers/Microsoft.BillingBenefits/savingsPlans';
  return listed(management, { operation: 'savingsPlans', path }, signal, savingsPlan);
}

async function listed(
  management: AzureManagement,
  request: Parameters<typeof azurePages>[1],
  signal: AbortSignal,
  read: (item: Item) => InventoryItem,
): Promise<InventoryItem[]> {
  const items: InventoryItem[] = [];
  for await (const page of azurePages(management, request, linkOf, signal))
    for (const value of pageShape.safeParse(page).data?.value ?? []) {
      const item = itemShape.safeParse(value).data;
      if (item && !ended.test(item.properties.provisioningState ?? '')) items.push(read(item));
    }
  return items.map((item) => ({ ...item, aliases: aliasesOf(item, items) }));
}

/** Returns other names in bills: the last part of the id, and the order if it has only one commitment. */
function aliasesOf({ nativeId }: InventoryItem, items: readonly InventoryItem[]): string[] {
  const [, order = ''] = /^(.+)\/(?:reservations|savingsplans)\/[^/]+$/.exec(nativeId) ?? [];
  const isAlone = items.filter((item) => item.nativeId.startsWith(`${order}/`)).length === 1;
  return [nativeId.slice(nativeId.lastIndexOf('/') + 1), ...(order !== '' && isAlone ? [order] : [])];
}

function linkOf(page: unknown): string | null {
  return pageShape.safeParse(page).data?.nextLink || null;
}

function reservation(item: Item): InventoryItem {
  const { reservedResourceType, quantity } = item.properties;
  return {
    ...common(item, 'microsoft.capacity/reservationorders/reservations'),
    service: reservedServices[(reservedResourceType ?? '').toLowerCase()] ?? spaced(reservedResourceType ?? ''),
    region: item.location?.toLowerCase() || 'global',
    metadata: withoutAbsent({ ...shared(item), instanceType: item.sku?.name, count: quantity, kind: 'reservation' }),
  };
}

function savingsPlan(item: Item): InventoryItem {
  const { commitment } = item.properties;
  return {
    ...common(item, 'microsoft.billingbenefits/savingsplanorders/savingsplans'),
    service: 'Virtual Machines',
    region: 'global',
    metadata: withoutAbsent({
      ...shared(item),
      sku: item.sku?.name,
      kind: 'savings_plan',
      // FOCUS defines it as money per hour.
      hourlyCommitment: /^hourly$/i.test(commitment?.grain ?? '') ? commitment?.amount : undefined,
      currency: commitment?.currencyCode,
    }),
  };
}

/** Bills use the lower-case id. */
function common(item: Item, resourceType: string) {
  const nativeId = item.id.toLowerCase();
  const name = item.properties.displayName ?? '';
  return { provider: 'azure', nativeId, aliases: [], name, resourceType, tags: {} } as const;
}

function shared({ properties }: Item): Record<string, unknown> {
  const { utilization } = properties;
  return {
    state: (properties.displayProvisioningState ?? properties.provisioningState)?.toLowerCase(),
    createdAt: properties.effectiveDateTime,
    endsAt: properties.expiryDateTime ?? properties.expiryDate,
    termMonths: monthsOf(properties.term),
    payment: properties.billingPlan?.toLowerCase(),
    scope: properties.appliedScopeType?.toLowerCase(),
    renews: properties.renew,
    utilizationPercent30Days: utilization?.aggregates?.find(({ grain }) => grain === 30)?.value,
  };
}

/** Converts an ISO 8601 duration to months: `P3Y` is 36, `P1M` is 1. */
function monthsOf(term: string | null | undefined): number | undefined {
  const [, count, unit] = /^P(\d+)([YM])$/.exec(term ?? '') ?? [];
  return count === undefined ? undefined : Number(count) * (unit === 'Y' ? 12 : 1);
}

// FOCUS ServiceName by ReservedResourceType of the reservations API, where they differ.
const reservedServices: Readonly<Record<string, string>> = {
  appservice: 'Azure App Service',
  azuredataexplorer: 'Azure Data Explorer',
  blockblob: 'Storage Accounts',
  cosmosdb: 'Cosmos DB',
  databricks: 'Azure Databricks',
  manageddisk: 'Virtual Machines',
  mysql: 'Azure DB for MySQL',
  postgresql: 'Azure DB for PostgreSQL',
  rediscache: 'Azure Cache for Redis',
  sqldatabases: 'Azure SQL Database',
  sqldatawarehouse: 'Azure Synapse Analytics',
  virtualmachines: 'Virtual Machines',
};

function spaced(word: string): string {
  return word.replace(/([a-z])([A-Z])/g, '$1 $2');
}

function withoutAbsent(words: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(words).filter(([, value]) => value !== undefined && value !== null));
}
