import type { Db } from '../../kit/db.ts';
import { isUuid } from '../../kit/ids.ts';
import type { PageRequest } from '../../kit/page.ts';
import { parseSort, type SortBy } from '../../kit/sort.ts';
import type { OrgScope, Viewer } from '../../tenancy/auth/scope.ts';
import { holdAssignee, type Assignee } from '../../tenancy/people/assignee.ts';
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
import type { Anomaly } from '../../../prisma/generated/client/client.ts';
import { AnomalyStatus } from '../../../prisma/generated/client/enums.ts';
import type { Deps } from '../../kit/deps.ts';
import { arg, choice, invalid, notFound } from '../../kit/errors/errors.ts';
import { unchanged, endBeforeStart } from '../../kit/errors/refusals.ts';
import { writeAudit, type Actor } from '../../tenancy/audit/store.ts';
import { reasonChange, reasonOf, type ReasonInput } from '../status-reason.ts';
import {
  bulkTransaction,
  distinctIds,
  noteOf,
  requireAllRead,
  requireRead,
  triageChange,
  type Checked,
  type ReadCondition,
  type SeveralInput,
  type TriageInput,
} from '../triage.ts';
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

/** Changes to anomalies: absent fields stay unchanged. */
interface Changes extends ReasonInput, TriageInput {
  status?: AnomalyStatus | null;
}

/** Changes to an anomaly. */
export interface ChangeInput extends Changes, ReadCondition {
  id: string;
}

type WriteDeps = Pick<Deps, 'db' | 'clock'>;

/** Changes the status of an anomaly, the reason for it, the assignee or the note: see `updateAnomalies`. */
export async function updateAnomaly(
  deps: WriteDeps,
  viewer: Viewer,
  actor: Actor,
  { id, ...input }: ChangeInput & { readonly query?: Selection },
) {
  const check = (rows: readonly Anomaly[]) => rows.forEach((before) => requireRead(before, input));
  const [row] = await changeAnomalies(deps, viewer, actor, { ...input, ids: [id], check });
  if (row === undefined) throw notFound('Anomaly', id);
  return row;
}

/** Changes the status of anomalies, the reason for it, the assignee or the note, all or none of them. All status transitions
 *  are allowed; a status set by a user survives syncs, except that acknowledged anomalies are resolved when they no longer
 *  hold or are over.
 *  @returns the selected fields
 *  @throws {AppError} VALIDATION_ERROR when nothing or an invalid value is given; NOT_FOUND; CONFLICT */
export async function updateAnomalies(
  deps: WriteDeps,
  viewer: Viewer,
  actor: Actor,
  input: Changes & SeveralInput & { readonly query?: Selection },
) {
  const check = (rows: readonly Anomaly[]) => requireAllRead('anomaly', rows, input);
  return changeAnomalies(deps, viewer, actor, { ...input, check });
}

async function changeAnomalies(
  { db, clock }: WriteDeps,
  viewer: Viewer,
  actor: Actor,
  { ids: given, query = {}, check, ...input }: Changes & Checked<Anomaly>,
) {
  if (input.status === null)
    throw invalid`${arg('status')} must be one of ${choice('status', ...Object.values(AnomalyStatus))}, not null`;
  const parsed = { reason: reasonOf(input), note: noteOf(input), now: clock.now() };
  if ([input.status, parsed.reason, parsed.note, input.assigneeId].every((one) => one === undefined))
    throw unchanged('status', 'status_reason', 'assignee_id', 'note');
  const ids = distinctIds(given);
  return db.$transaction(async (tx) => {
    const assignee = await holdAssignee(tx, viewer.scope, input);
    const rows = await anomalies.lockRows(tx, viewer.scope, ids);
    assignee?.check(rows.map(({ accountId }) => accountId));
    check(rows);
    for (const before of rows) {
      const { change, details } = changeOf(before, { ...input, ...parsed, assignee, userId: viewer.userId });
      await changeAnomaly(tx, viewer.scope, before.id, change);
      const { id: resourceId, accountId } = before;
      await writeAudit(tx, actor, {
        action: 'anomaly_changed',
        resourceType: 'anomaly',
        resourceId,
        accountId,
        details,
      });
    }
    return anomalies.select(tx, viewer.scope, ids, query);
  }, bulkTransaction);
}

interface Parsed extends Changes {
  readonly reason: string | null | undefined;
  readonly note: string | null | undefined;
  readonly assignee: Assignee | null;
  readonly userId: string;
  readonly now: Date;
}

/** Returns the columns to change and the details of the audit entry. */
function changeOf(before: Anomaly, { reason, note, assignee, userId, now, ...input }: Parsed) {
  const status = input.status ?? before.status;
  const isMoved = status !== before.status;
  // A user who resolves an anomaly that the service had resolved takes ownership: it stays resolved if found again. Setting
  // only the reason does not.
  const isTaken = input.status === 'resolved' && before.statusChangedById === null;
  const triage = triageChange(input, note, assignee);
  const isAbout = input.status !== undefined || reason !== undefined;
  return {
    change: {
      ...((isMoved || isTaken) && { status, statusChangedAt: now, statusChangedById: userId }),
      ...reasonChange(reason, isMoved),
      ...triage.change,
    },
    details: {
      ...(isAbout && { status: { before: before.status, after: status } }),
      ...(reason !== undefined && { reason }),
      ...triage.details,
    },
  };
}
