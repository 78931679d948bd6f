import type { Recommendation } from '../../../prisma/generated/client/client.ts';
import { RecommendationStatus } from '../../../prisma/generated/client/enums.ts';
import type { Deps } from '../../kit/deps.ts';
import { arg, choice, invalid, notFound } from '../../kit/errors/errors.ts';
import { unchanged } from '../../kit/errors/refusals.ts';
import { compare } from '../../kit/sort.ts';
import type { Selection } from '../../tenancy/accounts/about.ts';
import { writeAudit, type Actor } from '../../tenancy/audit/store.ts';
import type { Viewer } from '../../tenancy/auth/scope.ts';
import { holdAssignee, type Assignee } from '../../tenancy/people/assignee.ts';
import { reasonChange, reasonOf } from '../status-reason.ts';
import {
  bulkTransaction,
  distinctIds,
  noteOf,
  requireAllRead,
  requireRead,
  triageChange,
  type Checked,
  type SeveralInput,
} from '../triage.ts';
import { snoozeOf, type ChangeInput, type Changes } from './input.ts';
import { changeRecommendation, recommendations, type RecommendationChange } from './store.ts';
import { moveSum } from './sums-store.ts';

type WriteDeps = Pick<Deps, 'db' | 'clock'>;

/** Changes a recommendation: see `updateRecommendations`. */
export async function updateRecommendation(
  deps: WriteDeps,
  viewer: Viewer,
  actor: Actor,
  { id, ...input }: ChangeInput & { readonly query?: Selection },
) {
  const check = (rows: readonly Recommendation[]) => rows.forEach((before) => requireRead(before, input));
  const [row] = await changeRecommendations(deps, viewer, actor, { ...input, ids: [id], check });
  if (row === undefined) throw notFound('Recommendation', id);
  return row;
}

/** Changes the status of recommendations, the reason for it, the assignee or the note, snoozes them or ends their snooze, all
 *  or none of them. All status transitions are allowed; savings of an applied one are measured on the bill from then on.
 *  Returns the selected fields, read in the same transaction, because a deletion of their account can remove them right after.
 *  @throws {AppError} VALIDATION_ERROR if no change or an invalid one is given; NOT_FOUND; CONFLICT */
export async function updateRecommendations(
  deps: WriteDeps,
  viewer: Viewer,
  actor: Actor,
  input: Changes & SeveralInput & { readonly query?: Selection },
) {
  const check = (rows: readonly Recommendation[]) => requireAllRead('recommendation', rows, input);
  return changeRecommendations(deps, viewer, actor, { ...input, check });
}

async function changeRecommendations(
  { db, clock }: WriteDeps,
  viewer: Viewer,
  actor: Actor,
  { ids: given, query = {}, check, ...input }: Changes & Checked<Recommendation>,
) {
  const parsed = parse(input, clock.now());
  const ids = distinctIds(given);
  return db.$transaction(async (tx) => {
    const { scope, userId } = viewer;
    const assignee = await holdAssignee(tx, scope, input);
    const rows = await recommendations.lockRows(tx, scope, ids);
    assignee?.check(rows.map(({ accountId }) => accountId));
    check(rows);
    for (const before of rows) {
      const { change, details } = changeOf(before, { ...parsed, assignee, userId });
      await changeRecommendation(tx, scope, before.id, change);
      const { id: resourceId, accountId } = before;
      const about = { resourceType: 'recommendation', resourceId, accountId } as const;
      await writeAudit(tx, actor, { action: 'recommendation_changed', ...about, details });
    }
    const { status: to } = input;
    // In the order of the accounts, so that concurrent changes do not deadlock.
    for (const before of rows.toSorted((a, b) => compare(a.accountId, b.accountId)))
      if (to && to !== before.status) await moveSum(tx, scope, { ...before, from: before.status, to });
    return recommendations.select(tx, scope, ids, query);
  }, bulkTransaction);
}

function parse(input: Changes, now: Date) {
  if (input.status === null)
    throw invalid`${arg('status')} must be one of ${choice('status', ...Object.values(RecommendationStatus))}, not null`;
  const snoozedUntil = snoozeOf(input, now);
  const reason = reasonOf(input);
  const note = noteOf(input);
  if ([input.status, reason, snoozedUntil, note, input.assigneeId].every((one) => one === undefined))
    throw unchanged('status', 'status_reason', 'snoozed_until', 'snooze_days', 'assignee_id', 'note');
  return { input, status: input.status, snoozedUntil, reason, note, now };
}

type Parsed = ReturnType<typeof parse> & { readonly assignee: Assignee | null; readonly userId: string };

/** Returns the columns to change and the details of the audit entry. */
function changeOf(before: Recommendation, { input, status, snoozedUntil, reason, note, ...by }: Parsed) {
  const triage = triageChange(input, note, by.assignee);
  const change: RecommendationChange = {
    ...(status && statusChange(before, status, { now: by.now, by: by.userId })),
    ...reasonChange(reason, status !== undefined && status !== before.status),
    ...(snoozedUntil !== undefined && { snoozedUntil }),
    ...triage.change,
  };
  const details = {
    ...(status && { status: { before: before.status, after: status } }),
    ...(reason !== undefined && { reason }),
    ...(snoozedUntil !== undefined && { snoozed_until: snoozedUntil?.toISOString() ?? null }),
    ...triage.details,
  };
  return { change, details };
}

/** Returns the columns of a new status. Setting the same status again changes only the user: savings are measured since the
 *  recommendation was first applied. */
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
