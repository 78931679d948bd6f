import type pg from 'pg';
import { idOf } from '../../engine/codebook.ts';
import { inTransaction } from '../../kit/database/transaction.ts';
import type { Deps } from '../../kit/deps.ts';
import { conflict, notFound } from '../../kit/errors/errors.ts';
import { canonicalTags, storable } from '../../kit/tag-key.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { copyFacts, removeStaged, stageFacts } from '../staged.ts';
import { billedNames } from './billed.ts';
import { addListed, beginListing, knownIds } from './listing-store.ts';

/** A resource as a provider's inventory lists it. */
export interface ListedResource {
  /** Slug as on bills: `aws`, `azure`, `gcp`. */
  readonly provider: string;
  /** FOCUS ResourceId as on bills, so that both map to one resource. */
  readonly nativeId: string;
  /** Other names that bills may use. If the account's bills have one of these and not the native id, that name replaces it. */
  readonly aliases?: readonly string[];
  /** Empty if it has none. */
  readonly name: string;
  readonly resourceType: string;
  /** FOCUS ServiceName and RegionId; used for resources without a bill. */
  readonly service: string;
  readonly region: string;
  readonly tags: Readonly<Record<string, string>>;
  /** See `metadata.ts` for the fields that detectors use. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The provider's list that contained it. If that list cannot be read later, the resource stays unchanged. */
  readonly namedBy?: string;
}

/** Rows per statement, so that memory use does not depend on the size of the listing. */
const batch = 5_000;

/** A provider's inventory listing. */
export interface Listing {
  readonly items: Iterable<ListedResource> | AsyncIterable<ListedResource>;
  /** Time of the request to the provider. */
  readonly listedAt: Date;
  /** Lists that could not be read: regular expressions over `ListedResource.namedBy`. */
  readonly unread?: readonly string[];
}

/** Replaces an account's listing: resources it lacks count as gone from the next evaluation on, unless their list could not
 *  be read. Of two items with one id, the later wins. An item that is on the account's bills under one of its aliases, and
 *  not under its native id, is stored under the alias.
 *  @throws {AppError} CONFLICT if a newer listing exists; NOT_FOUND if the account is gone */
export async function recordListing(
  deps: Pick<Deps, 'pool' | 'engine'>,
  scope: OrgScope,
  accountId: string,
  { items, listedAt, unread = [] }: Listing,
): Promise<void> {
  const owner = { accountId, organizationId: scope.organizationId };
  const billed = await stageFacts(deps, scope, accountId, [billedNames]);
  await inTransaction(deps.pool, async (client) => {
    const begun = await beginListing(client, owner, { listedAt, unread });
    if (begun === 'missing') throw notFound('Account', accountId);
    if (begun === 'outdated') throw conflict`The listing of ${listedAt.toISOString()} is older than the stored one`;
    await copyFacts(client, billed);
    let waiting: ListedResource[] = [];
    const flush = async () => {
      await addListed(client, owner, await rowsOf(client, waiting), listedAt);
      waiting = [];
    };
    for await (const item of items) {
      waiting.push(item);
      if (waiting.length >= batch) await flush();
    }
    await flush();
  }).finally(() => removeStaged(billed));
}

async function rowsOf(client: pg.ClientBase, items: readonly ListedResource[]): Promise<object[]> {
  const billed = await knownIds(client, items.flatMap(namesOf));
  const rows = new Map<string, object>();
  for (const item of items) {
    const known = namesOf(item).find(({ resource_id }) => billed.has(resource_id));
    const row = { ...listedRow(item), ...known };
    rows.set(row.resource_id, row);
  }
  return [...rows.values()];
}

/** Returns the native id and aliases of an item with aliases. */
function namesOf({ provider, nativeId, aliases = [] }: ListedResource): ReturnType<typeof listedName>[] {
  return aliases.length > 0 ? [nativeId, ...aliases].map((name) => listedName(provider, name)) : [];
}

/** Builds a row of `inventory_listings` without its owner. Ids, tags and texts are normalized as in a load of bills. */
function listedRow(item: ListedResource) {
  return {
    ...listedName(item.provider, item.nativeId),
    name: storable(item.name),
    resource_type: storable(item.resourceType),
    service: storable(item.service),
    region: storable(item.region),
    tags: canonicalTags(item.tags),
    metadata: storableValue(item.metadata),
    list: item.namedBy ?? '',
  };
}

/** Returns a resource's name and id as bills have them. */
function listedName(provider: string, nativeId: string) {
  const slug = storable(provider);
  // Azure writes the same resource id in different cases.
  const name = storable(slug === 'azure' ? nativeId.toLowerCase() : nativeId);
  return { resource_id: idOf(slug, name), provider: slug, native_id: name };
}

function storableValue(value: unknown): unknown {
  if (typeof value === 'string') return storable(value);
  if (Array.isArray(value)) return value.map(storableValue);
  if (value instanceof Date || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [storable(key), storableValue(each)]));
}
