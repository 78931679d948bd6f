import type { InventoryItem } from '../../contract.ts';
import {
  type Address,
  type Commitment,
  type ComputeLists,
  type Disk,
  fullNameOf,
  type Instance,
  type Reservation,
  shortOf,
  type Snapshot,
} from './compute.ts';
import { regionOf } from './search.ts';

/** Data about a resource beyond its name and labels, with the fields of `facts/inventory/metadata.ts`. */
export interface Known {
  /** Its numeric id, as in bills. */
  readonly id: string | undefined;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Returns the metadata of a project's machines, disks, addresses and snapshots, by full resource name. */
export function metadataOf(lists: ComputeLists): Map<string, Known> {
  const instances = new Map(lists.instances.map((each) => [fullNameOf(each.selfLink), each]));
  const disks = new Set(lists.disks.map(({ selfLink }) => fullNameOf(selfLink)));
  const canListDisks = !lists.denied.includes('compute.disks.list');
  const entries = [
    ...lists.instances.map((each) => entry(each, instanceMetadata(each))),
    ...lists.disks.map((each) => entry(each, diskMetadata(each, instances))),
    ...lists.addresses.map((each) => entry(each, addressMetadata(each))),
    ...lists.snapshots.map((each) => entry(each, snapshotMetadata(each, canListDisks ? disks : null))),
  ];
  return new Map(entries);
}

function entry(each: { id?: string; selfLink?: string }, metadata: Known['metadata']): [string, Known] {
  // Omit unknown values: null would mean that there is none.
  const known = Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== undefined));
  return [fullNameOf(each.selfLink), { id: each.id, metadata: known }];
}

function instanceMetadata(each: Instance) {
  const isMade = each.metadata?.items?.some(({ key }) => key === 'created-by') ?? false;
  return {
    state: each.status?.toLowerCase(),
    stateSince: sinceOf(each),
    instanceType: shortOf(each.machineType),
    // Managed instance groups append four random characters to their base name.
    scalingGroup: isMade ? (each.name ?? '').replace(/-[a-z0-9]{4}$/, '') : null,
  };
}

function sinceOf(each: Instance): string | undefined {
  if (each.status === 'SUSPENDED') return each.lastSuspendedTimestamp;
  return each.status === 'TERMINATED' || each.status === 'STOPPED' ? each.lastStopTimestamp : each.lastStartTimestamp;
}

function diskMetadata(each: Disk, instances: ReadonlyMap<string, Instance>) {
  const machine = each.users?.map(fullNameOf).find((name) => name.includes('/instances/'));
  const state = machine === undefined ? undefined : instances.get(machine);
  return {
    state: each.status?.toLowerCase(),
    attachedTo: machine ?? (each.users?.[0] === undefined ? null : fullNameOf(each.users[0])),
    // For a disk that was never attached: since its creation.
    stateSince: machine === undefined ? (each.lastDetachTimestamp ?? each.creationTimestamp) : each.lastAttachTimestamp,
    attachedToState: state?.status?.toLowerCase(),
    attachedToStateSince: state === undefined ? undefined : sinceOf(state),
    sizeGib: numberOf(each.sizeGb),
    sku: shortOf(each.type),
    iops: numberOf(each.provisionedIops),
    throughputMibps: numberOf(each.provisionedThroughput),
  };
}

function addressMetadata(each: Address) {
  return {
    state: each.status?.toLowerCase(),
    attachedTo: each.users?.[0] === undefined ? null : fullNameOf(each.users[0]),
  };
}

/** @param disks of the same project, null if they may not be listed; disks in other projects are unknown */
function snapshotMetadata(each: Snapshot, disks: ReadonlySet<string> | null) {
  const source = fullNameOf(each.sourceDisk);
  const isOwn = projectOf(source) !== null && projectOf(source) === projectOf(fullNameOf(each.selfLink));
  return {
    state: each.status?.toLowerCase(),
    sizeGib: numberOf(each.diskSizeGb),
    sourceExists: disks === null || !isOwn ? undefined : disks.has(source),
  };
}

function projectOf(name: string): string | null {
  return /^\/\/compute\.googleapis\.com\/projects\/([^/]+)\//.exec(name)?.[1] ?? null;
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined || !/^\d+$/.test(text) ? undefined : Number(text);
}

const base = { provider: 'gcp', service: 'Compute Engine', tags: {} } as const;

/** Returns the inventory item of a resource-based committed use discount. Spend-based ones belong to the billing account, and
 *  no project lists them. */
export function commitmentItem(each: Commitment): InventoryItem {
  const fullName = fullNameOf(each.selfLink);
  const [, months] = /^(TWELVE|THIRTY_SIX|SIXTY)_MONTH/.exec(each.plan ?? '') ?? [];
  const termMonths = { TWELVE: 12, THIRTY_SIX: 36, SIXTY: 60 }[months ?? ''];
  return {
    ...base,
    // Bills use a commitment's numeric id (subscription.instance_id).
    nativeId: each.id ?? fullName,
    aliases: [fullName].filter((name) => name !== '' && each.id !== undefined),
    name: each.name ?? '',
    resourceType: 'compute.googleapis.com/Commitment',
    region: regionOf(shortOf(each.region) ?? ''),
    metadata: {
      ...(each.status && { state: each.status.toLowerCase() }),
      ...(each.startTimestamp && { createdAt: each.startTimestamp }),
      ...(each.endTimestamp && { endsAt: each.endTimestamp }),
      ...(termMonths !== undefined && { termMonths }),
      payment: 'monthly',
      commitmentType: each.type ?? '',
      autoRenew: each.autoRenew ?? false,
      resources: each.resources ?? [],
    },
  };
}

/** Returns the inventory item of a reservation: capacity that is kept free, and billed like machines. */
export function reservationItem(each: Reservation): InventoryItem {
  const { count, inUseCount, instanceProperties } = each.specificReservation ?? {};
  return {
    ...base,
    nativeId: fullNameOf(each.selfLink),
    aliases: [],
    name: each.name ?? '',
    resourceType: 'compute.googleapis.com/Reservation',
    region: regionOf(shortOf(each.zone) ?? ''),
    metadata: {
      ...(each.status && { state: each.status.toLowerCase() }),
      ...(each.creationTimestamp && { createdAt: each.creationTimestamp }),
      ...(instanceProperties?.machineType && { instanceType: instanceProperties.machineType }),
      ...(count !== undefined && { count: Number(count), usedByCount: Number(inUseCount ?? 0) }),
    },
  };
}
