import type pg from 'pg';
import type { OrgScope } from '../tenancy/auth/scope.ts';

/** Deletes reports, report schedules and dashboards that cover only the account, and all deliveries about it. Removes it from
 *  schedules that also cover others. Reports on several or all accounts stay. Alert rules are deleted with the account itself.
 *  @param client a connection with an open transaction that has deleted the account's row */
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
  await client.query(
    `/* deleteAccountDashboards */ DELETE FROM dashboards WHERE organization_id = $2 AND jsonb_array_length(widgets) > 0
     AND NOT EXISTS (SELECT FROM jsonb_array_elements(widgets) widget
       WHERE widget->'accountIds' IS DISTINCT FROM jsonb_build_array($1::text))`,
    values,
  );
  // Messages about the account contain its figures.
  await client.query(
    `/* deleteAccountDeliveries */ DELETE FROM deliveries WHERE organization_id = $2
     AND content @> jsonb_build_object('about', jsonb_build_object('accountIds', jsonb_build_array($1::text)))`,
    values,
  );
}
