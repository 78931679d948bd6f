import type { Db } from '../../kit/db.ts';

/** Number of deleted rows of each kind. */
export interface Deleted {
  readonly sessions: number;
  readonly challenges: number;
  readonly passwordResets: number;
  readonly invites: number;
  readonly loginLocks: number;
}

/** Deletes what ended before these instants.
 *  @param before `sessions` and `invites`: by the time they expired or were ended; `loginLocks`: by the last failure */
export async function deleteEnded(
  db: Db,
  before: { sessions: Date; challenges: Date; passwordResets: Date; invites: Date; loginLocks: Date },
): Promise<Deleted> {
  const past = { lt: before.sessions };
  const ended = { lt: before.invites };
  const sessions = await db.session.deleteMany({ where: { OR: [{ expiresAt: past }, { revokedAt: past }] } });
  const challenges = await db.challenge.deleteMany({ where: { expiresAt: { lt: before.challenges } } });
  const resets = await db.passwordReset.deleteMany({ where: { expiresAt: { lt: before.passwordResets } } });
  const invites = await db.invite.deleteMany({
    where: { OR: [{ expiresAt: ended }, { acceptedAt: ended }, { revokedAt: ended }] },
  });
  const locks = await db.loginLock.deleteMany({ where: { updatedAt: { lt: before.loginLocks } } });
  return {
    sessions: sessions.count,
    challenges: challenges.count,
    passwordResets: resets.count,
    invites: invites.count,
    loginLocks: locks.count,
  };
}

/** Deletes the exchanged refresh tokens of ended sessions: they are only needed to detect copied tokens of open
 *  ones. */
export async function deleteUsedTokens(db: Db, now: Date): Promise<number> {
  return db.$executeRaw`/* deleteUsedTokens */
    DELETE FROM used_refresh_tokens u USING sessions s
    WHERE s.id = u.session_id AND (s.revoked_at IS NOT NULL OR s.expires_at <= ${now})`;
}
