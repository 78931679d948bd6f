import type { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Deps } from '../../kit/deps.ts';
import { endBeforeStart } from '../../kit/errors/refusals.ts';
import { isUuid } from '../../kit/ids.ts';
import type { PageRequest } from '../../kit/page.ts';
import { addDays, instantOf, type Day } from '../../kit/time/period.ts';
import { wordFilter, type StoredWord } from '../../kit/stored-word.ts';
import { parseSort, type SortBy } from '../../kit/sort.ts';
import type { OrgScope } from '../auth/scope.ts';
import { auditActions, type AuditAction } from './actions.ts';
import { auditSortFields, listEntries } from './store.ts';

/** Which entries a list shows; null means any. */
export interface AuditQuery {
  readonly action?: readonly StoredWord<AuditAction>[] | null;
  /** Users. */
  readonly actorId?: readonly string[] | null;
  /** UTC days, both inclusive. */
  readonly startDate?: Day | null;
  readonly endDate?: Day | null;
  readonly sortBy?: SortBy<typeof auditSortFields> | null;
}

/** Returns a page of the audit log, newest first. A caller who is restricted to some accounts gets the entries that concern
 *  none, or one of theirs.
 *  @throws {AppError} VALIDATION_ERROR when the end is before the start */
export async function pageAuditLog<Select extends Prisma.AuditEntrySelect>(
  deps: Pick<Deps, 'db'>,
  scope: OrgScope,
  query: AuditQuery,
  { page, select }: { page: PageRequest; select: Select },
): Promise<{ rows: Prisma.AuditEntryGetPayload<{ select: Select }>[]; total: number }> {
  const { startDate = null, endDate = null } = query;
  if (startDate !== null && endDate !== null && endDate < startDate) throw endBeforeStart(endDate, startDate);
  const filter = {
    actions: query.action ? wordFilter(auditActions, query.action) : null,
    // Once each: a client may repeat an id more often than a query takes parameters.
    actorIds: query.actorId ? [...new Set(query.actorId)].filter(isUuid) : null,
    from: startDate && instantOf(startDate),
    until: endDate && instantOf(addDays(endDate, 1)),
    sort: parseSort(query.sortBy, auditSortFields),
  };
  return listEntries(deps.db, scope, filter, { page, select });
}
