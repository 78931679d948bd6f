import type pg from 'pg';

/** Deletes an account's rows of tables that have the columns account_id and organization_id. */
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
