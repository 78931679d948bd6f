import type { InventoryItem } from '../../contract.ts';
import type { Asking } from './asking.ts';
import {
  clusterItem,
  databaseItem,
  databaseSnapshotItem,
  readClusters,
  readDatabases,
  readDatabaseSnapshots,
} from './databases.ts';
import { instanceItem, readInstances } from './instances.ts';
import type { Kind, Ledger } from './ledger.ts';
import { addressItem, natGatewayItem, readAddresses, readGatewayEndpoints, readNatGateways } from './networks.ts';
import { reservationKinds } from './reservations.ts';
import { readImages, readSnapshots, relationsOf, snapshotItem } from './snapshots.ts';
import { readVolumes, volumeItem } from './volumes.ts';

/** What the services of a region say of their own resources. */
export interface Described {
  readonly items: readonly InventoryItem[];
  /** Types, as `ec2:volume`, of which all that the account has in the region are among the items. */
  readonly complete: ReadonlySet<string>;
}

type Items = readonly (InventoryItem | null)[] | null;

const kinds = {
  instances: { label: 'EC2 instances' },
  volumes: { label: 'EBS volumes' },
  snapshots: { label: 'EBS snapshots' },
  images: { label: 'which snapshots machine images are made of' },
  addresses: { label: 'Elastic IP addresses' },
  natGateways: { label: 'state and network of NAT gateways' },
  endpoints: { label: 'which networks have gateway endpoints' },
  databases: { label: 'state and size of databases', isRegional: true },
  clusters: { label: 'state of database clusters', isRegional: true },
  databaseSnapshots: { label: 'snapshots of databases', isRegional: true },
} as const satisfies Record<string, Kind>;

/** Asks EC2, RDS and whatever has reservations for what the account has in a region. What may not be read is left out, and the
 *  ledger has it. */
export async function describeRegion(asking: Asking, ledger: Ledger, now: Date): Promise<Described> {
  const found: Record<string, Items> = { ...(await machines(asking, ledger)), ...(await databases(asking, ledger)) };
  const { region } = asking.place;
  const reserved: Items[] = [];
  for (const kind of reservationKinds) reserved.push(await ledger.read(kind, region, () => kind.read(asking, now)));
  const lists = [...Object.values(found), ...reserved];
  return {
    items: lists.flatMap((items) => items ?? []).filter((item) => item !== null),
    complete: new Set(Object.keys(found).filter((type) => found[type] !== null)),
  };
}

async function machines(asking: Asking, ledger: Ledger): Promise<Record<string, Items>> {
  const { place } = asking;
  const read = <T>(kind: Kind, work: (asking: Asking) => Promise<T>) =>
    ledger.read(kind, place.region, () => work(asking));
  const instances = await read(kinds.instances, readInstances);
  const byId = instances && new Map(instances.map((each) => [each.InstanceId ?? '', each]));
  const volumes = await read(kinds.volumes, readVolumes);
  const snapshots = await read(kinds.snapshots, readSnapshots);
  const images = snapshots?.length === 0 ? [] : await read(kinds.images, readImages);
  const addresses = await read(kinds.addresses, readAddresses);
  const gateways = await read(kinds.natGateways, readNatGateways);
  // Nothing else needs them.
  const endpoints = gateways?.length ? await read(kinds.endpoints, readGatewayEndpoints) : null;
  const relations = relationsOf(volumes, images, instances);
  return {
    'ec2:instance': instances && instances.map((each) => instanceItem(place, each)),
    'ec2:volume': volumes && volumes.map((each) => volumeItem(place, each, byId)),
    'ec2:snapshot': snapshots && snapshots.map((each) => snapshotItem(place, each, relations)),
    'ec2:elastic-ip': addresses && addresses.map((each) => addressItem(place, each, byId)),
    'ec2:natgateway': gateways && gateways.map((each) => natGatewayItem(place, each, endpoints)),
  };
}

async function databases(asking: Asking, ledger: Ledger): Promise<Record<string, Items>> {
  const { place } = asking;
  const read = <T>(kind: Kind, work: (asking: Asking) => Promise<T>) =>
    ledger.read(kind, place.region, () => work(asking));
  const instances = await read(kinds.databases, readDatabases);
  const clusters = await read(kinds.clusters, readClusters);
  const snapshots = await read(kinds.databaseSnapshots, readDatabaseSnapshots);
  const ids = instances && new Set(instances.flatMap(({ DBInstanceIdentifier }) => DBInstanceIdentifier ?? []));
  return {
    'rds:db': instances && instances.map((each) => databaseItem(place, each)),
    'rds:cluster': clusters && clusters.map((each) => clusterItem(place, each)),
    'rds:snapshot': snapshots && snapshots.map((each) => databaseSnapshotItem(place, each, ids)),
  };
}
