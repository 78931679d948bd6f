import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { fix, forbidden, operation, unauthorized } from '../../kit/errors/errors.ts';
import { writeAudit } from '../audit/store.ts';
import { hashOf, matches, parseRefreshToken } from './refresh-token.ts';
import type { Viewer } from '../auth/scope.ts';
import type { Origin } from './open.ts';
import { findUsed, lockSession, revokeSession, type StoredSession } from './store.ts';

type LogoutDeps = Pick<Deps, 'db' | 'clock'>;

/** Identifies the session to end. Explicit input takes precedence over what browsers send automatically. */
export interface LogoutRequest {
  /** Refresh token from the request body. */
  readonly refreshToken: string | null;
  /** Caller by bearer token. */
  readonly viewer: Viewer | null;
  /** Refresh token from the cookie. */
  readonly cookie: string | null;
}

/** Ends one session. An invalid token ends nothing, without an error.
 *  @throws {AppError} UNAUTHORIZED if the request identifies no session; FORBIDDEN for an API token, which has none */
export async function logout(deps: LogoutDeps, origin: Origin, request: LogoutRequest): Promise<void> {
  const { refreshToken, viewer, cookie } = request;
  if (refreshToken === null && viewer) {
    const { sessionId } = viewer;
    if (sessionId === null)
      throw forbidden`An API token has no session to end${fix}revoke it with ${operation('DELETE /auth/tokens/{id}')}`;
    return end(deps, origin, (db) => lockSession(db, sessionId));
  }
  const text = refreshToken ?? cookie;
  if (text === null) throw unauthorized`You are not signed in${fix}send the refresh token or a Bearer token`;
  return end(deps, origin, (db) => sessionOf(db, text));
}

async function end(deps: LogoutDeps, origin: Origin, find: (db: Db) => Promise<StoredSession | null>): Promise<void> {
  await deps.db.$transaction(async (db) => {
    const session = await find(db);
    if (!session || !(await revokeSession(db, session.id, deps.clock.now()))) return;
    const { organizationId, userId, email } = session;
    const actor = { organizationId, userId, email, ...origin };
    await writeAudit(db, actor, { action: 'logout', resourceType: 'session', resourceId: session.id });
  });
}

/** A former token of the session is sufficient to end it: its holder may have lost the newer ones. */
async function sessionOf(db: Db, text: string): Promise<StoredSession | null> {
  const token = parseRefreshToken(text);
  const session = token && (await lockSession(db, token.sessionId));
  if (!session) return null;
  const isOfSession = matches(token, session.refreshHash) || (await findUsed(db, session.id, hashOf(token))) !== null;
  return isOfSession ? session : null;
}
