import { DescribeVolumesCommand, EC2Client, type Instance, type Volume } from '@aws-sdk/client-ec2';
import type { InventoryItem } from '../../contract.ts';
import type { Asking, Place } from './asking.ts';
import { instanceArn, stateSince } from './instances.ts';
import { arnAt, instant, itemOf, tagsOf } from './item.ts';
import { allPages } from './pages.ts';

/** EBS volumes of a region, those on their way out left out. */
export async function readVolumes({ session, place, signal }: Asking): Promise<Volume[]> {
  const client = session.client(EC2Client, place.region);
  const volumes = await allPages(
    'EC2 DescribeVolumes',
    (NextToken) => client.send(new DescribeVolumesCommand({ MaxResults: 1000, NextToken }), { abortSignal: signal }),
    (page) => ({ items: page.Volumes, next: page.NextToken }),
  );
  return volumes.filter(({ VolumeId, State }) => VolumeId !== undefined && State !== 'deleting' && State !== 'deleted');
}

/** A volume as the inventory has it. EC2 does not tell since when one is unattached.
 *  @param instances those of the region by id; null: they could not be read */
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
