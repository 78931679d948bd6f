import { DescribeInstancesCommand, EC2Client, type Instance } from '@aws-sdk/client-ec2';
import type { InventoryItem } from '../../contract.ts';
import type { Asking, Place } from './asking.ts';
import { instant, itemOf, arnAt, tagsOf } from './item.ts';
import { allPages } from './pages.ts';

/** Instances of a region, those that are gone left out: EC2 answers them for an hour more. */
export async function readInstances({ session, place, signal }: Asking): Promise<Instance[]> {
  const client = session.client(EC2Client, place.region);
  const reservations = await allPages(
    'EC2 DescribeInstances',
    (NextToken) => client.send(new DescribeInstancesCommand({ MaxResults: 1000, NextToken }), { abortSignal: signal }),
    ({ Reservations, NextToken }) => ({ items: Reservations, next: NextToken }),
  );
  const gone = new Set(['terminated', 'shutting-down']);
  return reservations
    .flatMap(({ Instances }) => Instances ?? [])
    .filter(({ InstanceId, State }) => InstanceId !== undefined && !gone.has(State?.Name ?? ''));
}

/** An instance as the inventory has it. */
export function instanceItem(place: Place, instance: Instance): InventoryItem | null {
  const tags = tagsOf(instance.Tags);
  return itemOf(instanceArn(place, instance.InstanceId ?? ''), {
    tags,
    metadata: {
      state: instance.State?.Name,
      stateSince: stateSince(instance),
      instanceType: instance.InstanceType,
      architecture: instance.Architecture,
      // EC2 names Windows alone.
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

/** The ARN of an instance of the account. */
export function instanceArn(place: Place, id: string): string {
  return arnAt(place, 'ec2', `instance/${id}`);
}

/** When an instance came into its state: a running one was launched then, and of a stopped one EC2 tells in words, as in
 *  `User initiated (2026-10-01 12:00:00 GMT)`. */
export function stateSince({ State, LaunchTime, StateTransitionReason }: Instance): string | undefined {
  if (State?.Name === 'running') return instant(LaunchTime);
  const [, day, time] =
    /\((\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}) (?:GMT|UTC)\)/.exec(StateTransitionReason ?? '') ?? [];
  return day === undefined ? undefined : `${day}T${time}.000Z`;
}
