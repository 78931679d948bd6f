import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { unauthorized } from '../../kit/errors.ts';
import { auditEverywhere } from '../auth/audit-everywhere.ts';
import { deleteChallenges } from '../auth/challenge-store.ts';
import type { Origin } from '../auth/session.ts';
import { passwordChangedLetter } from '../mail/letters.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { revokeSessionsOf } from '../sessions/store.ts';
import { lockOwner, replacePassword, type Owner } from './store.ts';

/** How a password comes to be another one. */
export interface Replacement {
  readonly userId: string;
  readonly passwordHash: string;
  readonly by: 'change' | 'reset';
  /** The session that goes on; null: every one ends. */
  readonly keptSessionId: string | null;
  /** Looks once more, now that nobody else changes the password, whether it may be; throws where it may not. */
  permit(db: Db, owner: Owner): Promise<void>;
}

/** Puts a new password in the place of the old one, ends what the old one led to, records it wherever the user is a member,
 *  and tells them by mail.
 *  @throws {AppError} what `permit` throws; UNAUTHORIZED when there is no such user any more */
export async function replace(
  deps: Pick<Deps, 'db' | 'queue' | 'secrets' | 'clock' | 'config'>,
  origin: Origin,
  { userId, passwordHash, by, keptSessionId, permit }: Replacement,
): Promise<void> {
  const at = deps.clock.now();
  await deps.db.$transaction(async (db) => {
    // Others lock in this order: a challenge or a session, then the user. What came between the two is ended after.
    const before = await endLogins(db, { userId, keptSessionId }, at);
    const owner = await lockOwner(db, { userId });
    if (!owner) throw unauthorized`The user no longer exists`;
    await permit(db, owner);
    await replacePassword(db, userId, passwordHash, at);
    const ended = before + (await endLogins(db, { userId, keptSessionId }, at));
    const { email, name } = owner;
    const details = { by, sessions_ended: ended };
    const entry = { action: 'password_changed', resourceType: 'user', resourceId: userId, details } as const;
    await auditEverywhere(db, { ...origin, userId, email }, entry);
    const change = { to: email, name, at, ipAddress: origin.ipAddress, isReset: by === 'reset' };
    await queueMail(db, deps, passwordChangedLetter(deps.config, change), `password changed ${userId} ${at.getTime()}`);
  });
}

/** How many sessions it ended. */
async function endLogins(
  db: Db,
  { userId, keptSessionId }: Pick<Replacement, 'userId' | 'keptSessionId'>,
  at: Date,
): Promise<number> {
  await deleteChallenges(db, userId);
  return revokeSessionsOf(db, userId, keptSessionId, at);
}
