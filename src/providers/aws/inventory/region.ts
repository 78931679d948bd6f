import type { InventoryItem, KeepItems } from '../../contract.ts';
import type { Asking } from './asking.ts';
import {
  clusterItem,
  databaseItem,
  databaseSnapshotItem,
  readClusters,
  readDatabases,
  readDatabaseSnapshots,
} from './databases.ts';
import { explore, type Explored, exploredList, type Explorer, readTagged, taggedKind, type View } from './explorer.ts';
import { parseArn } from './item.ts';
import { type Kind, type Ledger, listIn } from './ledger.ts';
import {
  instanceItem,
  readImages,
  readInstances,
  readSnapshots,
  readVolumes,
  relationsOf,
  snapshotItem,
  volumeItem,
} from './machines.ts';
import { addressItem, natGatewayItem, readAddresses, readGatewayEndpoints, readNatGateways } from './networks.ts';
import { reservationKinds } from './reservations.ts';

/** Parameters of a region's listing. */
interface RegionListing extends Asking {
  readonly explorer: Explorer;
  readonly ledger: Ledger;
  readonly now: Date;
  /** Native ids already listed in more detail than an index has. */
  readonly listed: ReadonlySet<string>;
  readonly keep: KeepItems;
}

const search: Kind = {
  label: 'resources that Resource Explorer knows',
  list: exploredList,
};
const nothing: Described = { items: [], lists: new Map(), complete: new Set() };

/** Lists a region, or `global`: resources described by their services, and others from Resource Explorer, or from the tagging
 *  API without an index. Holds one region's described resources in memory. */
export async function listRegion(listing: RegionListing): Promise<void> {
  const { ledger, place, explorer } = listing;
  const { region } = place;
  const described = region === 'global' ? nothing : await describeRegion(listing, ledger, listing.now);
  const merge = merging(described, listing);
  const view = explorer.viewOf(region);
  const tags = view?.hasTags === false ? await tagsByArn(listing) : null;
  const isExplored =
    view !== null && (await ledger.read(search, region, () => keepExplored(listing, view, merge, tags)));
  if (isExplored) ledger.replace(region, indexed);
  else if (region !== 'global') await keepTagged(listing, merge);
  await keepNamed(listing, merge.rest());
}

/** Lists whose resources an index also contains. */
const indexed = [
  'ec2:instance',
  'ec2:volume',
  'ec2:snapshot',
  'ec2:elastic-ip',
  'ec2:natgateway',
  'rds:db',
  'rds:cluster',
  'rds:snapshot',
  taggedKind.list,
];

/** Passes on items, each with the list that named it. */
async function keepNamed({ keep, place }: RegionListing, items: readonly Named[]): Promise<void> {
  for (const [list, own] of Map.groupBy(items, (named) => named.list))
    await keep(
      own.map(({ item }) => item),
      listIn(place.region, list),
    );
}

/** An item, and the regional list that named it. */
interface Named {
  readonly item: InventoryItem;
  readonly list: string;
}

/** Merges described and indexed resources, each once. */
interface Merging {
  /** Returns the items to keep of indexed resources. */
  take(found: readonly Explored[], list: string): Named[];
  /** Returns described items that no index had. */
  rest(): Named[];
}

function merging({ items, lists, complete }: Described, { place, listed }: RegionListing): Merging {
  const own = new Map(items.map((item) => [item.nativeId, item]));
  const done = new Set(listed);
  const named = (item: InventoryItem, list: string): Named => ({ item, list: lists.get(item.nativeId) ?? list });
  return {
    take: (found, list) =>
      found.flatMap(({ item, type, owner }) => {
        const described = own.get(item.nativeId);
        if (done.has(item.nativeId)) return [];
        // An index lags by hours: if a service lists all its resources, those it did not name are gone.
        if (described === undefined) return complete.has(type) && owner === place.account ? [] : [named(item, list)];
        own.delete(item.nativeId);
        // A split query may return it twice.
        done.add(item.nativeId);
        return [named(complete.has(type) ? described : withTags(described, item.tags), list)];
      }),
    rest: () => [...own.values()].map((item) => named(item, '')),
  };
}

/** Adds tags from an index where the service returns none: reservations. */
function withTags(described: InventoryItem, tags: InventoryItem['tags']): InventoryItem {
  if (Object.keys(described.tags).length > 0) return described;
  return { ...described, tags, name: described.name || (tags['Name'] ?? '') };
}

async function keepExplored(
  listing: RegionListing,
  view: View,
  merge: Merging,
  tags: ReadonlyMap<string, InventoryItem['tags']> | null,
): Promise<true> {
  const { session, ledger, signal, place } = listing;
  for await (const page of explore({ session, view, region: place.region, ledger, signal })) {
    const tagged = tags && page.map((each) => ({ ...each, item: { ...each.item, ...tagsOf(each.item, tags) } }));
    await keepNamed(listing, merge.take(tagged ?? page, exploredList));
  }
  return true;
}

function tagsOf(item: InventoryItem, tags: ReadonlyMap<string, InventoryItem['tags']>): Partial<InventoryItem> {
  const found = tags.get(item.nativeId);
  return found === undefined ? {} : { tags: found, name: item.name || (found['Name'] ?? '') };
}

/** Returns tags for a view that does not include them. Resources outside regions are tagged in the main one. */
async function tagsByArn(listing: RegionListing): Promise<Map<string, InventoryItem['tags']>> {
  const { ledger, session, place } = listing;
  const region = place.region === 'global' ? session.partition.mainRegion : place.region;
  const tags = new Map<string, InventoryItem['tags']>();
  await ledger.read(taggedKind, region, async () => {
    for await (const page of readTagged({ ...listing, place: { ...place, region } }))
      for (const item of page) tags.set(item.nativeId, item.tags);
  });
  return tags;
}

async function keepTagged(listing: RegionListing, merge: Merging): Promise<void> {
  const { ledger, place } = listing;
  await ledger.read(taggedKind, place.region, async () => {
    for await (const page of readTagged(listing))
      await keepNamed(
        listing,
        merge.take(
          page.map((item) => ({ item, ...kindOf(item.nativeId) })),
          taggedKind.list,
        ),
      );
  });
}

/** Returns type and owner in the form of an index. */
function kindOf(nativeId: string): Pick<Explored, 'type' | 'owner'> {
  const { service = '', type = '', account = '' } = parseArn(nativeId) ?? {};
  return { type: `${service}:${type}`, owner: account };
}

/** Resources described by the services of a region. */
interface Described {
  readonly items: readonly InventoryItem[];
  /** Regional list that named each item, by native id. */
  readonly lists: ReadonlyMap<string, string>;
  /** Types, such as `ec2:volume`, for which the items are complete for the account in the region. */
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

/** Lists an account's resources in a region from EC2, RDS and services with reservations. Unreadable kinds are omitted and
 *  recorded in the ledger. */
async function describeRegion(asking: Asking, ledger: Ledger, now: Date): Promise<Described> {
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
  // Only gateways need them.
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
