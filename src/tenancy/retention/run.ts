import type { Deps } from '../../kit/deps.ts';

const msPerDay = 86_400_000;

/** Retention of ended records, in days. Sessions and invitations are kept as long as the audit log, which references
 *  them; sessions also record which organization a user used last. Failed logins are otherwise reset only by a
 *  success or an unlock; an address without failures for a month starts over, so that the table does not grow with every
 *  invented address. */
const keptDays = { sessions: 90, challenges: 1, passwordResets: 1, invites: 90, loginLocks: 30 } as const;

/** Deletes records that ended long ago, in all organizations: sessions and invitations from their expiry or end, login locks
 *  from their last failure. */
export async function deleteEndedRecords({ db, log }: Pick<Deps, 'db' | 'log'>, now: Date): Promise<void> {
  const until = (kind: keyof typeof keptDays) => ({ lt: new Date(now.getTime() - keptDays[kind] * msPerDay) });
  const [past, ended] = [until('sessions'), until('invites')];
  // Exchanged refresh tokens only serve to detect copied tokens of open sessions.
  const usedTokens = await db.$executeRaw`/* deleteEndedRecords */
    DELETE FROM used_refresh_tokens u USING sessions s
    WHERE s.id = u.session_id AND (s.revoked_at IS NOT NULL OR s.expires_at <= ${now})`;
  const sessions = await db.session.deleteMany({ where: { OR: [{ expiresAt: past }, { revokedAt: past }] } });
  const challenges = await db.challenge.deleteMany({ where: { expiresAt: until('challenges') } });
  const passwordResets = await db.passwordReset.deleteMany({ where: { expiresAt: until('passwordResets') } });
  const invites = await db.invite.deleteMany({
    where: { OR: [{ expiresAt: ended }, { acceptedAt: ended }, { revokedAt: ended }] },
  });
  const loginLocks = await db.loginLock.deleteMany({ where: { updatedAt: until('loginLocks') } });
  const deleted = Object.entries({ sessions, challenges, passwordResets, invites, loginLocks });
  const counts = Object.fromEntries(deleted.map(([kind, { count }]) => [kind, count]));
  log.info({ ...counts, usedTokens }, 'Ended records were deleted');
}
