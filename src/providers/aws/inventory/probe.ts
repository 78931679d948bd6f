import { DescribeRegionsCommand, EC2Client } from '@aws-sdk/client-ec2';
import { ListViewsCommand, ResourceExplorer2Client } from '@aws-sdk/client-resource-explorer-2';
import { AwsFault } from '../faults.ts';
import type { AwsSession } from '../session.ts';
import type { List } from './asking.ts';
import { clusterList, databaseList, databaseSnapshotList } from './databases.ts';
import { indexList, taggedList, typeList } from './explorer.ts';
import { permissionOf } from './ledger.ts';
import { imageList, instanceList, snapshotList, volumeList } from './machines.ts';
import { addressList, endpointList, natGatewayList } from './networks.ts';
import { reservationLists } from './reservations.ts';
import { planList } from './savings-plans.ts';

/** Time limit in milliseconds: an account can be connected without the inventory, so do not wait longer. */
const longestMs = 8_000;
/** Items per page that every service accepts. */
const few = 20;

type Probed = Omit<List<unknown, never>, 'itemsOf'>;

const regionalLists: readonly Probed[] = [
  taggedList,
  instanceList,
  volumeList,
  snapshotList,
  imageList,
  addressList,
  natGatewayList,
  endpointList,
  databaseList,
  clusterList,
  databaseSnapshotList,
  ...reservationLists,
];

const mainLists: readonly Probed[] = [indexList, typeList, planList];

/** Sends a minimal request of every inventory query in one region, to detect missing permissions before the first listing.
 *  Ignores other errors.
 *  @returns a sentence naming the permissions, or none */
export async function probeInventory(
  session: AwsSession,
  region: string | null,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(longestMs)]);
  const answers = await Promise.all(
    questions(session, region ?? session.partition.mainRegion, limit).map((answer) => answer.then(() => null, denied)),
  );
  signal.throwIfAborted();
  const missing = [...new Set(answers.filter((permission) => permission !== null))];
  if (missing.length === 0) return [];
  return [
    `The inventory will be incomplete without these permissions: ${missing.join(', ')}. Allow them in the policy of the role or user.`,
  ];
}

function denied(error: unknown): string | null {
  return error instanceof AwsFault && error.isDenied ? permissionOf(error.operation) : null;
}

function questions(session: AwsSession, region: string, abortSignal: AbortSignal): Promise<unknown>[] {
  const at = { abortSignal };
  const ask = ({ Client, commandOf }: Probed, where?: string) =>
    session.client(Client, where).send(commandOf(undefined, few) as never, at as never);
  return [
    session.client(ResourceExplorer2Client).send(new ListViewsCommand({ MaxResults: 1 }), at),
    session.client(EC2Client, region).send(new DescribeRegionsCommand({}), at),
    ...regionalLists.map((list) => ask(list, region)),
    ...mainLists.map((list) => ask(list)),
  ];
}
