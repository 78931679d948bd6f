import type { Deps } from '../../kit/deps.ts';
import { invalid } from '../../kit/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import type { PageRequest } from '../../kit/page.ts';
import { addDays, instantOf, type Day } from '../../kit/period.ts';
import { parseSort } from '../../kit/sort.ts';
import type { OrgScope } from '../auth/scope.ts';
import type { AuditAction } from './actions.ts';
import { visibleDetails } from './details.ts';
import { auditSortFields, listEntries, type AuditRow } from './store.ts';

/** An entry as the caller may see it. */
export type AuditEntry = Omit<AuditRow, 'details'> & { readonly details: object };

/** Which entries a list shows; null means any. */
export interface AuditQuery {
  readonly action?: readonly AuditAction[] | null;
  /** Users. */
  readonly actorId?: readonly string[] | null;
  /** UTC days, both inclusive. */
  readonly startDate?: Day | null;
  readonly endDate?: Day | null;
  readonly sortBy?: string | null;
}

/** A page of the audit log, newest first. Who is restricted to some accounts sees the entries that concern none, or one of
 *  theirs.
 *  @throws {AppError} VALIDATION_ERROR when the end is before the start, or the order is none of `auditSortFields` */
export async function pageAuditLog(
  deps: Pick<Deps, 'db'>,
  scope: OrgScope,
  query: AuditQuery,
  page: PageRequest,
): Promise<{ rows: AuditEntry[]; total: number }> {
  const { startDate = null, endDate = null } = query;
  if (startDate !== null && endDate !== null && endDate < startDate)
    throw invalid(`end_date ${endDate} is before start_date ${startDate}`);
  const filter = {
    // Once each: a client may repeat a word more often than a query takes parameters.
    actions: query.action ? [...new Set(query.action)] : null,
    actorIds: query.actorId ? [...new Set(query.actorId)].filter(isUuid) : null,
    from: startDate && instantOf(startDate),
    until: endDate && instantOf(addDays(endDate, 1)),
    sort: parseSort(query.sortBy, auditSortFields),
  };
  const { rows, total } = await listEntries(deps.db, scope, filter, page);
  return { rows: rows.map((row) => ({ ...row, details: visibleDetails(row.action, row.details, scope) })), total };
}
