import type { InventoryItem } from '../../contract.ts';
import { parseArn } from './arn.ts';
import type { Asking } from './asking.ts';
import { describeRegion, type Described } from './describe.ts';
import { explore, type Explored } from './explored.ts';
import type { Explorer, View } from './explorer.ts';
import type { Kind, Ledger } from './ledger.ts';
import { readTagged, taggedKind } from './tagged.ts';

/** What lists a region. */
export interface RegionListing extends Asking {
  readonly explorer: Explorer;
  readonly ledger: Ledger;
  readonly now: Date;
  /** Native ids of what is listed already, and better than by an index. */
  readonly listed: ReadonlySet<string>;
  readonly keep: (items: readonly InventoryItem[]) => Promise<void>;
}

const search: Kind = {
  label: 'resources that Resource Explorer knows',
};
const nothing: Described = { items: [], complete: new Set() };

/** Lists a region, or `global`: what its services say of their resources, and what Resource Explorer knows beside, or the
 *  tagging API where there is no index. Memory holds what the services say of one region. */
export async function listRegion(listing: RegionListing): Promise<void> {
  const { ledger, place, explorer } = listing;
  const { region } = place;
  const described = region === 'global' ? nothing : await describeRegion(listing, ledger, listing.now);
  const merge = merging(described, listing);
  const view = explorer.viewOf(region);
  const tags = view?.hasTags === false ? await tagsByArn(listing) : null;
  const isExplored =
    view !== null && (await ledger.read(search, region, () => keepExplored(listing, view, merge, tags)));
  if (!isExplored && region !== 'global') await keepTagged(listing, merge);
  await listing.keep(merge.rest());
}

/** Puts what two sides say of a resource together, each once. */
interface Merging {
  /** What is to be kept of resources that an index knows. */
  take(found: readonly Explored[]): InventoryItem[];
  /** Of what was described: all that no index knew. */
  rest(): InventoryItem[];
}

function merging({ items, complete }: Described, { place, listed }: RegionListing): Merging {
  const own = new Map(items.map((item) => [item.nativeId, item]));
  const done = new Set(listed);
  return {
    take: (found) =>
      found.flatMap(({ item, type, owner }) => {
        const described = own.get(item.nativeId);
        if (done.has(item.nativeId)) return [];
        // An index is hours behind: of what a service has told all, what it did not name is gone.
        if (described === undefined) return complete.has(type) && owner === place.account ? [] : [item];
        own.delete(item.nativeId);
        // A query asked again in parts names it twice.
        done.add(item.nativeId);
        return [complete.has(type) ? described : withTags(described, item.tags)];
      }),
    rest: () => [...own.values()],
  };
}

/** Tags as an index has them, for what its service tells none of: reservations. */
function withTags(described: InventoryItem, tags: InventoryItem['tags']): InventoryItem {
  if (Object.keys(described.tags).length > 0) return described;
  return { ...described, tags, name: described.name || (tags['Name'] ?? '') };
}

async function keepExplored(
  { session, ledger, signal, keep, place }: RegionListing,
  view: View,
  merge: Merging,
  tags: ReadonlyMap<string, InventoryItem['tags']> | null,
): Promise<true> {
  for await (const page of explore({ session, view, region: place.region, ledger, signal })) {
    const tagged = tags && page.map((each) => ({ ...each, item: { ...each.item, ...tagsOf(each.item, tags) } }));
    await keep(merge.take(tagged ?? page));
  }
  return true;
}

function tagsOf(item: InventoryItem, tags: ReadonlyMap<string, InventoryItem['tags']>): Partial<InventoryItem> {
  const found = tags.get(item.nativeId);
  return found === undefined ? {} : { tags: found, name: item.name || (found['Name'] ?? '') };
}

/** Tags for a view that does not include them. What is in no region is tagged in the main one. */
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
  const { ledger, place, keep } = listing;
  await ledger.read(taggedKind, place.region, async () => {
    for await (const page of readTagged(listing))
      await keep(merge.take(page.map((item) => ({ item, ...kindOf(item.nativeId) }))));
  });
}

/** Type and owner, as an index would tell them. */
function kindOf(nativeId: string): Pick<Explored, 'type' | 'owner'> {
  const { service = '', type = '', account = '' } = parseArn(nativeId) ?? {};
  return { type: `${service}:${type}`, owner: account };
}
