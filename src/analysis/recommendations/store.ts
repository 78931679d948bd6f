import { Prisma, type Recommendation } from '../../../prisma/generated/client/client.ts';
import type { RecommendationStatus } from '../../../prisma/generated/client/enums.ts';
import { currenciesOf } from '../../facts/currencies.ts';
import { resourcesById } from '../../facts/inventory/search.ts';
import type { Db } from '../../kit/db.ts';
import { among } from '../../kit/page.ts';
import type { WordFilter } from '../../kit/stored-word.ts';
import { inside, StoredRecords } from '../../tenancy/accounts/about.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import type { Script } from './detectors/script.ts';
import { assignedTo, type TriageChange } from '../triage.ts';
import type { RecommendationFilter } from './input.ts';

/** The recommendations of organizations. */
export const recommendations = new StoredRecords<Recommendation>({
  noun: 'Recommendation',
  plural: 'recommendations',
  model: (db) => db.recommendation,
});

/** Returns the scripts from their column, which only detectors write. */
export function scriptsOf(scripts: unknown): readonly Script[] {
  return scripts as readonly Script[];
}

/** Changes to a recommendation: absent fields stay unchanged. */
export interface RecommendationChange extends TriageChange {
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
  const { awakeAt, resourceIds, assignees } = filter;
  const awake = Prisma.sql`(r.snoozed_until IS NULL OR r.snoozed_until <= ${awakeAt})`;
  const about = (ids: readonly string[]) => Prisma.sql`(r.account_id, r.resource_id) IN
    (SELECT own.account_id, own.resource_id FROM (${resourcesById(scope, ids)}) own)`;
  return Prisma.join(
    [
      kindConditions(scope, filter),
      ...assignedTo('r', assignees ?? {}),
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
      ...among('r.status', statuses, 'recommendation_status'),
      ...(types === null ? [] : [typeCondition(types)]),
      ...among('r.account_id', accountIds, 'uuid'),
      ...among('r.provider', providers),
    ],
    ' AND ',
  );
}

function typeCondition(types: WordFilter): Prisma.Sql {
  const known = Prisma.sql`r.type = ANY(${[...types.among]}::text[])`;
  return types.outside ? Prisma.sql`(${known} OR r.type <> ALL(${[...types.outside]}::text[]))` : known;
}
