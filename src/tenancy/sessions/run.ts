import type { Deps } from '../../kit/deps.ts';
import { notFound } from '../../kit/errors/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import { writeAudit, type Actor } from '../audit/store.ts';
import type { Viewer } from '../auth/scope.ts';
import { revokeOwnSession } from './store.ts';

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
