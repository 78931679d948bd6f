import {
  type DBCluster,
  type DBInstance,
  type DBSnapshot,
  DescribeDBClustersCommand,
  DescribeDBInstancesCommand,
  DescribeDBSnapshotsCommand,
  RDSClient,
} from '@aws-sdk/client-rds';
import type { InventoryItem } from '../../contract.ts';
import { listOf, type Place } from './asking.ts';
import { arnAt, instant, itemOf, tagsOf } from './item.ts';

/** Database instances: RDS, Aurora, Neptune and DocumentDB. */
export const databaseList = listOf(
  { label: 'state and size of databases', list: 'rds:db', isRegional: true },
  RDSClient,
  (Marker, MaxRecords = 100) => new DescribeDBInstancesCommand({ MaxRecords, Marker }),
  (page) => page.DBInstances,
);

export const clusterList = listOf(
  { label: 'state of database clusters', list: 'rds:cluster', isRegional: true },
  RDSClient,
  (Marker, MaxRecords = 100) => new DescribeDBClustersCommand({ MaxRecords, Marker }),
  (page) => page.DBClusters,
);

/** The account's own snapshots of database instances. */
export const databaseSnapshotList = listOf(
  { label: 'snapshots of databases', list: 'rds:snapshot', isRegional: true },
  RDSClient,
  (Marker, MaxRecords = 100) => new DescribeDBSnapshotsCommand({ MaxRecords, Marker }),
  (page) => page.DBSnapshots,
);

/** Returns the inventory item of a database instance. */
export function databaseItem(place: Place, database: DBInstance): InventoryItem | null {
  const id = database.DBInstanceIdentifier;
  if (!id) return null;
  return itemOf(database.DBInstanceArn ?? arnAt(place, 'rds', `db:${id}`), {
    name: id,
    tags: tagsOf(database.TagList),
    ...serviceOf(database.Engine),
    metadata: {
      state: database.DBInstanceStatus,
      instanceType: database.DBInstanceClass,
      engine: database.Engine,
      engineVersion: database.EngineVersion,
      licenseType: database.LicenseModel,
      multiAz: database.MultiAZ,
      sizeGib: database.AllocatedStorage,
      iops: database.Iops,
      throughputMibps: database.StorageThroughput,
      sku: database.StorageType,
      retentionDays: database.BackupRetentionPeriod,
      availabilityZone: database.AvailabilityZone,
      createdAt: instant(database.InstanceCreateTime),
    },
  });
}

/** Returns the inventory item of a database cluster. Bills use its resource id, which survives a rename. */
export function clusterItem(place: Place, cluster: DBCluster): InventoryItem | null {
  const id = cluster.DBClusterIdentifier;
  if (!id) return null;
  return itemOf(cluster.DBClusterArn ?? arnAt(place, 'rds', `cluster:${id}`), {
    name: id,
    tags: tagsOf(cluster.TagList),
    ...serviceOf(cluster.Engine),
    aliases: cluster.DbClusterResourceId ? [arnAt(place, 'rds', `cluster:${cluster.DbClusterResourceId}`)] : [],
    metadata: {
      state: cluster.Status,
      engine: cluster.Engine,
      engineVersion: cluster.EngineVersion,
      multiAz: cluster.MultiAZ,
      instanceType: cluster.DBClusterInstanceClass,
      iops: cluster.Iops,
      sku: cluster.StorageType,
      retentionDays: cluster.BackupRetentionPeriod,
      usedByCount: cluster.DBClusterMembers?.length,
      createdAt: instant(cluster.ClusterCreateTime),
    },
  });
}

/** Returns the inventory item of a database snapshot.
 *  @param databases ids in the region; null: could not be read */
export function databaseSnapshotItem(
  place: Place,
  snapshot: DBSnapshot,
  databases: ReadonlySet<string> | null,
): InventoryItem | null {
  const id = snapshot.DBSnapshotIdentifier;
  if (!id) return null;
  // A copy's source database is in another region.
  const source = snapshot.SourceRegion ? undefined : snapshot.DBInstanceIdentifier;
  return itemOf(snapshot.DBSnapshotArn ?? arnAt(place, 'rds', `snapshot:${id}`), {
    name: id,
    tags: tagsOf(snapshot.TagList),
    ...serviceOf(snapshot.Engine),
    metadata: {
      state: snapshot.Status,
      engine: snapshot.Engine,
      engineVersion: snapshot.EngineVersion,
      sizeGib: snapshot.AllocatedStorage,
      sku: snapshot.SnapshotType,
      sourceExists: source === undefined || databases === null ? undefined : databases.has(source),
      createdAt: instant(snapshot.SnapshotCreateTime),
    },
  });
}

/** RDS also returns Neptune and DocumentDB. */
function serviceOf(engine: string | undefined): { service?: string } {
  if (engine === 'docdb') return { service: 'Amazon DocumentDB (with MongoDB compatibility)' };
  return engine === 'neptune' ? { service: 'Amazon Neptune' } : {};
}
