import * as ec2 from '@aws-sdk/client-ec2';
import { DescribeReservedCacheNodesCommand, ElastiCacheClient } from '@aws-sdk/client-elasticache';
import { DescribeReservedInstancesCommand, OpenSearchClient } from '@aws-sdk/client-opensearch';
import * as rds from '@aws-sdk/client-rds';
import { DescribeReservedNodesCommand, RedshiftClient } from '@aws-sdk/client-redshift';
import * as explorer from '@aws-sdk/client-resource-explorer-2';
import { GetResourcesCommand, ResourceGroupsTaggingAPIClient } from '@aws-sdk/client-resource-groups-tagging-api';
import { DescribeSavingsPlansCommand, SavingsplansClient } from '@aws-sdk/client-savingsplans';
import { AwsFault } from '../faults.ts';
import type { AwsSession } from '../session.ts';
import { permissionOf } from './ledger.ts';

/** Time limit in milliseconds: an account can be connected without the inventory, so do not wait longer. */
const longestMs = 8_000;
const few = { MaxResults: 5 };
const fewRecords = { MaxRecords: 20 };

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
    `The inventory will lack what these permissions read: ${missing.join(', ')}. Allow them in the policy of the role or user.`,
  ];
}

function denied(error: unknown): string | null {
  return error instanceof AwsFault && error.isDenied ? permissionOf(error.operation) : null;
}

function questions(session: AwsSession, region: string, abortSignal: AbortSignal): Promise<unknown>[] {
  const at = { abortSignal };
  const machines = session.client(ec2.EC2Client, region);
  const databases = session.client(rds.RDSClient, region);
  const index = session.client(explorer.ResourceExplorer2Client);
  return [
    index.send(new explorer.ListIndexesCommand({ MaxResults: 1 }), at),
    index.send(new explorer.ListViewsCommand({ MaxResults: 1 }), at),
    index.send(new explorer.ListSupportedResourceTypesCommand({ MaxResults: 1 }), at),
    session.client(ResourceGroupsTaggingAPIClient, region).send(new GetResourcesCommand({ ResourcesPerPage: 1 }), at),
    machines.send(new ec2.DescribeRegionsCommand({}), at),
    machines.send(new ec2.DescribeInstancesCommand(few), at),
    machines.send(new ec2.DescribeVolumesCommand(few), at),
    machines.send(new ec2.DescribeSnapshotsCommand({ ...few, OwnerIds: ['self'] }), at),
    machines.send(new ec2.DescribeImagesCommand({ ...few, Owners: ['self'] }), at),
    machines.send(new ec2.DescribeAddressesCommand({}), at),
    machines.send(new ec2.DescribeNatGatewaysCommand(few), at),
    machines.send(new ec2.DescribeVpcEndpointsCommand(few), at),
    machines.send(new ec2.DescribeReservedInstancesCommand({}), at),
    databases.send(new rds.DescribeDBInstancesCommand(fewRecords), at),
    databases.send(new rds.DescribeDBClustersCommand(fewRecords), at),
    databases.send(new rds.DescribeDBSnapshotsCommand(fewRecords), at),
    databases.send(new rds.DescribeReservedDBInstancesCommand(fewRecords), at),
    session.client(ElastiCacheClient, region).send(new DescribeReservedCacheNodesCommand(fewRecords), at),
    session.client(RedshiftClient, region).send(new DescribeReservedNodesCommand(fewRecords), at),
    session.client(OpenSearchClient, region).send(new DescribeReservedInstancesCommand({ MaxResults: 1 }), at),
    session.client(SavingsplansClient).send(new DescribeSavingsPlansCommand({ maxResults: 1 }), at),
  ];
}
