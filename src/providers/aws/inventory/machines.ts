import {
  DescribeImagesCommand,
  DescribeInstancesCommand,
  DescribeSnapshotsCommand,
  DescribeVolumesCommand,
  EC2Client,
  type Image,
  type Instance,
  type Snapshot,
  type Volume,
} from '@aws-sdk/client-ec2';
import type { InventoryItem } from '../../contract.ts';
import { listOf, type Place } from './asking.ts';
import { arnAt, instant, itemOf, tagsOf } from './item.ts';

const gone: ReadonlySet<string> = new Set(['terminated', 'shutting-down']);

/** EC2 instances without terminated ones, which EC2 returns for another hour. */
export const instanceList = listOf(
  { label: 'EC2 instances', list: 'ec2:instance' },
  EC2Client,
  (NextToken, MaxResults = 1000) => new DescribeInstancesCommand({ MaxResults, NextToken }),
  (page) =>
    page.Reservations?.flatMap(({ Instances }) => Instances ?? []).filter(
      ({ InstanceId, State }) => InstanceId !== undefined && !gone.has(State?.Name ?? ''),
    ),
);

/** Returns the inventory item of an instance. */
export function instanceItem(place: Place, instance: Instance): InventoryItem | null {
  const tags = tagsOf(instance.Tags);
  return itemOf(instanceArn(place, instance.InstanceId ?? ''), {
    tags,
    metadata: {
      state: instance.State?.Name,
      stateSince: stateSince(instance),
      instanceType: instance.InstanceType,
      architecture: instance.Architecture,
      // EC2 sets the platform only for Windows.
      platform: instance.Platform?.toLowerCase() === 'windows' ? 'windows' : 'linux',
      platformDetails: instance.PlatformDetails,
      lifecycle: instance.InstanceLifecycle ?? 'on-demand',
      availabilityZone: instance.Placement?.AvailabilityZone,
      vpcId: instance.VpcId,
      scalingGroup: tags['aws:autoscaling:groupName'] ?? null,
      launchedAt: instant(instance.LaunchTime),
    },
  });
}

/** Returns the ARN of an instance of the account. */
export function instanceArn(place: Place, id: string): string {
  return arnAt(place, 'ec2', `instance/${id}`);
}

/** Returns when an instance entered its state: the launch time of a running one; for a stopped one, the time in EC2's reason
 *  text, as in `User initiated (2026-10-01 12:00:00 GMT)`. */
export function stateSince({ State, LaunchTime, StateTransitionReason }: Instance): string | undefined {
  if (State?.Name === 'running') return instant(LaunchTime);
  const [, day, time] =
    /\((\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}) (?:GMT|UTC)\)/.exec(StateTransitionReason ?? '') ?? [];
  return day === undefined ? undefined : `${day}T${time}.000Z`;
}

/** EBS volumes, without those being deleted. */
export const volumeList = listOf(
  { label: 'EBS volumes', list: 'ec2:volume' },
  EC2Client,
  (NextToken, MaxResults = 1000) => new DescribeVolumesCommand({ MaxResults, NextToken }),
  (page) =>
    page.Volumes?.filter(
      ({ VolumeId, State }) => VolumeId !== undefined && State !== 'deleting' && State !== 'deleted',
    ),
);

/** Returns the inventory item of a volume. EC2 does not report when it was detached.
 *  @param instances of the region, by id; null: could not be read */
export function volumeItem(
  place: Place,
  volume: Volume,
  instances: ReadonlyMap<string, Instance> | null,
): InventoryItem | null {
  return itemOf(arnAt(place, 'ec2', `volume/${volume.VolumeId ?? ''}`), {
    tags: tagsOf(volume.Tags),
    metadata: {
      state: volume.State,
      ...attachmentOf(place, volume, instances),
      sizeGib: volume.Size,
      iops: volume.Iops,
      throughputMibps: volume.Throughput,
      sku: volume.VolumeType,
      availabilityZone: volume.AvailabilityZone,
      createdAt: instant(volume.CreateTime),
    },
  });
}

function attachmentOf(place: Place, volume: Volume, instances: ReadonlyMap<string, Instance> | null) {
  const [attachment] = volume.Attachments ?? [];
  if (volume.State === 'available') return { attachedTo: null };
  if (attachment?.InstanceId === undefined) return {};
  const instance = instances?.get(attachment.InstanceId);
  return {
    stateSince: instant(attachment.AttachTime),
    attachedTo: instanceArn(place, attachment.InstanceId),
    attachedToState: instance?.State?.Name,
    attachedToStateSince: instance && stateSince(instance),
  };
}

/** The account's own snapshots, without public ones. */
export const snapshotList = listOf(
  { label: 'EBS snapshots', list: 'ec2:snapshot' },
  EC2Client,
  (NextToken, MaxResults = 1000) => new DescribeSnapshotsCommand({ OwnerIds: ['self'], MaxResults, NextToken }),
  (page) => page.Snapshots?.filter(({ SnapshotId }) => SnapshotId !== undefined),
);

/** The account's own machine images. */
export const imageList = listOf(
  { label: 'use of EBS snapshots by AMIs' },
  EC2Client,
  (NextToken, MaxResults = 1000) =>
    new DescribeImagesCommand({ Owners: ['self'], IncludeDisabled: true, MaxResults, NextToken }),
  (page) => page.Images,
);

/** Relations of a snapshot, as far as they could be read. */
interface Relations {
  /** Volume ids of the region. */
  readonly volumes: ReadonlySet<string> | null;
  /** The account's images, by their snapshots. */
  readonly images: ReadonlyMap<string, readonly string[]> | null;
  /** Number of instances, by the image they were launched from. */
  readonly instances: ReadonlyMap<string, number>;
}

/** Derives the relations of snapshots from a region's volumes, images and instances. */
export function relationsOf(
  volumes: readonly { VolumeId?: string | undefined }[] | null,
  images: readonly Image[] | null,
  instances: readonly Instance[] | null,
): Relations {
  const bySnapshot = new Map<string, string[]>();
  for (const { ImageId, BlockDeviceMappings } of images ?? [])
    for (const { Ebs } of BlockDeviceMappings ?? [])
      if (ImageId && Ebs?.SnapshotId)
        bySnapshot.set(Ebs.SnapshotId, [...(bySnapshot.get(Ebs.SnapshotId) ?? []), ImageId]);
  const users = new Map<string, number>();
  for (const { ImageId } of instances ?? []) if (ImageId) users.set(ImageId, (users.get(ImageId) ?? 0) + 1);
  return {
    volumes: volumes && new Set(volumes.flatMap(({ VolumeId }) => VolumeId ?? [])),
    images: images && bySnapshot,
    instances: users,
  };
}

/** Returns the inventory item of a snapshot. */
export function snapshotItem(place: Place, snapshot: Snapshot, relations: Relations): InventoryItem | null {
  const id = snapshot.SnapshotId ?? '';
  const imageIds = relations.images && (relations.images.get(id) ?? []);
  return itemOf(arnAt(place, 'ec2', `snapshot/${id}`), {
    tags: tagsOf(snapshot.Tags),
    metadata: {
      state: snapshot.State,
      sizeGib: snapshot.VolumeSize,
      sku: snapshot.StorageTier,
      createdAt: instant(snapshot.StartTime),
      sourceExists: sourceExists(snapshot.VolumeId, relations.volumes),
      ...(imageIds && { imageIds, ...usersOf(imageIds, relations.instances) }),
    },
  });
}

/** Dummy volume id of copied snapshots. */
const noVolume = 'vol-ffffffff';

function sourceExists(volume: string | undefined, volumes: ReadonlySet<string> | null): boolean | undefined {
  if (volumes === null || volume === undefined || volume === noVolume) return undefined;
  return volumes.has(volume);
}

/** Returns the users of images. Launch templates and Auto Scaling groups may use an image too, but are not read, since they contain
 *  user data; so this can show that an image is used, but never that it is unused. */
function usersOf(imageIds: readonly string[], instances: ReadonlyMap<string, number>): { usedByCount?: number } {
  const users = imageIds.reduce((sum, image) => sum + (instances.get(image) ?? 0), 0);
  return users > 0 ? { usedByCount: users } : {};
}
