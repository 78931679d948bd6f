import type pg from 'pg';
import type { OrgScope } from '../tenancy/auth/scope.ts';

/** Deletes reports, report schedules, saved views and dashboards that cover only the account, and all deliveries about it.
 *  Removes it from schedules that also cover others. Reports on several or all accounts stay, and so do views that also cover
 *  others, unchanged: without the account, more members would see them. Alert rules are deleted with the account itself.
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
  // Before the views of its widgets.
  await client.query(
    `/* deleteAccountDashboards */ DELETE FROM dashboards d WHERE d.organization_id = $2 AND jsonb_array_length(d.widgets) > 0
     AND NOT EXISTS (SELECT FROM jsonb_array_elements(d.widgets) w
       LEFT JOIN saved_views v ON v.organization_id = d.organization_id AND v.id::text = w->>'viewId'
       WHERE CASE WHEN v.id IS NULL THEN w->'accountIds' ELSE to_jsonb(v.account_ids) END
         IS DISTINCT FROM jsonb_build_array($1::text))`,
    values,
  );
  await client.query(
    `/* deleteAccountViews */ DELETE FROM saved_views WHERE organization_id = $2 AND account_ids = ARRAY[$1::text]`,
    values,
  );
  // Messages about the account contain its figures.
  await client.query(
    `/* deleteAccountDeliveries */ DELETE FROM deliveries WHERE organization_id = $2
     AND content @> jsonb_build_object('about', jsonb_build_object('accountIds', jsonb_build_array($1::text)))`,
    values,
  );
}
