import type pg from 'pg';
import { idSql } from '../../../engine/codebook.ts';
import type { Exchange } from '../../../facts/currencies.ts';
import type { Deps } from '../../../kit/deps.ts';
import { amountText, parseAmount } from '../../../kit/money.ts';
import type { Day } from '../../../kit/time/period.ts';
import type { OrgScope } from '../../../tenancy/auth/scope.ts';
import type { AccountFacts } from './read-store.ts';

/** Days after a recommendation was applied during which the bill is compared with the one before. */
const verifiedDays = 30;
/** Days up to the last complete one in which recommendations are verified, with a margin for late bills. */
export const lookBackDays = verifiedDays + 10;

interface Applied {
  readonly id: string;
  /** Same as in `Subject`. */
  readonly about: string;
  readonly subject: string;
  readonly provider: string;
  readonly nativeId: string | null;
  readonly currency: string;
  /** The complete days since it was applied, half-open. */
  readonly start: Day;
  readonly until: Day;
}

/** The cost of an applied recommendation's subject since then. */
export type AppliedCost = Pick<Applied, 'id' | 'start' | 'until'> & {
  /** Exact decimal in the recommendation's currency. Null if a part in another currency has no exchange rate. */
  readonly cost: string | null;
};

/** A part of the cost of an applied recommendation's subject, in one billing currency. */
interface CostPart {
  readonly id: string;
  readonly currency: string;
  /** Exact decimal. */
  readonly cost: string;
}

/** Reads the cost of the subjects of recently applied recommendations since then. */
export async function readAppliedCosts(
  deps: Pick<Deps, 'pool' | 'engine'>,
  scope: OrgScope,
  { accountId, facts, window, exchange }: AccountFacts,
): Promise<AppliedCost[]> {
  const { rows: applied } = await deps.pool.query<Applied>(
    `/* readAppliedCosts */ SELECT id, split_part(fingerprint, ':', 2) AS about, split_part(fingerprint, ':', 3) AS subject,
       provider, native_id AS "nativeId", currency, (status_changed_at::date + 1)::text AS start,
       least(status_changed_at::date + 1 + ${verifiedDays}, $3::date)::text AS until
     FROM recommendations WHERE organization_id = $1 AND account_id = $2 AND status = 'applied'
       AND baseline_daily_cost IS NOT NULL AND status_changed_at::date + 1 < $3::date
       AND status_changed_at::date > $3::date - ${lookBackDays} ORDER BY start`,
    [scope.organizationId, accountId, window.end],
  );
  const [earliest] = applied;
  if (earliest === undefined) return [];
  const parameters = { applied: JSON.stringify(applied), since: earliest.start };
  const rows = await deps.engine.rows<CostPart>(facts, {
    name: 'readAppliedCosts',
    sql: appliedCosts,
    parameters,
    lane: 'job',
  });
  const parts = Map.groupBy(rows, ({ id }) => id);
  return applied.map(({ id, start, until, currency }) => ({
    id,
    start,
    until,
    cost: sumIn(currency, parts.get(id) ?? [], exchange),
  }));
}

function sumIn(currency: string, parts: readonly CostPart[], exchange: Exchange): string | null {
  let sum = 0n;
  for (const part of parts) {
    const cost = exchange(parseAmount(part.cost), part.currency, currency);
    if (cost === null) return null;
    sum += cost;
  }
  return amountText(sum);
}

const ofCharges = (
  kinds: string,
) => `FROM facts WHERE ChargePeriodStart >= $since::TIMESTAMP AND ChargeCategory = 'Usage'
  AND ChargeClass IS NULL AND x_PricingKind IN (${kinds})`;
const used = ofCharges(`'on_demand', 'spot'`);
const unused = ofCharges(`'unused_reservation', 'unused_savings_plan'`);
const scopeId = `concat_ws('.', ${idSql('x_Provider', 'SubAccountId')}, ${idSql('x_Provider', 'ServiceName', 'ServiceCategory')},
  ${idSql('x_Provider', 'RegionId')})`;
const costOf = (about: string, charges: string, subject: string) => `
  SELECT a.id, c.currency, sum(c.cost) AS cost FROM applied a JOIN (${charges}) c
    ON ${subject} AND c.day >= a.start AND c.day < a.until WHERE a.about = '${about}' GROUP BY a.id, c.currency`;
const byNativeId = 'c.x_Provider = a.provider AND c.nativeId = a.nativeId';

const appliedCosts = `WITH applied AS (
    SELECT unnest(from_json($applied::JSON, '[{"id": "VARCHAR", "about": "VARCHAR", "subject": "VARCHAR",
      "provider": "VARCHAR", "nativeId": "VARCHAR", "start": "TIMESTAMP", "until": "TIMESTAMP"}]'), recursive := true)
  )
  ${[
    costOf(
      'resource',
      `SELECT x_Provider, ResourceId AS nativeId, ChargePeriodStart AS day, BillingCurrency AS currency, EffectiveCost AS cost ${used}`,
      byNativeId,
    ),
    costOf(
      'commitment',
      `SELECT x_Provider, CommitmentDiscountId AS nativeId, ChargePeriodStart AS day, BillingCurrency AS currency, EffectiveCost AS cost ${unused}`,
      byNativeId,
    ),
    costOf(
      'scope',
      `SELECT ${scopeId} AS subject, ChargePeriodStart AS day, BillingCurrency AS currency, sum(EffectiveCost) AS cost
       ${used} AND ResourceId IS NULL
       GROUP BY x_Provider, SubAccountId, ServiceName, ServiceCategory, RegionId, ChargePeriodStart, BillingCurrency`,
      'c.subject = a.subject',
    ),
  ].join(' UNION ALL ')}`;

/** Stores the savings of applied recommendations: the daily cost when each was applied, minus the daily cost since, per
 *  month of 30.4375 days. Negative if the cost has increased, null if the cost is unknown. Updated for 30 days. */
export async function saveSavings(
  client: pg.ClientBase,
  scope: OrgScope,
  accountId: string,
  costs: readonly AppliedCost[],
): Promise<void> {
  await client.query(
    `/* saveSavings */ UPDATE recommendations r
     SET realized_monthly_savings = round((r.baseline_daily_cost - c.cost / (c.until - c.start)) * 30.4375, 6)
     FROM json_to_recordset($3) AS c(id uuid, start date, until date, cost numeric)
     WHERE r.organization_id = $1 AND r.account_id = $2 AND r.id = c.id
       AND r.status = 'applied' AND r.status_changed_at::date + 1 = c.start`,
    [scope.organizationId, accountId, JSON.stringify(costs)],
  );
}
