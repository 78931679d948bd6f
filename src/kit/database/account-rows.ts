import type pg from 'pg';

/** The cost cube and the tables derived from it: large, keyed by account, without foreign keys. */
export const cubeTables = [
  'cost_rollups',
  'services',
  'regions',
  'sub_accounts',
  'tag_pairs',
  'tag_keys',
  'tag_values',
  'virtual_tag_months',
  'virtual_values',
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
] as const;

/** Deletes an account's rows from tables with account_id and organization_id columns. */
export async function deleteAccountRows(
  client: pg.ClientBase,
  { organizationId }: { readonly organizationId: string },
  accountId: string,
  tables: readonly string[],
): Promise<void> {
  for (const table of tables) {
    await client.query(`/* deleteAccountRows */ DELETE FROM ${table} WHERE account_id = $1 AND organization_id = $2`, [
      accountId,
      organizationId,
    ]);
  }
}
