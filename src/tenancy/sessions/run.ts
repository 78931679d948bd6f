import type { Deps } from '../../kit/deps.ts';
import { notFound } from '../../kit/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import type { PageRequest } from '../../kit/page.ts';
import { parseSort } from '../../kit/sort.ts';
import { writeAudit, type Actor } from '../audit/store.ts';
import type { Viewer } from '../auth/scope.ts';
import { listSessions, revokeOwnSession, sessionSortFields, type SessionRow } from './store.ts';

/** A session as its user sees it. */
export type OwnSession = SessionRow & {
  /** Whether it is the one that asks. */
  readonly isCurrent: boolean;
};

/** A page of the caller's own open sessions, newest first. They are the user's, so all organizations of theirs are there.
 *  @throws {AppError} VALIDATION_ERROR when `sortBy` is not a field to sort by */
export async function pageSessions(
  deps: Pick<Deps, 'db' | 'clock'>,
  viewer: Viewer,
  sortBy: string | null,
  page: PageRequest,
): Promise<{ rows: OwnSession[]; total: number }> {
  const whose = { userId: viewer.userId, now: deps.clock.now() };
  const { rows, total } = await listSessions(deps.db, whose, parseSort(sortBy, sessionSortFields), page);
  return { rows: rows.map((row) => ({ ...row, isCurrent: row.id === viewer.sessionId })), total };
}

/** Ends one of the caller's own sessions, from the next request on; their own one too.
 *  @throws {AppError} NOT_FOUND where it is not theirs, or has ended */
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
    const details = { reason: 'its user ended it' };
    const entry = { action: 'session_revoked', resourceType: 'session', resourceId: id, details } as const;
    await writeAudit(db, { ...actor, organizationId }, entry);
  });
}
