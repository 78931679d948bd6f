import { Prisma } from '../../../prisma/generated/client/client.ts';
import type { RecommendationStatus } from '../../../prisma/generated/client/enums.ts';
import { currenciesOf } from '../../facts/currencies.ts';
import { resourcesById } from '../../facts/inventory/search.ts';
import type { Db } from '../../kit/db.ts';
import { isUuid, requireById } from '../../kit/ids.ts';
import type { WordFilter } from '../../kit/stored-word.ts';
import { inside } from '../../tenancy/accounts/about.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import type { Script } from './detectors/script.ts';

/** Selected columns and relations of recommendations. */
export type RecommendationSelection = Pick<Prisma.RecommendationDefaultArgs, 'select' | 'include'>;

/** Returns the selected fields of a recommendation, or all.
 *  @throws {AppError} NOT_FOUND for an unknown id, one of another organization, and one outside the scope alike */
export function readRecommendation(
  { db }: { readonly db: Db },
  scope: OrgScope,
  id: string,
  query: RecommendationSelection = {},
) {
  const where = { ...inside(scope), id };
  return requireById('Recommendation', id, () => db.recommendation.findFirst({ ...query, where }));
}

/** Returns the scripts from their column, which only detectors write. */
export function scriptsOf(scripts: unknown): readonly Script[] {
  return scripts as readonly Script[];
}

/** Locks a recommendation in scope until the transaction ends.
 *  @param db an open transaction */
export async function holdRecommendation(db: Db, scope: OrgScope, id: string): Promise<void> {
  if (!isUuid(id)) return;
  await db.$queryRaw`/* holdRecommendation */ SELECT 1 FROM recommendations r WHERE r.id = ${id}::uuid AND ${ownership(scope)} FOR UPDATE`;
}

/** Changes to a recommendation: absent fields stay unchanged. */
export interface RecommendationChange {
  readonly status?: RecommendationStatus;
  readonly statusChangedAt?: Date;
  readonly statusChangedById?: string;
  readonly statusReason?: string | null;
  readonly snoozedUntil?: Date | null;
  readonly realizedMonthlySavings?: null;
}

/** Updates a recommendation in the scope. */
export async function changeRecommendation(
  db: Db,
  scope: OrgScope,
  id: string,
  data: RecommendationChange,
): Promise<void> {
  await db.recommendation.updateMany({ where: { ...inside(scope), id }, data });
}

/** Returns the organization's currency. */
export async function readCurrency(db: Db, scope: OrgScope): Promise<string> {
  const where = { id: scope.organizationId };
  return (await db.organization.findUniqueOrThrow({ where, select: { currency: true } })).currency;
}

/** Filters of recommendations; null means any. */
export interface RecommendationFilter {
  readonly statuses: readonly RecommendationStatus[] | null;
  readonly types: WordFilter | null;
  readonly accountIds: readonly string[] | null;
  readonly providers: readonly string[] | null;
  /** Inventory ids. */
  readonly resourceIds: readonly string[] | null;
  /** Minimum monthly saving, decimal text in the organization's currency. */
  readonly minSavings: string | null;
  /** Time of the request; excludes recommendations snoozed then. Null: includes them. */
  readonly awakeAt: Date | null;
}

/** Selects the currencies of each account, as `k`, in which it has matching recommendations: within each, an index orders
 *  them by money. */
export function currencies(scope: OrgScope, filter: RecommendationFilter): Prisma.Sql {
  const kinds = Prisma.sql`recommendation_sums r WHERE ${kindConditions(scope, filter)} AND r.recommendations > 0`;
  return Prisma.sql`${currenciesOf(scope, kinds)} k`;
}

/** Conditions on recommendations `r` of a currency `k` that match a filter. */
export function ofCurrency(scope: OrgScope, filter: RecommendationFilter): Prisma.Sql {
  const own = Prisma.sql`r.account_id = k.account_id AND r.currency = k.currency AND ${rowConditions(scope, filter)}`;
  const { minSavings } = filter;
  if (minSavings === null) return own;
  // The quotient is rounded, so it only narrows down the range of the index that is read.
  const bound = Prisma.sql`${minSavings}::numeric / k.rate`;
  return Prisma.sql`${own} AND r.estimated_monthly_savings >= ${bound} - abs(${bound}) * 0.000001
    AND r.estimated_monthly_savings * k.rate >= ${minSavings}::numeric`;
}

/** Restricts every read to the organization's rows, of accounts in the caller's scope. */
export function ownership(scope: OrgScope): Prisma.Sql {
  const own = Prisma.sql`r.organization_id = ${scope.organizationId}::uuid`;
  return scope.accountIds ? Prisma.sql`${own} AND r.account_id = ANY(${[...scope.accountIds]}::uuid[])` : own;
}

/** Returns a filter's conditions on recommendations `r`, except the minimum saving. */
export function rowConditions(scope: OrgScope, filter: RecommendationFilter): Prisma.Sql {
  const { awakeAt, resourceIds } = filter;
  const awake = Prisma.sql`(r.snoozed_until IS NULL OR r.snoozed_until <= ${awakeAt})`;
  const about = (ids: readonly string[]) => Prisma.sql`(r.account_id, r.resource_id) IN
    (SELECT own.account_id, own.resource_id FROM (${resourcesById(scope, ids)}) own)`;
  return Prisma.join(
    [
      kindConditions(scope, filter),
      ...(awakeAt === null ? [] : [awake]),
      ...(resourceIds === null ? [] : [about(resourceIds)]),
    ],
    ' AND ',
  );
}

/** Returns a filter's conditions that apply both to recommendations and to their sums. */
export function kindConditions(
  scope: OrgScope,
  { statuses, types, accountIds, providers }: RecommendationFilter,
): Prisma.Sql {
  return Prisma.join(
    [
      ownership(scope),
      ...(statuses === null ? [] : [Prisma.sql`r.status = ANY(${[...statuses]}::recommendation_status[])`]),
      ...(types === null ? [] : [typeCondition(types)]),
      ...(accountIds === null ? [] : [Prisma.sql`r.account_id = ANY(${[...accountIds]}::uuid[])`]),
      ...oneOf('r.provider', providers),
    ],
    ' AND ',
  );
}

function typeCondition({ among, outside }: WordFilter): Prisma.Sql {
  const known = Prisma.sql`r.type = ANY(${[...among]}::text[])`;
  return outside ? Prisma.sql`(${known} OR r.type <> ALL(${[...outside]}::text[]))` : known;
}

function oneOf(column: string, values: readonly string[] | null): Prisma.Sql[] {
  return values === null ? [] : [Prisma.sql`${Prisma.raw(column)} = ANY(${[...values]}::text[])`];
}
