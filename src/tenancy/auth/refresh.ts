import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { AppError } from '../../kit/errors.ts';
import { writeAudit } from '../audit/store.ts';
import {
  graceMs,
  hashOf,
  isGenuine,
  matches,
  parseRefreshToken,
  successorOf,
  type RefreshToken,
} from './refresh-token.ts';
import { answerLogin, type Login, type OpenSession, type Origin } from './session.ts';
import { lockSession, revokeSession, rotateSession, type StoredSession } from './store.ts';

type RefreshDeps = Pick<Deps, 'db' | 'pool' | 'clock' | 'config' | 'secrets'>;

/** Exchanges a refresh token for an access token and the refresh token that follows. For 10 seconds the old one gives the
 *  same successor; after that its use means that two parties hold it, and ends the session.
 *  @throws {AppError} UNAUTHORIZED when the token is none of ours, was used before, or its session has ended */
export async function refresh(deps: RefreshDeps, origin: Origin, refreshToken: string): Promise<Login> {
  const token = parseRefreshToken(refreshToken);
  const session = token && (await deps.db.$transaction((db) => exchange(db, deps, origin, token)));
  if (!session) throw new AppError('UNAUTHORIZED', 'The refresh token is not valid or no longer so: log in again');
  return answerLogin(deps, session);
}

/** Null where the token is refused. What a refusal writes must be kept, so it is no exception here. */
async function exchange(db: Db, deps: RefreshDeps, origin: Origin, token: RefreshToken): Promise<OpenSession | null> {
  const now = deps.clock.now();
  const session = await lockSession(db, token.sessionId);
  if (!session || session.revokedAt !== null || session.expiresAt <= now) return null;
  const use = useOf(deps, session, token, now);
  if (use === 'unknown') return null;
  if (use === 'reuse') return endForReuse(db, session, origin, now);
  const successor = successorOf(deps.secrets, token);
  if (use === 'exchange') await rotateSession(db, session, hashOf(successor), now);
  // After a rotation of the server's own key the successor would be another one: then it cannot be repeated.
  else if (!matches(successor, session.refreshHash)) return null;
  return { sessionId: session.id, userId: session.userId, refreshToken: successor.text, expiresAt: session.expiresAt };
}

function useOf(
  deps: RefreshDeps,
  session: StoredSession,
  token: RefreshToken,
  now: Date,
): 'exchange' | 'repeat' | 'reuse' | 'unknown' {
  if (matches(token, session.refreshHash)) return 'exchange';
  if (session.previousHash && session.rotatedAt && matches(token, session.previousHash)) {
    return now.getTime() - session.rotatedAt.getTime() <= graceMs ? 'repeat' : 'reuse';
  }
  return isGenuine(deps.secrets, token) ? 'reuse' : 'unknown';
}

async function endForReuse(db: Db, session: StoredSession, origin: Origin, now: Date): Promise<null> {
  await revokeSession(db, session.id, now);
  const actor = { organizationId: session.organizationId, userId: null, email: session.email, ...origin };
  const details = { reason: 'a refresh token was used a second time' };
  await writeAudit(db, actor, { action: 'session_revoked', resourceType: 'session', resourceId: session.id, details });
  return null;
}
