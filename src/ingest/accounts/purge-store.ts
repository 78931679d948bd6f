import type pg from 'pg';
import type { OrgScope } from '../../tenancy/auth/scope.ts';

/** Deletes reports and report schedules that are about the account alone; of schedules about others too, it leaves those.
 *  What a report tells of several accounts stays, as what it tells of all. */
export async function deleteAccountReports(client: pg.ClientBase, scope: OrgScope, accountId: string): Promise<void> {
  const values = [accountId, scope.organizationId];
  await client.query(
    `/* deleteAccountReports */ DELETE FROM reports
    WHERE organization_id = $2 AND is_restricted AND account_ids = ARRAY[$1::uuid]`,
    values,
  );
  await client.query(
    `/* deleteAccountSchedules */ DELETE FROM report_schedules
    WHERE organization_id = $2 AND filters->'account_id' = jsonb_build_array($1::text)`,
    values,
  );
  await client.query(
    `/* forgetAccountInSchedules */ UPDATE report_schedules
    SET filters = jsonb_set(filters, '{account_id}', (filters->'account_id') - $1::text)
    WHERE organization_id = $2 AND filters->'account_id' @> jsonb_build_array($1::text)`,
    values,
  );
}
