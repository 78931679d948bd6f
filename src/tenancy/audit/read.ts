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

/** Filter of a list of entries; null means any. */
export interface AuditQuery {
  readonly action?: readonly StoredWord<AuditAction>[] | null;
  /** User ids. */
  readonly actorId?: readonly string[] | null;
  /** UTC days, both inclusive. */
  readonly startDate?: Day | null;
  readonly endDate?: Day | null;
  readonly sortBy?: SortBy<typeof auditSortFields> | null;
}

/** Returns a page of the audit log, newest first. A caller restricted to some accounts gets only entries about one
 *  of theirs or about none.
 *  @throws {AppError} VALIDATION_ERROR if the end is before the start */
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
    // Deduplicated: a client may repeat ids beyond the maximum number of query parameters.
    actorIds: query.actorId ? [...new Set(query.actorId)].filter(isUuid) : null,
    from: startDate && instantOf(startDate),
    until: endDate && instantOf(addDays(endDate, 1)),
    sort: parseSort(query.sortBy, auditSortFields),
  };
  return listEntries(deps.db, scope, filter, { page, select });
}
