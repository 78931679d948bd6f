import { AppError } from '../../kit/errors/errors.ts';
import { TryLater } from '../faults.ts';
import { explained } from './faults.ts';

/** The operations that our clients may send, with the required permission; null: none. Anything else is rejected before it
 *  reaches the network, so that not even a bug of ours can change anything. */
export const allowedOperations: Readonly<Record<string, string | null>> = {
  // Allowed by the role's own trust policy.
  'STSClient.AssumeRoleCommand': null,
  'STSClient.GetCallerIdentityCommand': null,
  'S3Client.ListObjectsV2Command': 's3:ListBucket',
  'S3Client.GetObjectCommand': 's3:GetObject',
  'CostExplorerClient.GetCostAndUsageCommand': 'ce:GetCostAndUsage',
  'OrganizationsClient.DescribeOrganizationCommand': 'organizations:DescribeOrganization',
  'ResourceExplorer2Client.ListIndexesCommand': 'resource-explorer-2:ListIndexes',
  'ResourceExplorer2Client.ListViewsCommand': 'resource-explorer-2:ListViews',
  'ResourceExplorer2Client.GetDefaultViewCommand': 'resource-explorer-2:GetDefaultView',
  'ResourceExplorer2Client.GetViewCommand': 'resource-explorer-2:GetView',
  'ResourceExplorer2Client.ListResourcesCommand': 'resource-explorer-2:ListResources',
  'ResourceExplorer2Client.ListSupportedResourceTypesCommand': 'resource-explorer-2:ListSupportedResourceTypes',
  'ResourceGroupsTaggingAPIClient.GetResourcesCommand': 'tag:GetResources',
  'EC2Client.DescribeRegionsCommand': 'ec2:DescribeRegions',
  'EC2Client.DescribeInstancesCommand': 'ec2:DescribeInstances',
  'EC2Client.DescribeVolumesCommand': 'ec2:DescribeVolumes',
  'EC2Client.DescribeAddressesCommand': 'ec2:DescribeAddresses',
  'EC2Client.DescribeSnapshotsCommand': 'ec2:DescribeSnapshots',
  'EC2Client.DescribeImagesCommand': 'ec2:DescribeImages',
  'EC2Client.DescribeNatGatewaysCommand': 'ec2:DescribeNatGateways',
  'EC2Client.DescribeVpcEndpointsCommand': 'ec2:DescribeVpcEndpoints',
  'EC2Client.DescribeReservedInstancesCommand': 'ec2:DescribeReservedInstances',
  'RDSClient.DescribeDBInstancesCommand': 'rds:DescribeDBInstances',
  'RDSClient.DescribeDBClustersCommand': 'rds:DescribeDBClusters',
  'RDSClient.DescribeDBSnapshotsCommand': 'rds:DescribeDBSnapshots',
  'RDSClient.DescribeReservedDBInstancesCommand': 'rds:DescribeReservedDBInstances',
  'ElastiCacheClient.DescribeReservedCacheNodesCommand': 'elasticache:DescribeReservedCacheNodes',
  'RedshiftClient.DescribeReservedNodesCommand': 'redshift:DescribeReservedNodes',
  'OpenSearchClient.DescribeReservedInstancesCommand': 'es:DescribeReservedInstances',
  'SavingsplansClient.DescribeSavingsPlansCommand': 'savingsplans:DescribeSavingsPlans',
};

type Handler = (args: never) => Promise<unknown>;

/** The part of an SDK client that we use. */
export interface GuardedClient {
  readonly middlewareStack: {
    add(middleware: never, options: { step: 'initialize'; name: string; priority: 'high' | 'normal' }): void;
  };
  destroy(): void;
}

/** Adds a middleware around all operations of a client. The SDK types middleware by every input and output of the service; ours
 *  uses neither. */
export function add(client: GuardedClient, middleware: object, name: string, priority: 'high' | 'normal'): void {
  client.middlewareStack.add(middleware as never, { step: 'initialize', name, priority });
}

/** Restricts a client to the allowed operations, and strips its request from errors. */
export function guard<T extends GuardedClient>(client: T, uses: 'role' | 'keys'): T {
  const middleware = (next: Handler, context: { clientName?: string; commandName?: string }) => async (args: never) => {
    const { clientName = '', commandName = '' } = context;
    if (!Object.hasOwn(allowedOperations, `${clientName}.${commandName}`)) throw forbidden(clientName, commandName);
    try {
      return await next(args);
    } catch (error) {
      if (error instanceof AppError || error instanceof TryLater) throw error;
      if (error instanceof Error && error.name === 'AbortError') throw new DOMException('Aborted', 'AbortError');
      throw explained(error, clientName.replace(/Client$/, ''), commandName.replace(/Command$/, ''), uses);
    }
  };
  add(client, middleware, 'costkeepGuard', 'high');
  return client;
}

function forbidden(client: string, command: string): Error {
  return new Error(`${client} may not send ${command}: it is not on the list of what Costkeep asks AWS`);
}
