import type { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Deps } from '../../kit/deps.ts';
import { notFound } from '../../kit/errors/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import type { PageRequest } from '../../kit/page.ts';
import { parseSort, type SortBy } from '../../kit/sort.ts';
import { writeAudit, type Actor } from '../audit/store.ts';
import type { Viewer } from '../auth/scope.ts';
import { listSessions, revokeOwnSession, sessionSortFields } from './store.ts';

/** Returns a page of the caller's open sessions in all of their organizations, newest first. */
export async function pageSessions<Select extends Prisma.SessionSelect>(
  deps: Pick<Deps, 'db' | 'clock'>,
  viewer: Viewer,
  { sortBy, page, select }: { sortBy?: SortBy<typeof sessionSortFields> | null; page: PageRequest; select: Select },
): Promise<{ rows: Prisma.SessionGetPayload<{ select: Select }>[]; total: number }> {
  const whose = { userId: viewer.userId, now: deps.clock.now() };
  return listSessions(deps.db, whose, { sort: parseSort(sortBy, sessionSortFields), page, select });
}

/** Ends one of the caller's sessions, including the current one, effective with its next request.
 *  @throws {AppError} NOT_FOUND if it is not theirs, or has ended */
export async function endSession(
  deps: Pick<Deps, 'db' | 'clock'>,
  viewer: Viewer,
  actor: Actor,
  id: string,
): Promise<void> {
  await deps.db.$transaction(async (db) => {
    const session = { id, userId: viewer.userId };
    const organizationId = isUuid(id) ? await revokeOwnSession(db, session, deps.clock.now()) : null;
    if (organizationId === null) throw notFound('Session', id);
    const details = { reason: 'ended by the user' };
    const entry = { action: 'session_revoked', resourceType: 'session', resourceId: id, details } as const;
    await writeAudit(db, { ...actor, organizationId }, entry);
  });
}
