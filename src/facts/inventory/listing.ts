import type pg from 'pg';
import { inTransaction } from '../../kit/database/transaction.ts';
import type { Deps } from '../../kit/deps.ts';
import { conflict, notFound } from '../../kit/errors.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { copyFacts, removeStaged, stageFacts } from '../staged.ts';
import { billedNames } from './billed.ts';
import { listedName, listedRow, type ListedResource } from './listed.ts';
import { addListed, beginListing, knownIds } from './listing-store.ts';

/** Rows per statement: a listing of any length is sent in pieces that fit in memory. */
const batch = 5_000;

/** What a provider's inventory lists. */
export interface Listing {
  readonly items: Iterable<ListedResource> | AsyncIterable<ListedResource>;
  /** When the provider was asked. */
  readonly listedAt: Date;
  /** Which lists could not be read: regular expressions over `ListedResource.namedBy`. */
  readonly unread?: readonly string[];
}

/** Replaces an account's listing, whole: what it lacks is gone from the next evaluation on, unless the list that named it could
 *  not be read. Of two items with one id the later counts. An item that the account's bills know by one of its aliases, and not
 *  by its native id, is listed as the bills call it.
 *  @throws {AppError} CONFLICT when a later listing is there already; NOT_FOUND when the account is gone */
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
    if (begun === 'outdated')
      throw conflict`The listing of ${listedAt.toISOString()} is older than the one that is there`;
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

/** The native id and the aliases, of an item that has any. */
function namesOf({ provider, nativeId, aliases = [] }: ListedResource): ReturnType<typeof listedName>[] {
  return aliases.length > 0 ? [nativeId, ...aliases].map((name) => listedName(provider, name)) : [];
}
