import { AnomalyStatus } from '../../../prisma/generated/client/enums.ts';
import type { Deps } from '../../kit/deps.ts';
import { arg, choice, invalid } from '../../kit/errors.ts';
import { unchanged } from '../../kit/refusals.ts';
import { writeAudit, type Actor } from '../../tenancy/audit/store.ts';
import type { Viewer } from '../../tenancy/auth/scope.ts';
import { reasonChange, reasonOf } from '../status-reason.ts';
import type { ChangeInput } from './input.ts';
import { changeAnomaly, holdAnomaly, type AnomalySelection } from './list-store.ts';
import { readAnomaly } from './list.ts';

/** Changes the status of an anomaly, or the reason for it. Any status may follow any other; what somebody resolved stays so
 *  over syncs.
 *  @throws {AppError} VALIDATION_ERROR when nothing is named or what is named cannot be used; NOT_FOUND */
export async function updateAnomaly(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  viewer: Viewer,
  actor: Actor,
  { query, ...input }: ChangeInput & { readonly query?: AnomalySelection },
) {
  if (input.status === null)
    throw invalid`${arg('status')} must be one of ${choice('status', ...Object.values(AnomalyStatus))}, not null`;
  const reason = reasonOf(input);
  if (input.status === undefined && reason === undefined) throw unchanged('status', 'status_reason');
  return db.$transaction(async (tx) => {
    await holdAnomaly(tx, viewer.scope, input.id);
    const before = await readAnomaly({ db: tx }, viewer.scope, input.id);
    const status = input.status ?? before.status;
    const isMoved = status !== before.status;
    // Who resolves what the service resolved makes it their own: found again, it stays so. Who only says why does not.
    const isTaken = input.status === 'resolved' && before.statusChangedById === null;
    await changeAnomaly(tx, viewer.scope, before.id, {
      ...((isMoved || isTaken) && { status, statusChangedAt: clock.now(), statusChangedById: viewer.userId }),
      ...reasonChange(reason, isMoved),
    });
    await writeAudit(tx, actor, {
      action: 'anomaly_changed',
      resourceType: 'anomaly',
      resourceId: before.id,
      accountId: before.accountId,
      details: {
        status: { before: before.status, after: status },
        ...(reason !== undefined && { reason }),
      },
    });
    return readAnomaly({ db: tx }, viewer.scope, before.id, query);
  });
}
