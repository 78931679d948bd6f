import type pg from 'pg';
import { deleteAccountRows } from '../kit/database/account-rows.ts';
import type { OrgScope } from '../tenancy/auth/scope.ts';

/** Deletes an account's recommendations and anomalies. Its budgets are deleted with the account itself.
 *  @param client a connection with an open transaction that holds the account's lock */
export function deleteAccountFindings(client: pg.ClientBase, scope: OrgScope, accountId: string): Promise<void> {
  return deleteAccountRows(client, scope, accountId, ['recommendations', 'recommendation_sums', 'anomalies']);
}
