import type { GraphRow } from './resource-graph.ts';

/** What is known of other resources: a few words of one are said by others. */
export interface Related {
  /** Ids of disks, lower case. */
  readonly disks: ReadonlySet<string>;
  /** Whether every disk of that subscription is in the list. */
  readonly isListed: (id: string) => boolean;
  /** How many databases a pool has, and connections a gateway, by id in lower case. */
  readonly users: ReadonlyMap<string, number>;
}

/** A resource's metadata in the words of `facts/inventory/metadata.ts`. What Azure does not say is absent; null says that there
 *  is none. */
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

/** A disk is reserved by a machine that is deallocated, and its last change of owner is when that began. */
function holderOf({ state, stateSince, managedBy }: GraphRow): Record<string, unknown> {
  if (!managedBy || state?.toLowerCase() !== 'reserved') return {};
  return { attachedToState: 'deallocated', attachedToStateSince: dayOf(stateSince) };
}

/** Absent where nobody can know: the source is no disk, or of a subscription that is not listed. */
function sourceExists({ sourceId }: GraphRow, { disks, isListed }: Related): boolean | undefined {
  const id = (sourceId ?? '').toLowerCase();
  if (!id.includes('/microsoft.compute/disks/')) return undefined;
  return disks.has(id) ? true : isListed(id) ? false : undefined;
}

function zones({ zoneRedundant }: GraphRow): Record<string, unknown> {
  return { multiAz: zoneRedundant };
}

/** What stands in a balancer's pools, by interface or by address. */
function backendsOf(pools: GraphRow['pools']): number {
  const names = ['backendIPConfigurations', 'loadBalancerBackendAddresses', 'backendAddresses'];
  const counts = (pools ?? []).map((pool) => Math.max(0, ...names.map((name) => lengthOf(pool, name))));
  return counts.reduce((sum, each) => sum + each, 0);
}

/** Rules that lead to a machine without any pool. */
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

/** Null of a number means that Azure does not say. */
function withoutAbsent(words: Record<string, unknown>): Record<string, unknown> {
  const canBeNull = new Set(['attachedTo', 'licenseType', 'scalingGroup']);
  return Object.fromEntries(
    Object.entries(words).filter(([name, value]) => value !== undefined && (value !== null || canBeNull.has(name))),
  );
}
