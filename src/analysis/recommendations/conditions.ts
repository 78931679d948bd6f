import { Prisma } from '../../../prisma/generated/client/client.ts';
import type { RecommendationStatus } from '../../../prisma/generated/client/enums.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';

/** Which recommendations are meant; null means any. */
export interface RecommendationFilter {
  readonly statuses: readonly RecommendationStatus[] | null;
  readonly types: readonly string[] | null;
  readonly accountIds: readonly string[] | null;
  readonly providers: readonly string[] | null;
  /** Least saving of a month, decimal text in the organization's currency. */
  readonly minSavings: string | null;
  /** When asked; snoozed ones are left out. Null: they are in. */
  readonly awakeAt: Date | null;
}

/** Recommendations, or sums of them, as `r`, with the rate to the organization's currency: of the month of the account's last
 *  complete day. */
export const rates = (scope: OrgScope, recommendations: Prisma.Sql) => Prisma.sql`${recommendations} r
  JOIN organizations o ON o.id = ${scope.organizationId}::uuid
  JOIN accounts a ON a.organization_id = o.id AND a.id = r.account_id
  LEFT JOIN exchange_rates x ON x.organization_id = o.id AND x.from_currency = r.currency
    AND x.to_currency = o.currency AND x.month = date_trunc('month', a.complete_through)::date`;

/** What a recommendation's or sum's currency is worth; null where there is no rate. */
export const rate = Prisma.sql`CASE WHEN r.currency = o.currency THEN 1 ELSE x.rate END`;

/** Where recommendations are looked for that meet a filter. */
export const among = (scope: OrgScope, { minSavings }: RecommendationFilter) =>
  minSavings === null ? Prisma.sql`recommendations r` : rates(scope, Prisma.sql`recommendations`);

/** In every read: the organization's, of the accounts in the caller's scope. */
export function ownership(scope: OrgScope): Prisma.Sql {
  const own = Prisma.sql`r.organization_id = ${scope.organizationId}::uuid`;
  return scope.accountIds ? Prisma.sql`${own} AND r.account_id = ANY(${[...scope.accountIds]}::uuid[])` : own;
}

/** All that a filter asks of a recommendation `r` that `among` has found. */
export function conditions(scope: OrgScope, filter: RecommendationFilter): Prisma.Sql {
  const { minSavings } = filter;
  const least = Prisma.sql`r.estimated_monthly_savings * ${rate} >= ${minSavings}::numeric`;
  return Prisma.join([rowConditions(scope, filter), ...(minSavings === null ? [] : [least])], ' AND ');
}

/** Those of recommendations without their rate. */
export function rowConditions(scope: OrgScope, filter: RecommendationFilter): Prisma.Sql {
  const { awakeAt } = filter;
  const awake = Prisma.sql`(r.snoozed_until IS NULL OR r.snoozed_until <= ${awakeAt})`;
  return Prisma.join([kindConditions(scope, filter), ...(awakeAt === null ? [] : [awake])], ' AND ');
}

/** Those that recommendations and their sums have columns for. */
export function kindConditions(
  scope: OrgScope,
  { statuses, types, accountIds, providers }: RecommendationFilter,
): Prisma.Sql {
  return Prisma.join(
    [
      ownership(scope),
      ...(statuses === null ? [] : [Prisma.sql`r.status = ANY(${[...statuses]}::recommendation_status[])`]),
      ...oneOf('r.type', types),
      ...(accountIds === null ? [] : [Prisma.sql`r.account_id = ANY(${[...accountIds]}::uuid[])`]),
      ...oneOf('r.provider', providers),
    ],
    ' AND ',
  );
}

function oneOf(column: string, values: readonly string[] | null): Prisma.Sql[] {
  return values === null ? [] : [Prisma.sql`${Prisma.raw(column)} = ANY(${[...values]}::text[])`];
}
