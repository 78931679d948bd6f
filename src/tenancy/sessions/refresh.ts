import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { fix, unauthorized } from '../../kit/errors/errors.ts';
import { writeAudit } from '../audit/store.ts';
import {
  graceMs,
  hashOf,
  latestOf,
  matches,
  parseRefreshToken,
  type RefreshToken,
  successorOf,
} from './refresh-token.ts';
import { answerLogin, type Login, type OpenSession, type Origin } from './open.ts';
import { findUsed, lockSession, revokeSession, rotateSession, type StoredSession } from './store.ts';

type RefreshDeps = Pick<Deps, 'db' | 'pool' | 'clock' | 'config' | 'secrets'>;

/** Exchanges a refresh token for an access token and the next refresh token. For 10 seconds, the old one yields the
 *  same successor, or the latest token if that was exchanged meanwhile: a slow tab must not end up with a token
 *  whose next use would look like theft. After 10 seconds, use of any old token means that two parties hold it, and
 *  ends the session.
 *  @throws {AppError} UNAUTHORIZED if the token is unknown or already used, or its session has ended or was not used
 *  for `sessionIdleMs` */
export async function refresh(deps: RefreshDeps, origin: Origin, refreshToken: string): Promise<Login> {
  const token = parseRefreshToken(refreshToken);
  const session = token && (await deps.db.$transaction((db) => exchange(db, deps, origin, token)));
  if (!session) throw unauthorized`The refresh token is invalid or expired${fix}sign in again`;
  return answerLogin(deps, session);
}

/** Null if the token is rejected. Not an exception, because the writes of a rejection must be committed. */
async function exchange(db: Db, deps: RefreshDeps, origin: Origin, token: RefreshToken): Promise<OpenSession | null> {
  const now = deps.clock.now();
  const session = await lockSession(db, token.sessionId);
  if (!session || session.revokedAt !== null || session.expiresAt <= now) return null;
  if (now.getTime() - session.lastUsedAt.getTime() > deps.config.sessionIdleMs) return null;
  const next = matches(token, session.refreshHash)
    ? await rotate(db, deps, session, token)
    : await repeat(db, deps, session, token);
  if (next === 'reuse') return endForReuse(db, session, origin, now);
  if (!next) return null;
  return { sessionId: session.id, userId: session.userId, refreshToken: next.text, expiresAt: session.expiresAt };
}

async function rotate(db: Db, deps: RefreshDeps, session: StoredSession, token: RefreshToken): Promise<RefreshToken> {
  const successor = successorOf(deps.secrets, token);
  await rotateSession(db, session, hashOf(successor), deps.clock.now());
  return successor;
}

/** Null: the token never belonged to the session, so its holder cannot end the session. */
async function repeat(
  db: Db,
  deps: RefreshDeps,
  session: StoredSession,
  token: RefreshToken,
): Promise<RefreshToken | 'reuse' | null> {
  const usedAt = await findUsed(db, session.id, hashOf(token));
  if (!usedAt) return null;
  // A time of use in the future is from before the clock was set back.
  if (Math.abs(deps.clock.now().getTime() - usedAt.getTime()) > graceMs) return 'reuse';
  return latestOf(deps.secrets, token, session.refreshHash);
}

async function endForReuse(db: Db, session: StoredSession, origin: Origin, now: Date): Promise<null> {
  await revokeSession(db, session.id, now);
  const actor = { organizationId: session.organizationId, userId: null, email: session.email, ...origin };
  const details = { reason: 'a refresh token was reused' };
  await writeAudit(db, actor, { action: 'session_revoked', resourceType: 'session', resourceId: session.id, details });
  return null;
}
