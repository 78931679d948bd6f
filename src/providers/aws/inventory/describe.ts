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
  /** Which list of the region named each, by native id. */
  readonly lists: ReadonlyMap<string, string>;
  /** Types, as `ec2:volume`, of which all that the account has in the region are among the items. */
  readonly complete: ReadonlySet<string>;
}

type Items = readonly (InventoryItem | null)[] | null;

const kinds = {
  instances: { label: 'EC2 instances', list: 'ec2:instance' },
  volumes: { label: 'EBS volumes', list: 'ec2:volume' },
  snapshots: { label: 'EBS snapshots', list: 'ec2:snapshot' },
  images: { label: 'which snapshots machine images are made of' },
  addresses: { label: 'Elastic IP addresses', list: 'ec2:elastic-ip' },
  natGateways: { label: 'state and network of NAT gateways', list: 'ec2:natgateway' },
  endpoints: { label: 'which networks have gateway endpoints' },
  databases: { label: 'state and size of databases', list: 'rds:db', isRegional: true },
  clusters: { label: 'state of database clusters', list: 'rds:cluster', isRegional: true },
  databaseSnapshots: { label: 'snapshots of databases', list: 'rds:snapshot', isRegional: true },
} as const satisfies Record<string, Kind>;

/** Asks EC2, RDS and whatever has reservations for what the account has in a region. What may not be read is left out, and the
 *  ledger has it. */
export async function describeRegion(asking: Asking, ledger: Ledger, now: Date): Promise<Described> {
  const found: Record<string, Items> = { ...(await machines(asking, ledger)), ...(await databases(asking, ledger)) };
  const { region } = asking.place;
  const complete = new Set(Object.keys(found).filter((type) => found[type] !== null));
  for (const kind of reservationKinds) found[kind.list] = await ledger.read(kind, region, () => kind.read(asking, now));
  const named = Object.entries(found).flatMap(([list, items]) =>
    (items ?? []).filter((item) => item !== null).map((item) => ({ item, list })),
  );
  return {
    items: named.map(({ item }) => item),
    lists: new Map(named.map(({ item, list }) => [item.nativeId, list])),
    complete,
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
