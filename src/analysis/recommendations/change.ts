import { RecommendationStatus } from '../../../prisma/generated/client/enums.ts';
import type { Deps } from '../../kit/deps.ts';
import { arg, choice, invalid } from '../../kit/errors/errors.ts';
import { unchanged } from '../../kit/errors/refusals.ts';
import type { Selection } from '../../tenancy/accounts/about.ts';
import { writeAudit, type Actor } from '../../tenancy/audit/store.ts';
import type { Viewer } from '../../tenancy/auth/scope.ts';
import { reasonChange, reasonOf } from '../status-reason.ts';
import { snoozeOf, type ChangeInput } from './input.ts';
import { changeRecommendation, recommendations, type RecommendationChange } from './store.ts';
import { moveSum } from './sums-store.ts';

/** Changes a recommendation's status or the reason for it, snoozes it or ends its snooze. All status transitions are
 *  allowed; savings of an applied one are measured on the bill from then on. Returns the selected fields, read in the same
 *  transaction, because an evaluation can delete it right after.
 *  @throws {AppError} VALIDATION_ERROR if no change or an invalid one is given; NOT_FOUND */
export async function updateRecommendation(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  viewer: Viewer,
  actor: Actor,
  { query, ...input }: ChangeInput & { readonly query?: Selection },
) {
  const now = clock.now();
  if (input.status === null)
    throw invalid`${arg('status')} must be one of ${choice('status', ...Object.values(RecommendationStatus))}, not null`;
  const snoozedUntil = snoozeOf(input, now);
  const reason = reasonOf(input);
  if (input.status === undefined && reason === undefined && snoozedUntil === undefined)
    throw unchanged('status', 'status_reason', 'snoozed_until', 'snooze_days');
  return db.$transaction(async (tx) => {
    const before = await recommendations.lockRow(tx, viewer.scope, input.id);
    const change: RecommendationChange = {
      ...(input.status && statusChange(before, input.status, { now, by: viewer.userId })),
      ...reasonChange(reason, input.status !== undefined && input.status !== before.status),
      ...(snoozedUntil !== undefined && { snoozedUntil }),
    };
    await changeRecommendation(tx, viewer.scope, before.id, change);
    await writeAudit(tx, actor, {
      action: 'recommendation_changed',
      resourceType: 'recommendation',
      resourceId: before.id,
      accountId: before.accountId,
      details: {
        ...(input.status && { status: { before: before.status, after: input.status } }),
        ...(reason !== undefined && { reason }),
        ...(snoozedUntil !== undefined && { snoozed_until: snoozedUntil?.toISOString() ?? null }),
      },
    });
    if (input.status && input.status !== before.status)
      await moveSum(tx, viewer.scope, { ...before, from: before.status, to: input.status });
    return recommendations.read({ db: tx }, viewer.scope, before.id, query);
  });
}

/** Setting the same status again changes only the user: savings are measured since the recommendation was first applied. */
function statusChange(
  before: { readonly status: RecommendationStatus },
  status: RecommendationStatus,
  { now, by }: { now: Date; by: string },
): RecommendationChange {
  if (status === before.status) return { statusChangedById: by };
  return {
    status,
    statusChangedAt: now,
    statusChangedById: by,
    realizedMonthlySavings: null,
  };
}
