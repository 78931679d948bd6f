import type pg from 'pg';
import { cubeTables, deleteAccountRows } from '../kit/database/account-rows.ts';
import { retireFacts } from '../kit/database/retire-facts.ts';
import type { OrgScope } from '../tenancy/auth/scope.ts';
import { refreshAccount } from './costs/replace-store.ts';

/** Deletes an account's costs, everything derived from them, and the tag policies that cover only this account.
 *  @param client a connection with an open transaction that holds the account's lock */
export async function deleteAccountFacts(
  client: pg.ClientBase,
  scope: OrgScope,
  accountId: string,
  now: Date,
): Promise<void> {
  await retireFacts(client, { organizationId: scope.organizationId, accountId, month: null }, now);
  // The months, too, which would be deleted with the account's row only: until then, queries would find their fact files.
  await deleteAccountRows(client, scope, accountId, [...cubeTables, 'tag_policies', 'invoice_sums', 'billing_periods']);
  await refreshAccount(client, scope, { accountId, now });
}
