import type { Pool } from 'pg';
import { inTransaction } from '../../kit/database/transaction.ts';
import { AppError, notFound } from '../../kit/errors.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { listedRow, type ListedResource } from './listed.ts';
import { replaceListing } from './listing-store.ts';

/** Puts what a provider's inventory lists in place of an account's listing before, whole: what it lacks is gone from the next
 *  evaluation on. Of two items with one id the later counts.
 *  @param listedAt when the provider was asked
 *  @throws {AppError} CONFLICT when a later listing is there already; NOT_FOUND when the account is not there any more */
export async function recordListing(
  pool: Pool,
  scope: OrgScope,
  accountId: string,
  listing: { readonly items: Iterable<ListedResource>; readonly listedAt: Date },
): Promise<void> {
  const { items, listedAt } = listing;
  const rows = new Map<string, object>();
  for (const item of items) {
    const row = listedRow(item);
    rows.set(row.resource_id, row);
  }
  const outcome = await inTransaction(pool, (client) =>
    replaceListing(client, scope, { accountId, rows: [...rows.values()], listedAt }),
  );
  if (outcome === 'missing') throw notFound('Account', accountId);
  if (outcome === 'outdated')
    throw new AppError('CONFLICT', `The listing of ${listedAt.toISOString()} is older than the one that is there`);
}
