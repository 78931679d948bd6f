import type pg from 'pg';
import { loadedColumns } from '../engine/codebook.ts';
import { deleteAccountRows } from '../kit/database/account-rows.ts';
import { retireFacts } from '../kit/database/retire-facts.ts';
import type { OrgScope } from '../tenancy/auth/scope.ts';

/** Tables that follow from an account's bills and listings, and the tag policies that cover the account only. */
const derived = [
  'inventory_listings',
  'inventory_resources',
  'inventory_counts',
  'tag_key_usage',
  'tag_key_costs',
  'taggable_costs',
  'tag_violations',
  'tag_violation_counts',
  'coverage_days',
  'coverage_flagged_days',
  'coverage_periods',
  'tag_policies',
];

/** Deletes the costs of an account and everything derived from them.
 *  @param client a connection with an open transaction that holds the account's lock */
export async function deleteAccountFacts(
  client: pg.ClientBase,
  scope: OrgScope,
  accountId: string,
  now: Date,
): Promise<void> {
  await retireFacts(client, { organizationId: scope.organizationId, accountId, month: null }, now);
  await deleteAccountRows(client, scope, accountId, [...Object.keys(loadedColumns), ...derived]);
}
