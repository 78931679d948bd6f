import type { Db } from '../../kit/db.ts';
import { requireById, isUuid } from '../../kit/ids.ts';
import type { PageRequest } from '../../kit/page.ts';
import { parseSort, type SortBy } from '../../kit/sort.ts';
import type { OrgScope, Viewer } from '../../tenancy/auth/scope.ts';
import {
  anomalySortFields,
  countAnomalies,
  selectAnomalies,
  selectAnomaly,
  changeAnomaly,
  holdAnomaly,
  explainedOf,
  severityOf,
  type AnomalySelection,
  type PageSelect,
  type AnomalyFilter,
} from './store.ts';
import { AnomalyStatus } from '../../../prisma/generated/client/enums.ts';
import type { Deps } from '../../kit/deps.ts';
import { arg, choice, invalid } from '../../kit/errors/errors.ts';
import { unchanged, endBeforeStart } from '../../kit/errors/refusals.ts';
import { writeAudit, type Actor } from '../../tenancy/audit/store.ts';
import { reasonChange, reasonOf, type ReasonInput } from '../status-reason.ts';
import { parseProviders } from '../../facts/provider.ts';
import type { Day } from '../../kit/time/period.ts';
import type { Severity } from './detection/episodes.ts';

type ReadDeps = { readonly db: Db };

/** Returns a page of selected anomalies in the caller's scope and their total number.
 *  @throws {AppError} VALIDATION_ERROR when the dates are in the wrong order */
export async function pageAnomalies<Select extends PageSelect>(
  { db }: ReadDeps,
  scope: OrgScope,
  input: FilterInput & { sortBy?: SortBy<typeof anomalySortFields> | null },
  { select, ...page }: PageRequest & { readonly select: Select },
) {
  const question = { filter: filterOf(input), sort: parseSort(input.sortBy, anomalySortFields), page, select };
  const total = await countAnomalies(db, scope, question.filter);
  return { rows: total === 0 ? [] : await selectAnomalies(db, scope, question), total };
}

/** Returns an anomaly with its explanation, for a notification; null if it is not in the scope. */
export async function lookUpAnomaly({ db }: ReadDeps, scope: OrgScope, id: string) {
  const row = await selectAnomaly(db, scope, id);
  return row && { ...row, severity: severityOf(row.severity), ...explainedOf(row) };
}

/** Returns the selected fields of an anomaly, or all.
 *  @throws {AppError} NOT_FOUND for an unknown id, one of another organization, and one outside the scope alike */
export function readAnomaly({ db }: ReadDeps, scope: OrgScope, id: string, query?: AnomalySelection) {
  return requireById('Anomaly', id, () => selectAnomaly(db, scope, id, query));
}

/** Changes the status of an anomaly, or the reason for it. All status transitions are allowed; a status set by a user
 *  survives syncs.
 *  @throws {AppError} VALIDATION_ERROR when nothing or an invalid value is given; NOT_FOUND */
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
    return readAnomaly({ db: tx }, viewer.scope, before.id, query);
  });
}

/** Filters of a list; null means any. */
export interface FilterInput {
  status?: readonly AnomalyStatus[] | null;
  severity?: readonly Severity[] | null;
  accountId?: readonly string[] | null;
  provider?: readonly string[] | null;
  service?: readonly string[] | null;
  resourceId?: string | null;
  startDate?: Day | null;
  endDate?: Day | null;
}

/** Changes to an anomaly: absent fields stay unchanged. */
export interface ChangeInput extends ReasonInput {
  id: string;
  status?: AnomalyStatus | null;
}

/** Parses the filters. An invalid id matches nothing.
 *  @throws {AppError} VALIDATION_ERROR when the last day is before the first */
function filterOf(input: FilterInput): AnomalyFilter {
  const once = <T>(values: readonly T[] | null | undefined) => (values ? [...new Set(values)] : null);
  const { startDate: from = null, endDate: to = null } = input;
  if (from !== null && to !== null && to < from) throw endBeforeStart(to, from);
  return {
    statuses: once(input.status),
    severities: once(input.severity),
    accountIds: once(input.accountId)?.filter(isUuid) ?? null,
    providers: parseProviders(input.provider),
    services: once(input.service),
    resourceIds: typeof input.resourceId === 'string' ? [input.resourceId].filter(isUuid) : null,
    from,
    to,
  };
}
