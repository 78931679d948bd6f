import type pg from 'pg';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import type { Books } from './read-store.ts';

/** Days after somebody applied a recommendation in which the bill is compared with what it was before. */
const verifiedDays = 30;

/** Measures what applied recommendations saved: the cost a day of what each is about when it was applied, less what it is on
 *  the complete days since, in a month of 30.4375 days. Negative where it costs more. Measured anew for 30 days; then it
 *  stays. */
export async function verifyApplied(client: pg.ClientBase, scope: OrgScope, books: Books): Promise<void> {
  await client.query(
    `/* verifyApplied */ WITH applied AS (
       SELECT id, baseline_daily_cost, status_changed_at::date + 1 AS start,
         least(status_changed_at::date + 1 + ${verifiedDays}, $3::date) AS until,
         split_part(fingerprint, ':', 2) AS about, split_part(fingerprint, ':', 3) AS subject
       FROM recommendations
       WHERE organization_id = $1 AND account_id = $2 AND status = 'applied' AND baseline_daily_cost IS NOT NULL
         AND status_changed_at::date + 1 < $3::date AND status_changed_at::date > $3::date - ${verifiedDays + 10}
     ), facts AS MATERIALIZED (
       SELECT resource_id, commitment_id, concat_ws('.', sub_account_id, service_id, region_id) AS place, charge_date,
         pricing_kind, effective
       FROM cost_facts
       WHERE organization_id = $1 AND account_id = $2 AND charge_date >= (SELECT min(start) FROM applied)
         AND charge_date < $3::date AND charge_category = 1 AND charge_class = 0 AND pricing_kind IN (1, 2, 6, 7)
     ), since AS (
       SELECT a.id, sum(f.effective) AS cost FROM applied a JOIN facts f ON f.charge_date >= a.start AND f.charge_date < a.until
         AND a.about = 'resource' AND f.resource_id::text = a.subject AND f.pricing_kind <= 2 GROUP BY a.id
       UNION ALL
       SELECT a.id, sum(f.effective) FROM applied a JOIN facts f ON f.charge_date >= a.start AND f.charge_date < a.until
         AND a.about = 'commitment' AND f.commitment_id::text = a.subject AND f.pricing_kind >= 6 GROUP BY a.id
       UNION ALL
       SELECT a.id, sum(f.effective) FROM applied a JOIN facts f ON f.charge_date >= a.start AND f.charge_date < a.until
         AND a.about = 'scope' AND f.resource_id = 0 AND f.place = a.subject AND f.pricing_kind <= 2 GROUP BY a.id
     )
     UPDATE recommendations r
     SET realized_monthly_savings = round((a.baseline_daily_cost - coalesce(s.cost, 0) / (a.until - a.start)) * 30.4375, 6)
     FROM applied a LEFT JOIN since s ON s.id = a.id
     WHERE r.organization_id = $1 AND r.account_id = $2 AND r.id = a.id`,
    [scope.organizationId, books.accountId, books.window.end],
  );
}
