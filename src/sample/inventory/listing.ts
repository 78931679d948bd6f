import type { ListedResource } from '../../facts/inventory/listing.ts';
import type { ResourceMetadata } from '../../facts/inventory/metadata.ts';
import { type Day, addDays } from '../../kit/time/period.ts';
import type { Cloud } from '../bill/cloud.ts';
import { type Commitment, endOf } from '../bill/commitment.ts';
import { daysPerMonth, type Meter } from '../bill/meter.ts';
import { hexOf } from '../random.ts';
import { tagsOf } from './tags.ts';

/** How long unneeded resources have been idle, in days. */
const idleDays = 120;

/** A stopped machine costs nothing and is not on the bill, but its disk is. */
const offMachines: Readonly<Record<string, { readonly name: string; readonly state: string }>> = {
  'pricing-data': { name: 'pricing-old', state: 'deallocated' },
  'model-cache': { name: 'model-builder', state: 'terminated' },
};

/** The provider's inventory listing on a day: metered resources that are not replaced monthly, with details that
 *  bills lack, stopped machines and commitments. The sample's waste shows up here too. */
export function listingOf(cloud: Cloud, today: Day): ListedResource[] {
  const meters = cloud.meters.filter(({ resource, perMonth }) => resource !== null && !perMonth);
  const machines = meters.filter(isMachine);
  const grouped = Map.groupBy(meters, ({ resource }) => resource?.id ?? '');
  const resources = [...grouped.values()].flatMap((group) => {
    const [first] = group;
    if (!first?.resource) return [];
    const off = offMachines[first.resource.name];
    const own = listed(cloud, first, metadataOf({ cloud, group, first, machines, today }));
    const like = machines[0];
    return off && like ? [own, offMachine(cloud, { disk: first, like, off, today })] : [own];
  });
  return [...resources, ...cloud.commitments.map((commitment) => listedCommitment(cloud, commitment, today))];
}

/** Bills do not include a commitment's end date. */
function listedCommitment({ provider }: Cloud, commitment: Commitment, today: Day): ListedResource {
  const { named, service, region } = commitment;
  return {
    provider,
    nativeId: named.id,
    name: named.name,
    resourceType: named.type,
    service: service.name,
    region: region?.id ?? 'global',
    tags: tagsOf('platform', 'prod'),
    metadata: { endsAt: endOf(commitment, today) },
  };
}

function listed({ provider }: Cloud, { resource, service, region, tags }: Meter, metadata: ResourceMetadata) {
  const { id, name, type } = resource ?? { id: '', name: '', type: '' };
  const place = { service: service.name, region: region.id };
  return { provider, nativeId: id, name, resourceType: type, ...place, tags, metadata } satisfies ListedResource;
}

interface Listed {
  readonly cloud: Cloud;
  /** All meters of the resource. */
  readonly group: readonly Meter[];
  readonly first: Meter;
  readonly machines: readonly Meter[];
  readonly today: Day;
}

/** Details of a resource that the bill lacks, by its kind; empty for other kinds. */
function metadataOf(it: Listed): ResourceMetadata {
  const { first } = it;
  const wastes = new Set(it.group.flatMap(({ waste }) => waste));
  const is = (pattern: RegExp) => pattern.test(`${first.resource?.type} ${first.resource?.id}`);
  if (isMachine(first)) return { state: 'running', platform: 'linux', ...sizeOf(first) };
  if (is(/^Volume|^Disk |\/disks\//)) return diskOf(it, wastes.has('unattached_disk'));
  if (is(/snapshot/i)) return snapshotOf(it, wastes.has('old_snapshot'));
  if (is(/elastic-ip|publicipaddresses|\/addresses\//)) return wastes.has('idle_address') ? { attachedTo: null } : {};
  if (is(/loadbalancer|applicationgateways|forwardingRules/))
    return { usedByCount: wastes.has('idle_load_balancer') ? 0 : 2 };
  if (is(/serverfarms/)) return { usedByCount: wastes.has('empty_plan') ? 0 : 3 };
  if (is(/natgateway/i)) return { usedByCount: 2 };
  if (is(/:rds:|sqladmin/)) return databaseOf(it, wastes.has('nonproduction_high_availability'));
  if (is(/^Bucket|storageaccounts|storage\.googleapis/))
    return { hasLifecyclePolicy: !wastes.has('never_read_storage') };
  return {};
}

function isMachine({ resource }: Meter): boolean {
  return /:instance\/|\/virtualmachines\/|compute.*\/instances\//.test(resource?.id ?? '');
}

/** On AWS the size follows a colon; on Azure the meter is the size; Google bills cores and memory. */
function sizeOf({ sku: { meter } }: Meter): ResourceMetadata {
  const size = /BoxUsage:(.+)$/.exec(meter)?.[1];
  if (size !== undefined) return { instanceType: size };
  return /^[A-Z]+\d+\w* v\d$/.test(meter) ? { instanceType: `Standard_${meter.replaceAll(' ', '_')}` } : {};
}

function diskOf({ cloud, first, machines, today }: Listed, isUnattached: boolean): ResourceMetadata {
  const size = sizeGib(first);
  const since = addDays(today, -idleDays);
  const states = { aws: ['available', 'in-use'], azure: ['unattached', 'attached'], gcp: ['ready', 'ready'] } as const;
  const [free, held] = states[cloud.provider];
  if (isUnattached) return { ...size, state: free, stateSince: since, attachedTo: null };
  const off = offMachines[first.resource?.name ?? ''];
  if (off) {
    const machine = { attachedTo: idLike(first, off.name), attachedToState: off.state, attachedToStateSince: since };
    return { ...size, state: held, ...machine };
  }
  const stem = first.resource?.name.replace(/-data$/, '') ?? '';
  const machine = machines.find(({ resource }) => resource?.name.startsWith(stem));
  return machine?.resource
    ? { ...size, state: held, attachedTo: machine.resource.id, attachedToState: 'running' }
    : size;
}

function snapshotOf({ first, today }: Listed, isOld: boolean): ResourceMetadata {
  const made = { ...sizeGib(first), createdAt: addDays(today, isOld ? -500 : -6), sourceExists: !isOld };
  if (!/ami/.test(first.resource?.name ?? '')) return { ...made, imageIds: [] };
  return { ...made, imageIds: [`ami-0${hexOf('old-ami-base', 16)}`], usedByCount: 0 };
}

function databaseOf({ group }: Listed, isDoubled: boolean): ResourceMetadata {
  const text = group.map(({ sku }) => `${sku.meter} ${sku.description}`).join(' ');
  const engine = /mysql|postgres|aurora/i.exec(text)?.[0].toLowerCase();
  const instanceType = /(?:InstanceUsage|Multi-AZUsage):(\S+)/.exec(text)?.[1];
  return {
    state: 'available',
    multiAz: isDoubled || /Multi-AZ|Regional/.test(text),
    ...(engine && { engine }),
    ...(text.includes('MySQL5.7') && { engineVersion: '5.7.44' }),
    ...(instanceType && { instanceType }),
  };
}

/** The stopped machine of a disk.
 *  @param it the disk, and a machine whose service and type it has */
function offMachine(
  cloud: Cloud,
  it: { disk: Meter; like: Meter; off: { readonly name: string; readonly state: string }; today: Day },
) {
  const { disk, like, today } = it;
  const { name, state } = it.off;
  const machine = {
    ...disk,
    service: like.service,
    resource: { id: idLike(disk, name), name, type: like.resource?.type ?? '' },
  };
  return listed(cloud, machine, { state, stateSince: addDays(today, -idleDays), platform: 'linux' });
}

/** The id of a machine next to a disk. */
function idLike({ resource }: Meter, name: string): string {
  return (resource?.id ?? '')
    .replace(/\/disks\/[^/]+$/, `/instances/${name}`)
    .replace(/\/microsoft\.compute\/instances\//, '/microsoft.compute/virtualmachines/');
}

function sizeGib({ perDay, sku }: Meter): ResourceMetadata {
  return /^Gi?B-Months$/.test(sku.unit) ? { sizeGib: Math.round(perDay * daysPerMonth) } : {};
}
