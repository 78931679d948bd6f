import type pg from 'pg';
import { inTransaction } from '../../kit/database/transaction.ts';
import { AppError, notFound } from '../../kit/errors.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { listedName, listedRow, type ListedResource } from './listed.ts';
import { addListed, beginListing, billedIds } from './listing-store.ts';

/** Rows per statement: a listing of any length is sent in pieces that fit in memory. */
const batch = 5_000;

/** Puts what a provider's inventory lists in place of an account's listing before, whole: what it lacks is gone from the next
 *  evaluation on, unless the list that named it could not be read. Of two items with one id the later counts. An item that the account's bills know by one of its aliases, and
 *  not by its native id, is listed as the bills call it.
 *  @param listedAt when the provider was asked
 *  @param unread which lists could not be read: regular expressions over `ListedResource.namedBy`
 *  @throws {AppError} CONFLICT when a later listing is there already; NOT_FOUND when the account is not there any more */
export async function recordListing(
  pool: pg.Pool,
  scope: OrgScope,
  accountId: string,
  listing: {
    readonly items: Iterable<ListedResource> | AsyncIterable<ListedResource>;
    readonly listedAt: Date;
    readonly unread?: readonly string[];
  },
): Promise<void> {
  const { items, listedAt, unread = [] } = listing;
  const owner = { accountId, organizationId: scope.organizationId };
  await inTransaction(pool, async (client) => {
    const begun = await beginListing(client, owner, { listedAt, unread });
    if (begun === 'missing') throw notFound('Account', accountId);
    if (begun === 'outdated')
      throw new AppError('CONFLICT', `The listing of ${listedAt.toISOString()} is older than the one that is there`);
    let waiting: ListedResource[] = [];
    const flush = async () => {
      await addListed(client, owner, await rowsOf(client, owner, waiting), listedAt);
      waiting = [];
    };
    for await (const item of items) {
      waiting.push(item);
      if (waiting.length >= batch) await flush();
    }
    await flush();
  });
}

async function rowsOf(
  client: pg.ClientBase,
  owner: { accountId: string; organizationId: string },
  items: readonly ListedResource[],
): Promise<object[]> {
  const billed = await billedIds(client, owner, items.flatMap(namesOf));
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
