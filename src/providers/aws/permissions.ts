/** A permission of the policy to grant. */
export interface AwsPermission {
  /** IAM action. */
  readonly permission: string;
  /** Purpose, for the person who approves it. */
  readonly why: string;
  /** Resource of the grant; `*`: the action supports nothing narrower. */
  readonly on: 'bucket' | 'objects' | 'key' | '*';
  /** Case in which it is not needed: with an export, without one, or without a KMS key. */
  readonly unless?: 'export' | 'no export' | 'no key';
  /** Operation of the SDK that needs it, if its name differs; null: none. */
  readonly operation?: string | null;
}

/** All permissions that Costkeep needs: each reads metadata or bills; none changes anything or reads the contents of a
 *  database, disk, function environment or secret. */
export const awsPermissions: readonly AwsPermission[] = [
  {
    ...bills('s3:ListBucket', 'bucket', 'finds the newest files of the Data Export', 'no export'),
    operation: 'ListObjectsV2',
  },
  bills('s3:GetObject', 'objects', 'reads the files of the Data Export', 'no export'),
  bills('kms:Decrypt', 'key', 'reads files that the bucket encrypts with this key', 'no key'),
  bills('ce:GetCostAndUsage', '*', 'reads daily costs if no Data Export is connected', 'export'),
  bills(
    'organizations:DescribeOrganization',
    '*',
    'identifies the payer account if no Data Export is connected',
    'export',
  ),
  inventory('resource-explorer-2:ListIndexes', 'finds the index that covers every region'),
  inventory('resource-explorer-2:ListViews', 'finds the view to search through'),
  inventory('resource-explorer-2:GetDefaultView', 'finds the view to search through'),
  inventory('resource-explorer-2:GetView', 'checks whether the view includes tags'),
  inventory('resource-explorer-2:ListResources', 'lists resources and their tags'),
  // ListResources searches: its API reference names this permission, the permission reference the other.
  { ...inventory('resource-explorer-2:Search', 'lists resources and their tags'), operation: null },
  inventory('resource-explorer-2:ListSupportedResourceTypes', 'splits searches with too many results'),
  inventory('tag:GetResources', 'lists tagged resources if Resource Explorer has no index'),
  inventory('ec2:DescribeRegions', 'lists the enabled regions'),
  inventory('ec2:DescribeInstances', 'reads type and state of instances'),
  inventory('ec2:DescribeVolumes', 'reads size and attachment of volumes'),
  inventory('ec2:DescribeAddresses', 'reads which addresses are in use'),
  inventory('ec2:DescribeSnapshots', "reads age and volume of the account's own snapshots"),
  inventory('ec2:DescribeImages', "finds the snapshots that the account's own AMIs use"),
  inventory('ec2:DescribeNatGateways', 'reads state and VPC of NAT gateways'),
  inventory('ec2:DescribeVpcEndpoints', 'finds the VPCs that reach S3 and DynamoDB without a NAT gateway'),
  inventory('ec2:DescribeReservedInstances', 'reads reservations and when they end'),
  inventory('rds:DescribeDBInstances', 'reads type and state of databases'),
  inventory('rds:DescribeDBClusters', 'reads type and state of database clusters'),
  inventory('rds:DescribeDBSnapshots', 'reads age and database of snapshots'),
  inventory('rds:DescribeReservedDBInstances', 'reads reservations and when they end'),
  inventory('elasticache:DescribeReservedCacheNodes', 'reads reservations and when they end'),
  inventory('redshift:DescribeReservedNodes', 'reads reservations and when they end'),
  inventory('es:DescribeReservedInstances', 'reads OpenSearch reservations and when they end'),
  inventory('savingsplans:DescribeSavingsPlans', 'reads Savings Plans and when they end'),
];

function bills(
  permission: string,
  on: AwsPermission['on'],
  why: string,
  unless: NonNullable<AwsPermission['unless']>,
): AwsPermission {
  return { permission, why, on, unless };
}

function inventory(permission: string, why: string): AwsPermission {
  return { permission, why, on: '*' };
}
