import type { GraphRow } from './resource-graph.ts';

/** Data about other resources that a resource's metadata needs. */
export interface Related {
  /** Disk ids in lower case. */
  readonly disks: ReadonlySet<string>;
  /** Returns whether the listing has every disk of that subscription. */
  readonly isListed: (id: string) => boolean;
  /** Number of databases of a pool, or connections of a gateway, by lower-case id. */
  readonly users: ReadonlyMap<string, number>;
}

/** Returns a resource's metadata, with the fields of `facts/inventory/metadata.ts`. Absent means unknown to Azure; null means
 *  none. */
export function metadataOf(row: GraphRow, related: Related): Record<string, unknown> {
  return withoutAbsent({
    kind: row.kind || undefined,
    sku: row.sku?.name || undefined,
    createdAt: dayOf(row.createdAt),
    ...kinds[row.type]?.(row, related),
  });
}

type Words = (row: GraphRow, related: Related) => Record<string, unknown>;

const kinds: Readonly<Record<string, Words>> = {
  'microsoft.compute/disks': (row) => ({
    state: row.state?.toLowerCase() || undefined,
    stateSince: row.state?.toLowerCase() === 'unattached' ? dayOf(row.stateSince) : undefined,
    attachedTo: row.managedBy || null,
    ...holderOf(row),
    sizeGib: row.sizeGib,
    iops: row.iops,
    throughputMibps: row.throughput,
    platform: row.osType?.toLowerCase() || undefined,
  }),
  'microsoft.compute/snapshots': (row, related) => ({
    sizeGib: row.sizeGib,
    sourceExists: sourceExists(row, related),
  }),
  'microsoft.compute/virtualmachines': (row) => ({
    state: /^PowerState\/(.+)$/i.exec(row.state ?? '')?.[1]?.toLowerCase(),
    instanceType: row.vmSize || undefined,
    platform: row.osType?.toLowerCase() || undefined,
    licenseType: row.licenseType || null,
    scalingGroup: row.scaleSet || null,
  }),
  'microsoft.sqlvirtualmachine/sqlvirtualmachines': (row) => ({ licenseType: row.licenseType || null }),
  'microsoft.sql/managedinstances': (row) => ({ licenseType: row.licenseType || null, ...zones(row) }),
  'microsoft.sql/servers/databases': (row) => ({ licenseType: row.licenseType || null, ...zones(row) }),
  'microsoft.sql/servers/elasticpools': (row, { users }) => ({
    licenseType: row.licenseType || null,
    usedByCount: users.get(row.id.toLowerCase()) ?? 0,
    ...zones(row),
  }),
  'microsoft.dbforpostgresql/flexibleservers': (row) => ({
    engine: 'postgres',
    engineVersion: row.version || undefined,
  }),
  'microsoft.dbformysql/flexibleservers': (row) => ({ engine: 'mysql', engineVersion: row.version || undefined }),
  'microsoft.network/publicipaddresses': (row) => ({ attachedTo: row.usedBy || null }),
  'microsoft.network/loadbalancers': (row) => ({ usedByCount: backendsOf(row.pools) + targetsOf(row.rules) }),
  'microsoft.network/applicationgateways': (row) => ({ usedByCount: backendsOf(row.pools) }),
  'microsoft.network/natgateways': (row) => ({ usedByCount: (row.children?.length ?? 0) + (row.usedBy ? 1 : 0) }),
  'microsoft.network/ddosprotectionplans': (row) => ({ usedByCount: row.children?.length ?? 0 }),
  'microsoft.network/virtualnetworkgateways': (row, { users }) => ({
    usedByCount: users.get(row.id.toLowerCase()) ?? 0,
  }),
  'microsoft.network/expressroutecircuits': (row) => ({ provisioningState: row.state || undefined }),
  'microsoft.web/serverfarms': (row) => ({ usedByCount: row.siteCount }),
  'microsoft.operationalinsights/workspaces': (row) => ({ retentionDays: row.retentionDays }),
};

/** Returns the holder of a disk. A reserved disk belongs to a deallocated machine, and its last change of ownership is when the
 *  machine was deallocated. */
function holderOf({ state, stateSince, managedBy }: GraphRow): Record<string, unknown> {
  if (!managedBy || state?.toLowerCase() !== 'reserved') return {};
  return { attachedToState: 'deallocated', attachedToStateSince: dayOf(stateSince) };
}

/** Undefined if unknown: the source is not a disk, or its subscription is not listed. */
function sourceExists({ sourceId }: GraphRow, { disks, isListed }: Related): boolean | undefined {
  const id = (sourceId ?? '').toLowerCase();
  if (!id.includes('/microsoft.compute/disks/')) return undefined;
  return disks.has(id) ? true : isListed(id) ? false : undefined;
}

function zones({ zoneRedundant }: GraphRow): Record<string, unknown> {
  return { multiAz: zoneRedundant };
}

/** Counts the backends of a load balancer or application gateway, by interface or address. */
function backendsOf(pools: GraphRow['pools']): number {
  const names = ['backendIPConfigurations', 'loadBalancerBackendAddresses', 'backendAddresses'];
  const counts = (pools ?? []).map((pool) => Math.max(0, ...names.map((name) => lengthOf(pool, name))));
  return counts.reduce((sum, each) => sum + each, 0);
}

/** Counts rules that target a machine without a pool. */
function targetsOf(rules: GraphRow['rules']): number {
  return (rules ?? []).filter((rule) => valueOf(propertiesOf(rule), 'backendIPConfiguration') !== undefined).length;
}

function lengthOf(pool: unknown, name: string): number {
  const value = valueOf(propertiesOf(pool), name);
  return Array.isArray(value) ? value.length : 0;
}

function propertiesOf(value: unknown): unknown {
  return valueOf(value, 'properties') ?? value;
}

function valueOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (Reflect.get(value, name) as unknown) : undefined;
}

function dayOf(value: string | null | undefined): string | undefined {
  return value && /^\d{4}-\d{2}-\d{2}/.test(value) && value > '0002' ? value : undefined;
}

/** Removes unknown values: a null number means that Azure does not report it. */
function withoutAbsent(words: Record<string, unknown>): Record<string, unknown> {
  const canBeNull = new Set(['attachedTo', 'licenseType', 'scalingGroup']);
  return Object.fromEntries(
    Object.entries(words).filter(([name, value]) => value !== undefined && (value !== null || canBeNull.has(name))),
  );
}

// FOCUS ServiceName by ARM type, as in Azure's FOCUS exports, for resources that are not in any bill yet.
const services: Readonly<Record<string, string>> = {
  'microsoft.apimanagement/service': 'API Management',
  'microsoft.app/containerapps': 'Azure Container Apps',
  'microsoft.automation/automationaccounts': 'Azure Automation',
  'microsoft.avs/privateclouds': 'Azure VMware Solution',
  'microsoft.cache/redis': 'Azure Cache for Redis',
  'microsoft.cdn/profiles': 'Content Delivery Network',
  'microsoft.cognitiveservices/accounts': 'Azure AI Services',
  'microsoft.compute/disks': 'Virtual Machines',
  'microsoft.compute/images': 'Virtual Machines',
  'microsoft.compute/snapshots': 'Virtual Machines',
  'microsoft.compute/virtualmachines': 'Virtual Machines',
  'microsoft.compute/virtualmachinescalesets': 'Virtual Machine Scale Sets',
  'microsoft.containerinstance/containergroups': 'Azure Container Instances',
  'microsoft.containerregistry/registries': 'Azure Container Registry',
  'microsoft.containerservice/managedclusters': 'Azure Kubernetes Service',
  'microsoft.databricks/workspaces': 'Azure Databricks',
  'microsoft.datafactory/factories': 'Azure Data Factory',
  'microsoft.dbformysql/flexibleservers': 'Azure DB for MySQL',
  'microsoft.dbforpostgresql/flexibleservers': 'Azure DB for PostgreSQL',
  'microsoft.desktopvirtualization/hostpools': 'Azure Virtual Desktop',
  'microsoft.documentdb/databaseaccounts': 'Cosmos DB',
  'microsoft.eventgrid/topics': 'Event Grid',
  'microsoft.eventhub/namespaces': 'Event Hubs',
  'microsoft.insights/components': 'Azure Monitor',
  'microsoft.keyvault/vaults': 'Key Vault',
  'microsoft.kusto/clusters': 'Azure Data Explorer',
  'microsoft.logic/workflows': 'Logic Apps',
  'microsoft.machinelearningservices/workspaces': 'Azure Machine Learning',
  'microsoft.netapp/netappaccounts': 'Azure NetApp Files',
  'microsoft.network/applicationgateways': 'Application Gateway',
  'microsoft.network/azurefirewalls': 'Azure Firewall',
  'microsoft.network/bastionhosts': 'Azure Bastion',
  'microsoft.network/ddosprotectionplans': 'Azure DDoS Protection',
  'microsoft.network/dnszones': 'Azure DNS',
  'microsoft.network/expressroutecircuits': 'Azure ExpressRoute',
  'microsoft.network/frontdoors': 'Azure Front Door',
  'microsoft.network/loadbalancers': 'Load Balancer',
  'microsoft.network/natgateways': 'Azure NAT Gateway',
  'microsoft.network/networkinterfaces': 'Virtual Network',
  'microsoft.network/privatednszones': 'Azure Private Link',
  'microsoft.network/privateendpoints': 'Azure Private Link',
  'microsoft.network/publicipaddresses': 'Virtual Network',
  'microsoft.network/virtualnetworkgateways': 'Virtual Network',
  'microsoft.network/virtualnetworks': 'Virtual Network',
  'microsoft.operationalinsights/workspaces': 'Azure Monitor',
  'microsoft.recoveryservices/vaults': 'Azure Site Recovery',
  'microsoft.search/searchservices': 'Azure AI Search',
  'microsoft.servicebus/namespaces': 'Service Bus',
  'microsoft.signalrservice/signalr': 'Azure SignalR Service',
  'microsoft.sql/managedinstances': 'Azure SQL Database',
  'microsoft.sql/servers': 'Azure SQL Database',
  'microsoft.sql/servers/databases': 'Azure SQL Database',
  'microsoft.sql/servers/elasticpools': 'Azure SQL Database',
  'microsoft.storage/storageaccounts': 'Storage Accounts',
  'microsoft.streamanalytics/streamingjobs': 'Azure Stream Analytics',
  'microsoft.synapse/workspaces': 'Azure Synapse Analytics',
  'microsoft.web/serverfarms': 'Azure App Service',
  'microsoft.web/sites': 'Azure App Service',
};

/** Returns the service that bills a resource; for an unknown type, its resource provider.
 *  @param type ARM type in lower case */
export function serviceOf(type: string): string {
  return services[type] ?? type.split('/')[0] ?? '';
}
