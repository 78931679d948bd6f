import { Prisma } from '../../../prisma/generated/client/client.ts';
import type { RecommendationStatus } from '../../../prisma/generated/client/enums.ts';
import type { Db } from '../../kit/db.ts';
import { isUuid } from '../../kit/ids.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { ownership } from './conditions.ts';
import type { Confidence } from './detector.ts';
import type { Script } from './script.ts';

/** A recommendation as it is kept. Amounts are exact decimals in `currency`. */
export interface RecommendationRow {
  readonly id: string;
  readonly accountId: string;
  readonly provider: string;
  readonly type: string;
  readonly title: string;
  readonly description: string;
  readonly status: RecommendationStatus;
  readonly snoozedUntil: Date | null;
  /** Of the inventory; null where it is not in it, or never was. */
  readonly resourceId: string | null;
  readonly nativeId: string | null;
  readonly resourceName: string | null;
  readonly currency: string;
  readonly savings: string;
  readonly confidence: Confidence;
  readonly evidence: Record<string, unknown>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly statusChangedAt: Date | null;
  readonly statusReason: string | null;
  readonly realizedSavings: string | null;
  /** How to carry it out; null in lists. */
  readonly scripts: readonly Script[] | null;
}

/** The columns of a `RecommendationRow` but its scripts. */
export const shown = Prisma.sql`r.id, r.account_id AS "accountId", r.provider, r.type, r.title, r.description, r.status::text AS status,
  r.snoozed_until AS "snoozedUntil", i.id AS "resourceId", r.native_id AS "nativeId", r.resource_name AS "resourceName", r.currency,
  r.estimated_monthly_savings::text AS savings, r.confidence, r.evidence, r.created_at AS "createdAt",
  r.updated_at AS "updatedAt", r.status_changed_at AS "statusChangedAt", r.status_reason AS "statusReason",
  r.realized_monthly_savings::text AS "realizedSavings"`;

/** With the resource that it is about. */
export const withResource = Prisma.sql`LEFT JOIN inventory_resources i ON i.organization_id = r.organization_id
  AND i.account_id = r.account_id AND i.resource_id = r.resource_id`;

/** One recommendation in scope, with how to carry it out; null when there is none. */
export async function findRecommendation(db: Db, scope: OrgScope, id: string): Promise<RecommendationRow | null> {
  const rows = await db.$queryRaw<RecommendationRow[]>`/* findRecommendation */
    SELECT ${shown}, r.scripts FROM recommendations r ${withResource} WHERE r.id = ${id}::uuid AND ${ownership(scope)}`;
  return rows[0] ?? null;
}

/** Waits for whoever changes a recommendation in scope, and keeps others from it until the transaction ends.
 *  @param db an open transaction */
export async function holdRecommendation(db: Db, scope: OrgScope, id: string): Promise<void> {
  if (!isUuid(id)) return;
  await db.$queryRaw`/* holdRecommendation */ SELECT 1 FROM recommendations r WHERE r.id = ${id}::uuid AND ${ownership(scope)} FOR UPDATE`;
}

/** What changes of a recommendation; what is absent stays. */
export interface RecommendationChange {
  readonly status?: RecommendationStatus;
  readonly statusChangedAt?: Date;
  readonly statusChangedById?: string;
  readonly statusReason?: string | null;
  readonly snoozedUntil?: Date | null;
  readonly realizedMonthlySavings?: null;
}

/** Changes a recommendation in scope. */
export async function changeRecommendation(
  db: Db,
  scope: OrgScope,
  id: string,
  data: RecommendationChange,
): Promise<void> {
  const accounts = scope.accountIds ? { accountId: { in: [...scope.accountIds] } } : {};
  await db.recommendation.updateMany({ where: { id, organizationId: scope.organizationId, ...accounts }, data });
}

/** The organization's currency. */
export async function readCurrency(db: Db, scope: OrgScope): Promise<string> {
  const where = { id: scope.organizationId };
  return (await db.organization.findUniqueOrThrow({ where, select: { currency: true } })).currency;
}
