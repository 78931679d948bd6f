import { idOf } from '../../engine/codebook.ts';
import { tagKeyName } from '../../kit/tag-key.ts';

/** A resource as a provider's inventory lists it. */
export interface ListedResource {
  /** Slug as on bills: `aws`, `azure`, `gcp`. */
  readonly provider: string;
  /** As bills call it (FOCUS ResourceId), so that both are one resource. */
  readonly nativeId: string;
  /** Other names that bills may know it by: where the account's bills know one of these and not the native id, it takes that
   *  one. */
  readonly aliases?: readonly string[];
  /** Empty where it has none. */
  readonly name: string;
  readonly resourceType: string;
  /** FOCUS ServiceName, and RegionId; used for what no bill has. */
  readonly service: string;
  readonly region: string;
  readonly tags: Readonly<Record<string, string>>;
  /** See `metadata.ts` for the words that detectors know. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The provider's list that named it: should that not be readable one day, it stays as it was. */
  readonly namedBy?: string;
}

/** A row of `inventory_listings`, less its owner. Ids, tags and texts are as a load of bills writes them. */
export function listedRow(item: ListedResource) {
  return {
    ...listedName(item.provider, item.nativeId),
    name: storable(item.name),
    resource_type: storable(item.resourceType),
    service: storable(item.service),
    region: storable(item.region),
    tags: listedTags(item.tags),
    metadata: storableValue(item.metadata),
    list: item.namedBy ?? '',
  };
}

/** How bills write a resource's name, and the id that it has there. */
export function listedName(provider: string, nativeId: string) {
  const slug = storable(provider);
  // Azure writes one resource in several cases.
  const name = storable(slug === 'azure' ? nativeId.toLowerCase() : nativeId);
  return { resource_id: idOf(slug, name), provider: slug, native_id: name };
}

/** Of keys that differ in case only the first in code point order counts. */
function listedTags(tags: ListedResource['tags']): Record<string, string> {
  const entries = Object.entries(tags)
    .map(([key, value]): [string, string] => [tagKeyName(storable(key)), storable(value)])
    .filter(([key]) => key.trim() !== '')
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const firsts = new Map<string, [string, string]>();
  for (const entry of entries) if (!firsts.has(entry[0].toLowerCase())) firsts.set(entry[0].toLowerCase(), entry);
  return Object.fromEntries(firsts.values());
}

/** PostgreSQL holds neither NUL nor halves of surrogate pairs. */
function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}

function storableValue(value: unknown): unknown {
  if (typeof value === 'string') return storable(value);
  if (Array.isArray(value)) return value.map(storableValue);
  if (value instanceof Date || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [storable(key), storableValue(each)]));
}
