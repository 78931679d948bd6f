import type pg from 'pg';
import { Prisma } from '../../../prisma/generated/client/client.ts';
import type { RecommendationStatus } from '../../../prisma/generated/client/enums.ts';
import type { Db } from '../../kit/db.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import type { ProvisionalRate } from '../../facts/costs/ledger.ts';
import { currenciesOf } from '../../facts/currencies.ts';
import type { RecommendationFilter } from './input.ts';
import { currencies, kindConditions, ofCurrency, rowConditions } from './store.ts';

/** Sums of recommendations with the same type and status. Exact decimals. */
export interface SavingsCell {
  readonly type: string;
  readonly status: RecommendationStatus;
  readonly currency: string;
  readonly count: number;
  /** In the cell's own currency. */
  readonly savings: string;
  /** In the organization's currency; null without a rate. */
  readonly converted: string | null;
  /** The provisional rate of the conversion; null if the rate is final or there is none. */
  readonly provisional: ProvisionalRate | null;
}

/** Returns counts and savings by type, status and currency. */
export async function sumRecommendations(
  db: Db,
  scope: OrgScope,
  filter: RecommendationFilter,
): Promise<SavingsCell[]> {
  // Summed before conversion, because there are few currencies.
  return db.$queryRaw<SavingsCell[]>`/* sumRecommendations */ WITH sums AS MATERIALIZED (${sums(scope, filter)})
    SELECT r.type, r.status::text AS status, r.currency, sum(r.recommendations)::int AS count, sum(r.savings)::text AS savings,
      sum(r.savings * k.rate)::text AS converted, k.provisional
    FROM sums r JOIN ${currenciesOf(scope, Prisma.sql`sums`)} k USING (account_id, currency)
    GROUP BY r.type, r.status, r.currency, k.rate IS NULL, k.provisional HAVING sum(r.recommendations) > 0
    ORDER BY r.type, r.status, r.currency`;
}

/** Selects sums by kind and account: the stored sums minus snoozed recommendations. With a filter by minimum saving, resource
 *  or assignee, sums the recommendations themselves. */
function sums(scope: OrgScope, filter: RecommendationFilter): Prisma.Sql {
  const counted = (sign: Prisma.Sql) => Prisma.sql`SELECT r.account_id, r.type, r.status, r.currency,
    ${sign} count(*) AS recommendations, ${sign} sum(r.estimated_monthly_savings) AS savings`;
  const kinds = Prisma.sql`GROUP BY r.account_id, r.type, r.status, r.currency`;
  if (filter.minSavings !== null)
    return Prisma.sql`SELECT c.* FROM ${currencies(scope, filter)} CROSS JOIN LATERAL (
      ${counted(Prisma.empty)} FROM recommendations r WHERE ${ofCurrency(scope, filter)} ${kinds}) c`;
  if (filter.resourceIds !== null || filter.assignees !== null)
    return Prisma.sql`${counted(Prisma.empty)} FROM recommendations r WHERE ${rowConditions(scope, filter)} ${kinds}`;
  const all = Prisma.sql`SELECT r.account_id, r.type, r.status, r.currency, r.recommendations, r.savings
    FROM recommendation_sums r WHERE ${kindConditions(scope, filter)}`;
  if (filter.awakeAt === null) return all;
  return Prisma.sql`${all} UNION ALL ${counted(Prisma.sql`-`)} FROM recommendations r
    WHERE ${kindConditions(scope, filter)} AND r.snoozed_until > ${filter.awakeAt} ${kinds}`;
}

/** Counts the recommendations that match a filter. */
export async function countRecommendations(db: Db, scope: OrgScope, filter: RecommendationFilter): Promise<number> {
  const rows = await db.$queryRaw<{ count: number }[]>`/* countRecommendations */
    SELECT coalesce(sum(r.recommendations), 0)::int AS count FROM (${sums(scope, filter)}) r`;
  return rows[0]?.count ?? 0;
}

// Maintains the sums of an account's recommendations. One transaction at a time changes them, after it has written all its
// recommendations: the second one sees the changes of the first, and none holds the lock while it waits for a row.

const lockKey = (accountId: string) => `recommendation sums:${accountId}`;

/** Recalculates the sums of an account. Must be the last step of a transaction that changes its recommendations.
 *  @param client a connection with an open transaction */
export async function remakeSums(client: pg.ClientBase, scope: OrgScope, accountId: string): Promise<void> {
  const owner = [scope.organizationId, accountId];
  await client.query('/* remakeSums */ SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [lockKey(accountId)]);
  await client.query(
    '/* remakeSums */ DELETE FROM recommendation_sums WHERE organization_id = $1 AND account_id = $2',
    owner,
  );
  await client.query(
    `/* remakeSums */ INSERT INTO recommendation_sums
       (organization_id, account_id, provider, type, status, currency, recommendations, savings)
     SELECT organization_id, account_id, provider, type, status, currency, count(*), sum(estimated_monthly_savings)
     FROM recommendations WHERE organization_id = $1 AND account_id = $2 GROUP BY 1, 2, 3, 4, 5, 6`,
    owner,
  );
}

/** A recommendation whose status was changed in this transaction. */
export interface Moved {
  readonly id: string;
  readonly accountId: string;
  readonly from: RecommendationStatus;
  readonly to: RecommendationStatus;
}

/** Moves a recommendation from the sum of one status to that of another. Must be the last step of a transaction on the
 *  recommendation.
 *  @param db an open transaction */
export async function moveSum(db: Db, scope: OrgScope, { id, accountId, from, to }: Moved): Promise<void> {
  await db.$executeRaw`/* moveSum */ SELECT pg_advisory_xact_lock(hashtextextended(${lockKey(accountId)}, 0))`;
  const each = Prisma.sql`SELECT organization_id, account_id, provider, type, currency, estimated_monthly_savings AS savings
    FROM recommendations WHERE organization_id = ${scope.organizationId}::uuid AND id = ${id}::uuid`;
  await db.$executeRaw`/* moveSum */ UPDATE recommendation_sums s
    SET recommendations = s.recommendations - 1, savings = s.savings - r.savings FROM (${each}) r
    WHERE (s.organization_id, s.account_id, s.provider, s.type, s.currency)
      = (r.organization_id, r.account_id, r.provider, r.type, r.currency) AND s.status = ${from}::recommendation_status`;
  await db.$executeRaw`/* moveSum */ INSERT INTO recommendation_sums AS s
      (organization_id, account_id, provider, type, status, currency, recommendations, savings)
    SELECT organization_id, account_id, provider, type, ${to}::recommendation_status, currency, 1, savings FROM (${each}) r
    ON CONFLICT (organization_id, account_id, provider, type, status, currency)
      DO UPDATE SET recommendations = s.recommendations + 1, savings = s.savings + excluded.savings`;
}
