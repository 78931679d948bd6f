import type { Db } from '../../kit/db.ts';
import { isUuid } from '../../kit/ids.ts';
import type { PageRequest } from '../../kit/page.ts';
import { parseSort, type SortBy } from '../../kit/sort.ts';
import type { OrgScope, Viewer } from '../../tenancy/auth/scope.ts';
import {
  anomalies,
  anomalySortFields,
  changeAnomaly,
  countAnomalies,
  explainedOf,
  listAnomalies,
  severityOf,
  type AnomalyFilter,
} from './store.ts';
import { AnomalyStatus } from '../../../prisma/generated/client/enums.ts';
import type { Deps } from '../../kit/deps.ts';
import { arg, choice, invalid } from '../../kit/errors/errors.ts';
import { unchanged, endBeforeStart } from '../../kit/errors/refusals.ts';
import { writeAudit, type Actor } from '../../tenancy/audit/store.ts';
import { reasonChange, reasonOf, type ReasonInput } from '../status-reason.ts';
import type { Selection } from '../../tenancy/accounts/about.ts';

type ReadDeps = { readonly db: Db };

/** Returns a page of selected anomalies in the caller's scope and their total number.
 *  @throws {AppError} VALIDATION_ERROR when the dates are in the wrong order */
export async function pageAnomalies(
  { db }: ReadDeps,
  scope: OrgScope,
  { sortBy, ...filter }: AnomalyFilter & { readonly sortBy?: SortBy<typeof anomalySortFields> | null },
  { select, ...page }: PageRequest & { readonly select: object },
) {
  const { startDate, endDate } = filter;
  if (startDate && endDate && endDate < startDate) throw endBeforeStart(endDate, startDate);
  const total = await countAnomalies(db, scope, filter);
  const question = { filter, sort: parseSort(sortBy, anomalySortFields), page };
  const ids = total === 0 ? [] : await listAnomalies(db, scope, question);
  return { rows: await anomalies.select(db, scope, ids, { select }), total };
}

/** Returns an anomaly with its explanation, for a notification; null if it is not in the scope. */
export async function lookUpAnomaly({ db }: ReadDeps, scope: OrgScope, id: string) {
  const [row] = await anomalies.select(db, scope, [id].filter(isUuid), {});
  return row ? { ...row, severity: severityOf(row.severity), ...explainedOf(row) } : null;
}

/** Changes the status of an anomaly, or the reason for it. All status transitions are allowed; a status set by a user
 *  survives syncs.
 *  @throws {AppError} VALIDATION_ERROR when nothing or an invalid value is given; NOT_FOUND */
export async function updateAnomaly(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  viewer: Viewer,
  actor: Actor,
  { query, ...input }: ChangeInput & { readonly query?: Selection },
) {
  if (input.status === null)
    throw invalid`${arg('status')} must be one of ${choice('status', ...Object.values(AnomalyStatus))}, not null`;
  const reason = reasonOf(input);
  if (input.status === undefined && reason === undefined) throw unchanged('status', 'status_reason');
  return db.$transaction(async (tx) => {
    const before = await anomalies.lockRow(tx, viewer.scope, input.id);
    const status = input.status ?? before.status;
    const isMoved = status !== before.status;
    // A user who resolves an anomaly that the service had resolved takes ownership: it stays resolved if found again. Setting
    // only the reason does not.
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
    return anomalies.read({ db: tx }, viewer.scope, before.id, query);
  });
}

/** Changes to an anomaly: absent fields stay unchanged. */
export interface ChangeInput extends ReasonInput {
  id: string;
  status?: AnomalyStatus | null;
}
