import type { Db } from '../../kit/db.ts';

/** How many rows of each kind went. */
export interface Deleted {
  readonly sessions: number;
  readonly challenges: number;
  readonly passwordResets: number;
  readonly invites: number;
  readonly loginLocks: number;
}

/** Forgets what ended before these instants.
 *  @param before `sessions` and `invites`: where they ended by themselves, or were ended; `loginLocks`: the last failure */
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

/** Forgets the exchanged refresh tokens of sessions that have ended: they told a copied token from the real one, and
 *  neither is good any more. */
export async function deleteUsedTokens(db: Db, now: Date): Promise<number> {
  return db.$executeRaw`/* deleteUsedTokens */
    DELETE FROM used_refresh_tokens u USING sessions s
    WHERE s.id = u.session_id AND (s.revoked_at IS NOT NULL OR s.expires_at <= ${now})`;
}
