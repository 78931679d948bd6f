import type { InventoryItem, KeepItems } from '../../contract.ts';
import { allPages, type Asking, type List, type Paged, type Place } from './asking.ts';
import {
  clusterItem,
  clusterList,
  databaseItem,
  databaseList,
  databaseSnapshotItem,
  databaseSnapshotList,
} from './databases.ts';
import {
  explore,
  type Explored,
  exploredList,
  type Explorer,
  knownKind,
  readTagged,
  taggedList,
  type View,
} from './explorer.ts';
import { parseArn } from './item.ts';
import { type Ledger, listIn } from './ledger.ts';
import {
  imageList,
  instanceItem,
  instanceList,
  relationsOf,
  snapshotItem,
  snapshotList,
  volumeItem,
  volumeList,
} from './machines.ts';
import { addressItem, addressList, endpointList, natGatewayItem, natGatewayList } from './networks.ts';
import { reservationLists } from './reservations.ts';

/** Parameters of a region's listing. */
interface RegionListing extends Asking {
  readonly explorer: Explorer;
  readonly ledger: Ledger;
  readonly now: Date;
  /** Native ids already listed in more detail than an index has. */
  readonly listed: ReadonlySet<string>;
  readonly keep: KeepItems;
}

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
    view !== null && (await ledger.read(knownKind, region, () => keepExplored(listing, view, merge, tags)));
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
  taggedList.list,
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
  await ledger.read(taggedList, region, async () => {
    for await (const page of readTagged({ ...listing, place: { ...place, region } }))
      for (const item of page) tags.set(item.nativeId, item.tags);
  });
  return tags;
}

async function keepTagged(listing: RegionListing, merge: Merging): Promise<void> {
  const { ledger, place } = listing;
  await ledger.read(taggedList, place.region, async () => {
    for await (const page of readTagged(listing))
      await keepNamed(
        listing,
        merge.take(
          page.map((item) => ({ item, ...kindOf(item.nativeId) })),
          taggedList.list,
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

/** Lists an account's resources in a region from EC2, RDS and services with reservations. Unreadable kinds are omitted and
 *  recorded in the ledger. */
async function describeRegion(asking: Asking, ledger: Ledger, now: Date): Promise<Described> {
  const { place } = asking;
  const read: ReadList = (list) => ledger.read(list, place.region, () => allPages(asking, list));
  const found: Record<string, Items> = { ...(await machines(place, read)), ...(await databases(place, read)) };
  const complete = new Set(Object.keys(found).filter((type) => found[type] !== null));
  for (const each of reservationLists)
    found[each.list] = await ledger.read(each, place.region, () => each.read(asking, now));
  const named = Object.entries(found).flatMap(([list, items]) =>
    (items ?? []).filter((item) => item !== null).map((item) => ({ item, list })),
  );
  return {
    items: named.map(({ item }) => item),
    lists: new Map(named.map(({ item, list }) => [item.nativeId, list])),
    complete,
  };
}

/** Reads a list of the region; null if it cannot be read. */
type ReadList = <Page extends Paged, Item>(list: List<Page, Item>) => Promise<Item[] | null>;

async function machines(place: Place, read: ReadList): Promise<Record<string, Items>> {
  const instances = await read(instanceList);
  const byId = instances && new Map(instances.map((each) => [each.InstanceId ?? '', each]));
  const volumes = await read(volumeList);
  const snapshots = await read(snapshotList);
  const images = snapshots?.length === 0 ? [] : await read(imageList);
  const addresses = await read(addressList);
  const gateways = await read(natGatewayList);
  // Only gateways need them.
  const endpoints = gateways?.length ? await read(endpointList) : null;
  const relations = relationsOf(volumes, images, instances);
  return {
    'ec2:instance': instances && instances.map((each) => instanceItem(place, each)),
    'ec2:volume': volumes && volumes.map((each) => volumeItem(place, each, byId)),
    'ec2:snapshot': snapshots && snapshots.map((each) => snapshotItem(place, each, relations)),
    'ec2:elastic-ip': addresses && addresses.map((each) => addressItem(place, each, byId)),
    'ec2:natgateway': gateways && gateways.map((each) => natGatewayItem(place, each, endpoints)),
  };
}

async function databases(place: Place, read: ReadList): Promise<Record<string, Items>> {
  const instances = await read(databaseList);
  const clusters = await read(clusterList);
  const snapshots = await read(databaseSnapshotList);
  const ids = instances && new Set(instances.flatMap(({ DBInstanceIdentifier }) => DBInstanceIdentifier ?? []));
  return {
    'rds:db': instances && instances.map((each) => databaseItem(place, each)),
    'rds:cluster': clusters && clusters.map((each) => clusterItem(place, each)),
    'rds:snapshot': snapshots && snapshots.map((each) => databaseSnapshotItem(place, each, ids)),
  };
}
