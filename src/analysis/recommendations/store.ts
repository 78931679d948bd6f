import type { Prisma } from '../../../prisma/generated/client/client.ts';
import type { RecommendationStatus } from '../../../prisma/generated/client/enums.ts';
import type { Db } from '../../kit/db.ts';
import { isUuid } from '../../kit/ids.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { ownership } from './conditions.ts';
import type { Confidence } from './detector.ts';
import type { Script } from './script.ts';

/** What is asked of recommendations. */
export type RecommendationSelection = Pick<Prisma.RecommendationDefaultArgs, 'select' | 'include'>;

/** One recommendation in scope, as far as it is selected, or whole; null when there is none. */
export async function selectRecommendation(db: Db, scope: OrgScope, id: string, query: RecommendationSelection = {}) {
  return isUuid(id) ? db.recommendation.findFirst({ ...query, where: { ...inside(scope), id } }) : null;
}

/** In every read: the organization's, of the accounts in the caller's scope. */
export function inside({ organizationId, accountIds }: OrgScope) {
  return { organizationId, ...(accountIds && { accountId: { in: [...accountIds] } }) };
}

/** The confidence in a recommendation from its column, which detectors alone write. */
export function confidenceOf(confidence: string): Confidence {
  return confidence as Confidence;
}

/** How to carry out a recommendation, from the column, which detectors alone write. */
export function scriptsOf(scripts: unknown): readonly Script[] {
  return scripts as readonly Script[];
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
  await db.recommendation.updateMany({ where: { ...inside(scope), id }, data });
}

/** The organization's currency. */
export async function readCurrency(db: Db, scope: OrgScope): Promise<string> {
  const where = { id: scope.organizationId };
  return (await db.organization.findUniqueOrThrow({ where, select: { currency: true } })).currency;
}
