import {
  DescribeImagesCommand,
  DescribeSnapshotsCommand,
  EC2Client,
  type Image,
  type Instance,
  type Snapshot,
} from '@aws-sdk/client-ec2';
import type { InventoryItem } from '../../contract.ts';
import type { Asking, Place } from './asking.ts';
import { arnAt, instant, itemOf, tagsOf } from './item.ts';
import { allPages } from './pages.ts';

/** The account's own snapshots of a region; the world's public ones are not asked for. */
export async function readSnapshots({ session, place, signal }: Asking): Promise<Snapshot[]> {
  const client = session.client(EC2Client, place.region);
  const own = { OwnerIds: ['self'], MaxResults: 1000 };
  const snapshots = await allPages(
    'EC2 DescribeSnapshots',
    (NextToken) => client.send(new DescribeSnapshotsCommand({ ...own, NextToken }), { abortSignal: signal }),
    (page) => ({ items: page.Snapshots, next: page.NextToken }),
  );
  return snapshots.filter(({ SnapshotId }) => SnapshotId !== undefined);
}

/** The account's own machine images of a region. */
export async function readImages({ session, place, signal }: Asking): Promise<Image[]> {
  const client = session.client(EC2Client, place.region);
  const own = { Owners: ['self'], IncludeDisabled: true, MaxResults: 1000 };
  return allPages(
    'EC2 DescribeImages',
    (NextToken) => client.send(new DescribeImagesCommand({ ...own, NextToken }), { abortSignal: signal }),
    (page) => ({ items: page.Images, next: page.NextToken }),
  );
}

/** What a snapshot is related to, as far as it could be read. */
export interface Relations {
  /** Ids of the volumes of the region. */
  readonly volumes: ReadonlySet<string> | null;
  /** Images of the account by the snapshots that they are made of. */
  readonly images: ReadonlyMap<string, readonly string[]> | null;
  /** Instances by the image that they were started from. */
  readonly instances: ReadonlyMap<string, number>;
}

/** What a region's volumes, images and instances tell of its snapshots. */
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

/** A snapshot as the inventory has it. */
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

/** EC2 gives copies of snapshots a volume that never was. */
const noVolume = 'vol-ffffffff';

function sourceExists(volume: string | undefined, volumes: ReadonlySet<string> | null): boolean | undefined {
  if (volumes === null || volume === undefined || volume === noVolume) return undefined;
  return volumes.has(volume);
}

/** Launch templates and scaling groups may use an image too. Nothing asks for these, since they hold user data: that nothing
 *  uses an image is never known, only that something does. */
function usersOf(imageIds: readonly string[], instances: ReadonlyMap<string, number>): { usedByCount?: number } {
  const users = imageIds.reduce((sum, image) => sum + (instances.get(image) ?? 0), 0);
  return users > 0 ? { usedByCount: users } : {};
}
